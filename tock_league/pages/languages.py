"""Further languages, which only tables, practice, replays, rules and the pages on privacy and security offer (docs/decisions,
number 10)."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

COOKIE = "table_language"
COOKIE_AGE = 365 * 24 * 3600
# Pages that are shown in a further language, and store the choice.
REMEMBERING = frozenset({
    "games:table", "games:replay", "games:practice", "games:casual_new", "games:room", "games:room_deed", "games:join",
    "games:quick_seat", "games:learn", "games:lesson",
})  # fmt: skip
# These are shown in any language without choosing one for the tables; a page requests the texts of its scripts, and a
# lesson what follows a play.
READING = frozenset({"pages:rules", "pages:privacy", "pages:security"})
ASKED = frozenset({"jsi18n", "games:play_lesson", "games:coach"})


def codes() -> tuple[str, ...]:
    """Return the further languages, two letters each."""
    return tuple(code for code, _name in settings.TABLE_LANGUAGES)


def asked_for(request: HttpRequest) -> str:
    """Return the further language in which a page is to be shown, empty for the site's own.

    `?lang=es` asks for it, any other `lang` for the site's language; without it the cookie holds the last choice.
    """
    name = request.resolver_match.view_name if request.resolver_match else ""
    if name not in REMEMBERING | READING | ASKED:
        return ""
    remembered = "" if name in ASKED else request.COOKIES.get(COOKIE, "")
    wanted = request.GET.get("lang", remembered)
    return wanted if wanted in codes() else ""


class FurtherLanguageMiddleware:
    """Shows a page in the further language asked for, and remembers it on this browser until the site's is chosen again.

    It comes after the middleware that finds the player's language, because a choice for this page has priority.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Activate the language: only now is it known which page is asked for."""
        if further := asked_for(request):
            request.site_language = translation.get_language()  # type: ignore[attr-defined]
            translation.activate(further)
            request.LANGUAGE_CODE = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = request.resolver_match.view_name if request.resolver_match else ""
        further = asked_for(request)
        # Where somebody earlier refused the request the page was made in the site's language.
        if further and hasattr(request, "site_language"):
            response.headers["Content-Language"] = further
            translation.activate(_site_language(request))
        if name in REMEMBERING | READING:
            patch_vary_headers(response, ("Cookie",))
        if name in REMEMBERING and further and "lang" in request.GET:
            response.set_cookie(COOKIE, further, **_manner())
        elif COOKIE in request.COOKIES and _site_language_chosen(name, request, response):
            response.delete_cookie(COOKIE, path="/", samesite="Lax")
        return response


def _manner() -> dict[str, Any]:
    return {
        "max_age": COOKIE_AGE,
        "path": "/",
        "samesite": "Lax",
        "secure": settings.SESSION_COOKIE_SECURE,
        "httponly": True,
    }


def _site_language_chosen(name: str, request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the site's language was just chosen: at one of these pages, or for the whole site."""
    return (name in REMEMBERING and "lang" in request.GET) or settings.LANGUAGE_COOKIE_NAME in response.cookies


def _site_language(request: HttpRequest) -> str:
    return getattr(request, "site_language", None) or settings.LANGUAGE_CODE


def further_languages(request: HttpRequest) -> dict[str, Any]:
    """Context of pages that speak further languages: `further_languages`, those it may be read in besides its own, and
    `site_language`, the way back where it is shown in one of them. Nothing elsewhere."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    if name not in REMEMBERING:
        return {}
    spoken = asked_for(request)
    others = [code for code in codes() if code != spoken]
    return {"further_languages": others} | ({"site_language": _site_language(request)} if spoken else {})
