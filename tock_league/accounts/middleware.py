"""What a signed-in person brings to a request: language, time zone, and the second factor that a role asks for."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode

from tock_league.common.errors import NotAllowed
from tock_league.common.http import is_apart, wants_json

from . import devices, sessions
from .permissions import holds_protected, lacking_factor
from .selectors import known_language, player_of, site_language


class PlayerMiddleware:
    """Shows times in the player's zone and speaks the player's language (decision 0053).

    A visitor's language is that of the switch's cookie, else of the browser: Django's LocaleMiddleware has found it.
    `?lang=es` shows one page in a language and changes nothing else. Reads no player at the addresses of `http.is_apart`,
    where this thread would hold a database connection while the view waits for another.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        player = None if is_apart(request) else player_of(request)
        language = known_language(request.GET["lang"]) if "lang" in request.GET else ""
        if language or player is not None:
            translation.activate(language or site_language(player.language if player is not None else ""))
            request.LANGUAGE_CODE = translation.get_language()
        if player is None:
            return self.get_response(request)
        timezone.activate(ZoneInfo(player.time_zone))
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


class SessionMiddleware:
    """Extends the session of a signed-in person who uses it, and ends one that is over its limits (accounts.sessions).

    Most requests need no query for it. Addresses of `http.is_apart` are left out; plays extend the session by themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        due = not is_apart(request) and sessions.is_use(request) and sessions.is_due(request.session)
        if due and not (request.user.is_authenticated and sessions.go_on(request, staff=holds_protected(request.user))):
            logout(request)
        return self.get_response(request)


class ResetDeviceMiddleware:
    """Lets a device on which a password was set by the link in a mail count as known: only its owner reads that mail."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if (user := getattr(request, "reset_by_mail", None)) is not None:
            devices.remember(request, response, user)
        return response


class SecondFactorMiddleware:
    """Leads people whose roles wait for a second factor to the page that sets one up, instead of a refusal.

    The refusal itself comes from the permissions: such a role gives no right (accounts.permissions.in_force).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, NotAllowed) or wants_json(request) or not lacking_factor(request.user):
            return None
        back = {"next": request.get_full_path()} if request.method == "GET" else {}
        return redirect(f"{reverse('accounts:protect')}?{urlencode(back)}" if back else reverse("accounts:protect"))
