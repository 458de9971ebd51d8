"""The signed-in player's language and time zone, for the length of one request."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from tock_league.common.http import is_apart

from .selectors import player_of, site_language


class PlayerMiddleware:
    """Shows times in the player's zone and, unless this browser chose otherwise, speaks the player's language.

    The language cookie has priority: it is the later, explicit choice, made with the links in the bar or by saving the
    profile. Skips the addresses of `http.is_apart`, where this thread would hold a database connection while the view
    waits for another.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        player = None if is_apart(request) else player_of(request)
        if player is None:
            return self.get_response(request)
        timezone.activate(ZoneInfo(player.time_zone))
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            translation.activate(site_language(player.language))
            request.LANGUAGE_CODE = translation.get_language()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()
