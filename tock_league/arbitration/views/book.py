"""Public pages: the ruling book, a ruling, the penalty table, penalties of players, pairs and competitions."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tock_league.accounts import selectors as people
from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.clubs.selectors import team as team_by_slug
from tock_league.common.errors import NotThere
from tock_league.competitions.selectors.seasons import competitions

from ..permissions import referees
from ..selectors.rulings import book as reader
from ..selectors.rulings import penalties, penalty_tables

PAGE = 20
LAST_PAGE = 10_000


def _page_number(request: HttpRequest) -> int:
    asked = request.GET.get("page", "1")
    return min(max(int(asked), 1), LAST_PAGE) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1


@require_safe
def book(request: HttpRequest) -> HttpResponse:
    """Show every published ruling, the latest first."""
    page = reader.book(page=_page_number(request), size=PAGE)
    return render(request, "arbitration/book.html", {"page": page})


@never_cache
@require_safe
def of_game(request: HttpRequest, slug: str) -> JsonResponse:
    """Return, for the end page of a table, the published rulings about a game, the newest first: address and words."""
    told = []
    for ruled in reader.of_game(slug):
        values = {"number": ruled.number.rsplit("-", 1)[-1], "about": ruled.kind_label}
        words = gettext("Ruling %(number)s: %(about)s.") % values
        address = reverse("arbitration:ruling", args=[ruled.number])
        told.append({"url": address, "words": words, "effects": " ".join(ruled.last.effects)})
    return JsonResponse({"rulings": told})


@require_safe
def of_competition(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rulings and penalties of one competition."""
    viewer = player_of(request)
    found = competitions.get(slug, viewer)
    context = {
        "competition": found,
        "tab": "rulings",
        "page": reader.book(competition=found, page=_page_number(request), size=PAGE),
        "penalties": penalties.penalties_of_competition(found),
        "referee": viewer is not None and referees(viewer, found),
        "organiser": can(viewer, "competition.organise", found),
    }
    return render(request, "arbitration/competition.html", context)


@require_safe
def ruling(request: HttpRequest, number: str) -> HttpResponse:
    """Show a published ruling: rules, facts, reasons, outcome, and the play it is about."""
    found = reader.published(number)
    if found is None:
        raise NotThere
    return render(request, "arbitration/ruling.html", {"ruling": found})


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """Show the penalty table in the reader's language, every version."""
    return render(request, "arbitration/penalty_table.html", {"tables": penalty_tables.tables()})


@require_safe
def of_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the penalties of a player."""
    player = people.player(slug)
    context = {"player": player, "rows": penalties.penalties_of_player(player, player_of(request))}
    return render(request, "arbitration/penalties.html", context)


@require_safe
def of_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the penalties of a pair's players, in matches of that pair."""
    team = team_by_slug(slug)
    return render(request, "arbitration/penalties.html", {"team": team, "rows": penalties.penalties_of_pair(team)})
