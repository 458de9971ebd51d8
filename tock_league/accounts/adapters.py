"""Adapters of django-allauth: sign-up, limits on sign-ins, letters, and the secrets of second factors."""

import base64
import logging
import secrets
from collections.abc import Iterable
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from axes.handlers.proxy import AxesProxyHandler
from cryptography.fernet import InvalidToken
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tock_league.common.address import site_url
from tock_league.common.ids import new_slug

from . import devices, minors, seals, services, sessions
from .models import Player, User
from .permissions import holds_protected, lacking_factor
from .sessions import ended

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up through our services; limits on wrong passwords (decision 0023); mail in the language of the page."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": _(
            "Too many wrong passwords. Wait a while, use a device on which you have signed in before or a passkey, or choose a"
            " new password by mail."
        ),
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a sign-in before its password is checked. Raises ValidationError beyond a limit.

        What axes has locked (this login at this address) does not count again: otherwise one address could use up what the
        login may have from all addresses. A right password takes the count of wrong ones back (`authenticate`).
        """
        self._login_failed_rl_usage = None
        if not AxesProxyHandler.is_allowed(request, credentials):
            return
        login = devices.counted(str(credentials.get("email", "")))
        device = devices.known(request, login)
        if device:
            all_of_it, wrong, key = "login_known", "login_known_wrong", f"{device} {login}"
        else:
            all_of_it, wrong, key = "login_strange", "login_wrong", login
        if ratelimit.consume(request, app="allauth.account", action=all_of_it, key=key):
            # Of allauth: `authenticate` rolls this back after the right password.
            self._login_failed_rl_usage = ratelimit.consume(request, app="allauth.account", action=wrong, key=key)
        if not self._login_failed_rl_usage:
            raise self.validation_error("too_many_login_attempts")

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """Generate the user name, which is shown nowhere: the address and the player's name identify people."""
        user.username = user.username or new_slug()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Fill `user` from the sign-up form and write it with its player, in the form's transaction."""
        user = super().save_user(request, user, form, commit=False)
        if commit:
            services.sign_up(
                user=user,
                display_name=form.cleaned_data["display_name"],
                language=form.cleaned_data.get("language") or (get_language() or "fr")[:2],
                birth_year=form.cleaned_data["birth_year"],
            )
        return user

    # Mail: a request only promises a letter, so that it does the same, and takes as long, for every address.

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Promise the letter with the link that confirms an address."""
        address = emailconfirmation.email_address
        self._promise("confirm", address.email, address=address.pk, signup=signup)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Promise the letter to somebody who signs up a second time."""
        self._promise("exists", email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write any other letter now, and send it from a worker."""
        named = {"name": services.SITE_NAME, "domain": site_url(self.request)}
        message = self.render_mail(template_prefix, email, {"email": email, **context, "current_site": named})
        self._promise("ready", email, subject=str(message.subject), body=str(message.body))

    def _promise(self, kind: str, email: str, **more: str | int) -> None:
        services.promise_letter(kind, email=email, language=get_language() or "fr", site=site_url(self.request), **more)

    def post_login(self, request: HttpRequest, user: User, **hook: Any) -> HttpResponse:
        """Begin the session, and continue to where the person wanted to go: through the page about the second factor where a
        role needs one, or through the page that asks for an unknown year of birth."""
        response: HttpResponse = super().post_login(request, user, **hook)
        sessions.begin(request, staff=holds_protected(user))
        devices.remember(request, response, user)
        if lacking_factor(user):
            return _through("accounts:protect", response)
        player = Player.objects.filter(user=user).first()
        if player is not None and minors.is_asked(player):
            return _through("accounts:birth_year", response)
        return response


def _through(page: str, response: HttpResponse) -> HttpResponse:
    """Return a redirection to `page`, which leads on to where `response` leads."""
    if "Location" not in response:
        return response
    detour = redirect(f"{reverse(page)}?{urlencode({'next': response['Location']})}")
    detour.cookies = response.cookies
    return detour


class FactorAdapter(DefaultMFAAdapter):
    """Authenticator apps, passkeys and recovery codes. Their secrets are encrypted in the database and its backups."""

    def encrypt(self, text: str) -> str:
        return seals.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; a random one, which no code fits, where it was sealed with a key that is not here any more."""
        try:
            return seals.opened(encrypted_text)
        except InvalidToken:
            log.error(
                "a second factor is sealed with a former key: put the SECRET_KEY of that time into SECRET_KEY_FALLBACKS"
            )
            return base64.b32encode(secrets.token_bytes(20)).decode()


class SessionsAdapter(DefaultUserSessionsAdapter):
    """Ends sessions as allauth's page asks, and says so (`sessions.ended`)."""

    def end_sessions(self, sessions: Iterable[Any]) -> None:
        """End the sessions."""
        for session in sessions:
            user, key = session.user, session.session_key
            session.end()
            ended.send(sender=None, user=user, key=key, kept=None)
