"""The tasks of accounts: the letters of sign-up and password reset, and the daily removal of old rows.

A request only promises a letter (services.promise_letter). Whether the address has an account is looked up here, so that
the request does the same for every address.
"""

import logging
from smtplib import SMTPRecipientsRefused
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from celery import shared_task
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation

from tock_league.common import outbox

from . import sessions
from .selectors import site_language
from .services import LETTER_TASK, SITE_NAME, gave_up, letter_sent

log = logging.getLogger(__name__)


@shared_task(name=LETTER_TASK)
def send_letter(outbox_id: int, kind: str = "", **about: Any) -> None:
    """Write and send one letter: `confirm`, `exists`, `reset` or `ready`. Sent twice only after a crash in between.

    An address that the mail server refuses for good is given up; the outbox repeats other failures for a day, also a
    refusal for now (greylisting answers 450).
    """
    if outbox.is_done(outbox_id):
        return
    try:
        for letter in letters(kind, **about):
            letter.send()
    except Exception as error:
        if _refused_for_good(error):
            log.warning("letter %s: the mail server refuses its address", outbox_id)
        elif gave_up(outbox_id):
            log.warning("letter %s: given up after a day", outbox_id, exc_info=True)
        else:
            raise
    letter_sent(outbox_id)


def _refused_for_good(error: Exception) -> bool:
    """Return whether the mail server refuses every address with a permanent code, 500 or more (RFC 5321, 4.2.1)."""
    return isinstance(error, SMTPRecipientsRefused) and all(code >= 500 for code, _said in error.recipients.values())


def letters(kind: str, *, email: str, language: str, site: str, **more: Any) -> list[EmailMessage]:
    """Return the letters to send. `site`: the address with which links begin; `more`: depends on `kind`."""
    with translation.override(language):
        match kind:
            case "confirm":
                return _confirmation(email, site, **more)
            case "exists":
                again = site + reverse("account_reset_password")
                return [_letter("account_already_exists", email, site, password_reset_url=again)]
            case "reset":
                return _reset(email, site)
            case "ready":
                return [EmailMessage(more["subject"], more["body"], to=[email])]
            case _:
                raise ValueError(f"no letter {kind!r}")


def _confirmation(email: str, site: str, *, address: int, signup: bool) -> list[EmailMessage]:
    """Return the letter with the link that confirms the row `address`; none when it is confirmed or gone meanwhile.

    Several accounts may hold one unconfirmed address: another row's link would give its account the reader's address.
    """
    row = EmailAddress.objects.filter(pk=address, email__iexact=email, verified=False).first()
    if row is None:
        return []
    key = EmailConfirmationHMAC.create(row).key
    template = "email_confirmation_signup" if signup else "email_confirmation"
    link = site + reverse("account_confirm_email", args=[key])
    return [_letter(template, email, site, user=row.user, key=key, activate_url=link)]


def _reset(email: str, site: str) -> list[EmailMessage]:
    """Return a letter with a link for each account of the address, or one that says that there is none."""
    users = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    if not users and app_settings.EMAIL_UNKNOWN_ACCOUNTS:
        return [_letter("unknown_account", email, site, signup_url=site + reverse("account_signup"))]
    found = []
    for user in users:
        key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        link = site + path.replace("UID-KEY", key)
        found.append(_letter("password_reset_key", email, site, user=user, password_reset_url=link))
    return found


def _letter(template: str, email: str, site: str, **context: Any) -> EmailMessage:
    """Return a letter in the language of the account of `user`; without one, in that of the page which asked for it."""
    named = {"name": SITE_NAME, "domain": site}
    player = getattr(context.get("user"), "player", None)
    with translation.override(site_language(player.language) if player is not None else translation.get_language()):
        return get_adapter().render_mail(
            f"account/email/{template}", email, {"email": email, "current_site": named, **context}
        )


@shared_task(name="tock_league.accounts.tasks.forget_sessions")
def forget_sessions() -> int:
    """Delete what is left of ended sessions, and old rows about sign-ins; daily."""
    return sessions.forget()
