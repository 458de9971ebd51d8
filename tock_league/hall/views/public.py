"""What a hall sees without signing in: walls, the clock, and a team's phone."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from tock_league.accounts.selectors import player_of
from tock_league.common import clock as time
from tock_league.common import limits
from tock_league.common.codes import code_of
from tock_league.common.errors import NotThere
from tock_league.common.room import absolute_for_phones
from tock_league.competitions import announcements
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import is_public
from tock_league.competitions.selectors.seasons import competitions

from ..announcements import FACTS
from ..selectors import rounds, screens, teams
from ..selectors.clocks import clock_of

KINDS = (*announcements.FACTS, *FACTS)
GUESSES = 30  # unknown secrets of an address in an hour
HOUR_S = 3600
View = Callable[..., HttpResponse]


def spoken(view: View) -> View:
    """Decorate a page that `?lang=` gives its language: a television has none of its own."""

    @wraps(view)
    def said(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        offered = {code[:2]: code for code, _name in settings.LANGUAGES}
        language = offered.get(request.GET.get("lang", "")) or get_language() or settings.LANGUAGE_CODE
        with override(language):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = language
        response["Cache-Control"] = "private, no-cache"
        return response

    return said


def feed_of(found: Competition) -> str:
    """Return the address of the live feed; "" for an event that visitors do not see, which has none."""
    return f"/live/competitions/{found.slug}" if is_public(found) else ""


@require_safe
@spoken
def wall(request: HttpRequest, slug: str, number: int = 0) -> HttpResponse:
    """Show a screen of the hall."""
    viewer = player_of(request)
    found = competitions.get(slug, viewer)
    shown, clock = rounds.shown(found, viewer), clock_of(found)
    said, programme = screens.announced(found), screens.programme(found, number)
    context = {
        "competition": found,
        "shown": shown,
        "clock": clock,
        "said": said,
        "programme": programme,
        "theme": _theme(request, programme.theme),
        "turns": screens.turns_now(programme, shown, clock, said),
        "follow": code_of(absolute_for_phones(request, reverse("competitions:competition", args=[found.slug]))),
        "feed": feed_of(found),
        "kinds": KINDS,
        "now_ms": time.now_ms(),
    }
    return render(request, "hall/wall.html", context)


@require_safe
@spoken
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the clock alone; pages of the event read it from here while they stay open."""
    found = competitions.get(slug, player_of(request))
    context = {
        "competition": found,
        "clock": clock_of(found),
        "said": screens.announced(found),
        "feed": feed_of(found),
        "kinds": FACTS,
        "now_ms": time.now_ms(),
    }
    return render(request, "hall/clock.html", context)


@require_safe
@spoken
def team(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a team's table, opponents and time to whoever knows the link.

    Only unknown secrets count for the limit: a whole hall reads its links from one address.
    """
    page = teams.team_page(secret)
    if page is None:
        limits.spend(request, "team_link", count=GUESSES, seconds=HOUR_S)
        raise NotThere
    context = {
        "page": page,
        "competition": page.competition,
        "clock": page.clock,
        "said": screens.announced(page.competition),
        "feed": feed_of(page.competition),
        "kinds": KINDS,
        "now_ms": time.now_ms(),
    }
    response = render(request, "hall/team.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"  # the address is a secret
    return response


def _theme(request: HttpRequest, chosen: str) -> str:
    """Return the theme of `?theme=`, else that of the screen."""
    asked = request.GET.get("theme", "")
    return asked if asked in ("dark", "light") else chosen
