"""The page that lists the sheets of an event, and the sheets themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.codes import code_of
from tock_league.common.errors import NotThere
from tock_league.common.room import addresses, url_for_phones
from tock_league.competitions.selectors.seasons import competitions

from . import kinds

FILES = 120  # of a login, or of an address without one, in an hour
HOUR_S = 3600


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what can be printed of an event, and the choice of paper, round and number of sheets."""
    person = player_of(request)
    found = competitions.get(slug, person)
    rounds = kinds.rounds_of(found)
    offers = kinds.offered(found, person, rounds)
    context = {
        "competition": found,
        "tab": "print",
        "viewer": person,
        "organiser": can(person, "competition.organise", found),
        "plan": found.tournament_plan,
        "rounds": rounds,
        "has_bracket": any(row.is_bracket for row in rounds),
        "public": [offer for offer in offers if not offer.kind.staff],
        "staff": [offer for offer in offers if offer.kind.staff],
        "sheets": range(1, kinds.MOST_SHEETS + 1),
    }
    return render(request, "exports/print.html", context)


@require_safe
def in_the_room(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the organisers of an event at which addresses the others in the room reach the site, each with its code."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    path = reverse("competitions:competition", args=[found.slug])
    context = {
        "competition": found,
        "tab": "print",
        "viewer": person,
        "organiser": True,
        "plan": found.tournament_plan,
        "addresses": [(each.removeprefix("http://"), code_of(each + path)) for each in addresses(request)],
    }
    return render(request, "exports/room.html", context)


@require_safe
def sheet(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """Send a sheet of an event as PDF: check-in list, slips, badges and certificates to its organisers alone."""
    from . import making

    person = player_of(request)
    choice = _choice(request)
    found = competitions.get(slug, person)
    kinds.allow(person, found, what)
    limits.spend(request, "print", count=FILES, seconds=HOUR_S, in_halls=True)
    headers = {
        "Content-Disposition": f'attachment; filename="{making.name(found, what)}"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(making.made(found, person, what, choice), content_type="application/pdf", headers=headers)


def _choice(request: HttpRequest) -> kinds.Choice:
    """Return what the page's form has sent. NotThere for a paper or a number of sheets that it does not offer."""
    paper, sheets = request.GET.get("paper", kinds.PAPERS[0]), request.GET.get("sheets", "") or "0"
    if paper not in kinds.PAPERS or sheets not in {str(number) for number in range(kinds.MOST_SHEETS + 1)}:
        raise NotThere
    return kinds.Choice(paper, request.GET.get("round", ""), int(sheets), url_for_phones(request))
