"""Pages for other sites' frames and for streams, and the page where their addresses are copied.

The pages below /embed/ are the same for everybody: they read no session, set no cookie, hold no form, and may be framed by any
site. No other page may.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import NONE
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from ratings import selectors as ratings
from ratings.models import Subject
from tock_league.common.address import absolute
from tock_league.common.errors import NotThere
from tock_league.competitions.announcements import FACTS
from tock_league.competitions.selectors.rankings.kept.shown import place_of

from . import embeds

THEMES = ("auto", "light", "dark")
PLAYS = ("table.snap", "table.ev")  # of the live feed of a match
ROWS = 10  # of a board
SNIPPET = '<iframe src="{}" title="{}" width="100%" height="480" loading="lazy"></iframe>'
View = Callable[..., HttpResponse]


def embedded(view: View) -> View:
    """Decorate a page for frames: `?lang=`, `?theme=`, and headers that let every site frame it."""

    @wraps(view)
    def framed(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with override(_language(request)):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = get_language() or ""
        response.xframe_options_exempt = True  # read by Django
        # Without this directive every site may frame the page.
        response._csp_replace = {"frame-ancestors": None, "form-action": [NONE]}  # type: ignore[attr-defined]
        response["Cache-Control"] = "no-cache"
        return response

    return framed


@require_safe
@embedded
def competition(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Show a part of a competition: standings, bracket, matches."""
    found = embeds.competition_of(slug)
    shown = embeds.shown(found, part, section=request.GET.get("part", ""), first=place_of(request.GET.get("from", "")))
    context = {"competition": found, "part": part, "feed": f"/live/competitions/{found.slug}", "kinds": FACTS}
    return render(request, f"feed/{_known(part)}.html", {**_look(request), **context, **shown})


@require_safe
@embedded
def board(request: HttpRequest, family: str, teams: int, kind: str) -> HttpResponse:
    """Show the first places of a leaderboard, of players or of pairs."""
    if kind not in Subject.Kind.values:
        raise NotThere
    key = f"{family}:{teams}"
    page = ratings.board(key, kind, limit=ROWS, with_apart=False)
    return render(
        request, "feed/board.html", {**_look(request), "page": page, "ladder": ratings.ladder(key), "kind": kind}
    )


@require_safe
@embedded
def overlay(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a match on a transparent page of 1920 by 1080, for a stream."""
    shown = embeds.overlay(slug)
    feed = f"/live/matches/{shown.view.match.slug}"
    return render(request, "feed/overlay.html", {"overlay": shown, "feed": feed, "kinds": (*FACTS, *PLAYS)})


@require_safe
def snippets(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what to copy into another site, and the addresses of the overlays."""
    found = embeds.competition_of(slug)
    lang = (get_language() or "fr")[:2]
    made = []
    for part in embeds.parts_of(found):
        path = reverse("feed:competition", args=[found.slug, part])
        address = absolute(request, f"{path}?lang={lang}&theme=auto")
        markup = format_html(SNIPPET, address, found.name)
        made.append({"part": part, "address": address, "markup": markup})
    ahead = embeds.shown(found, "matches")["ahead"] if "matches" in embeds.parts_of(found) else []
    overlays = [
        {"view": view, "address": absolute(request, reverse("feed:overlay", args=[view.match.slug]) + f"?lang={lang}")}
        for view in ahead
        if not view.match.is_on_board
    ]
    return render(request, "feed/snippets.html", {"competition": found, "made": made, "overlays": overlays})


def _known(part: str) -> str:
    if part not in embeds.PARTS:
        raise NotThere
    return part


def _language(request: HttpRequest) -> str:
    """Return the language of `?lang=`, such as fr or en; of the request without it, or where the site does not speak it."""
    asked = request.GET.get("lang", "")
    offered = {code[:2]: code for code, _name in settings.LANGUAGES}
    return offered.get(asked) or get_language() or settings.LANGUAGE_CODE


def _look(request: HttpRequest) -> dict[str, str]:
    """Return the theme of `?theme=`: light, dark, or auto, which follows the reader's system."""
    asked = request.GET.get("theme", "auto")
    return {"theme": asked if asked in THEMES else "auto"}
