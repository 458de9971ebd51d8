"""The public pages of a tournament: bracket, groups, paired rounds, teams, podium."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere

from ..models import Competition, Entry, PairingRun, Stage
from ..selectors.entries import registration
from ..selectors.entries.registration import EntryView
from ..selectors.rankings.crosstable import crosstable
from ..selectors.rankings.kept import shown
from ..selectors.rankings.kept.bracket import bracket_page, bracket_ranks
from ..selectors.rankings.kept.keeping import kept
from ..selectors.rankings.kept.rounds import round_under_way
from ..selectors.rankings.podium import podium
from ..selectors.rounds import matches, odds, pairings, wishes
from ..selectors.rounds.matches import MatchView
from ..selectors.rounds.progress import pairs_as_it_goes
from ..selectors.seasons import competitions

IN_ORDER = ("round__group__stage__ordinal", "round__number", "round__group", "number")
MOST_CELLS = 300  # of all cross-tables of a page


def overview(request: HttpRequest, found: Competition, person: Player | None, *, first: int) -> HttpResponse:
    """The bracket with the groups before it, or the standings with the round under way; the podium over all.

    `first`: a place of the page that a long table shows.
    """
    rows, plan = kept(found), found.tournament_plan
    drawn = bracket_page(found, rows, person, part=request.GET.get("part", ""))
    has_round = drawn is None and plan is not None and not plan.has_bracket
    current = round_under_way(found, rows, person) if has_round else None
    is_cancelled = found.state == Competition.State.CANCELLED
    context = frame(request, found, "overview", person) | {
        "drawn": drawn,
        "bracket": drawn.drawing if drawn is not None else None,
        "tables": shown.tables(found, rows, person, first=first),
        "podium": podium(found, bracket_ranks(rows)) if rows.round is not None and not is_cancelled else [],
        "is_drawn": rows.round is not None,
        "round": current,
        "teams": _inside(found) if rows.round is None else [],
        "registration": registration.registrations_open(found),
        "check_in": registration.check_in_open(found),
    }
    return render(request, "competitions/tournament/overview.html", context)


@require_safe
def groups(request: HttpRequest, slug: str) -> HttpResponse:
    """Each group: its table, whose numbers open to the matches that make them, its cross-table and its matches.

    Of many groups, or of large ones, only the tables; `?group=` shows the rest of one.
    """
    found, person = _planned(request, slug)
    tables = shown.tables(found, kept(found), person)
    asked = request.GET.get("group")
    if asked is not None:
        tables = [one for one in tables if one.name == asked]
        if not tables:
            raise NotThere
    whole = asked is not None or sum(len(one.lines) ** 2 for one in tables) <= MOST_CELLS
    inside = found.matches.filter(round__group__in=[one.table.group for one in tables]) if whole else None
    views = matches.views(inside.order_by(*IN_ORDER), person) if inside is not None and tables else []
    by_group: dict[int, list[MatchView]] = {}
    for view in views:
        by_group.setdefault(view.match.round.group_id, []).append(view)
    made = [
        {
            "table": one,
            "cross": crosstable(one.lines, by_group.get(one.table.group, ())),
            "matches": by_group.get(one.table.group, ()),
        }
        for one in tables
    ]
    context = {"groups": made, "whole": whole, "only": asked}
    return render(request, "competitions/tournament/groups.html", frame(request, found, "groups", person) | context)


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of an event that is paired as it goes, each pairing with its explanation."""
    found, person = _planned(request, slug)
    views = [view for view in _matches(found, person) if pairs_as_it_goes(_stage(view))]
    context = frame(request, found, "rounds", person) | {
        "odds": odds.of_matches(views),
        "rounds": pairings.paired_rounds(found, views, _entries(found)),
        "wishes": wishes.in_force(found),
    }
    return render(request, "competitions/tournament/rounds.html", context)


@require_safe
def certificate(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The certificate of a round as JSON: with it anybody can pair the round again."""
    found, _person = _planned(request, slug)
    run = PairingRun.objects.filter(
        round__group__stage__competition=found, round__number=number, state=PairingRun.State.PUBLISHED
    ).first()
    if run is None:
        raise NotThere
    text = json.dumps(run.certificate, ensure_ascii=False, sort_keys=True, indent=1)
    return HttpResponse(text, content_type="application/json; charset=utf-8")


@require_safe
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Who plays, who is here, who waits and who has left, with the public reasons."""
    found, person = _planned(request, slug)
    views = registration.entry_views(found)
    context = frame(request, found, "teams", person) | {
        "inside": [view for view in views if view.entry.state not in registration.GONE],
        "outside": [view for view in views if view.entry.state in registration.GONE],
        "shows_check_in": found.has_check_in and found.state in registration.BEFORE_START,
        "check_in": registration.check_in_open(found),
    }
    return render(request, "competitions/tournament/teams.html", context)


def frame(request: HttpRequest, found: Competition, tab: str, person: Player | None) -> dict[str, Any]:
    """What every page of a tournament needs."""
    return {
        "competition": found,
        "tab": tab,
        "viewer": person,
        "organiser": can(person, "competition.organise", found),
        "own_entries": registration.own_entries_inside(found, person),
        "plan": found.tournament_plan,
    }


def _planned(request: HttpRequest, slug: str) -> tuple[Competition, Player | None]:
    person = player_of(request)
    found = competitions.get(slug, person)
    if not found.is_planned:
        raise NotThere
    return found, person


def _entries(found: Competition) -> list[Entry]:
    return list(found.entries.select_related("team__club", "player"))


def _inside(found: Competition) -> list[EntryView]:
    return [view for view in registration.entry_views(found) if view.entry.state not in registration.GONE]


def _matches(found: Competition, person: Player | None) -> list[MatchView]:
    return matches.views(found.matches.order_by(*IN_ORDER), person)


def _stage(view: MatchView) -> Stage:
    return view.match.round.group.stage
