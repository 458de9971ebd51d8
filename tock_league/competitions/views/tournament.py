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
from ..selectors.rankings import group_tables
from ..selectors.rankings.crosstable import crosstable
from ..selectors.rankings.podium import podium
from ..selectors.rounds import brackets, matches, odds, pairings
from ..selectors.rounds.matches import MatchView
from ..selectors.rounds.progress import is_bracket, pairs_as_it_goes
from ..selectors.seasons import calendars, competitions


def overview(request: HttpRequest, found: Competition, person: Player | None) -> HttpResponse:
    """The bracket with the groups before it, or the standings with the round under way; the podium over all."""
    views = _matches(found, person)
    drawing = brackets.bracket(view for view in views if is_bracket(_stage(view)))
    groups = group_tables.of_groups(found, views)
    ranks = drawing.ranks if drawing is not None else ()
    context = frame(request, found, "overview", person) | {
        "bracket": drawing,
        "groups": groups,
        "podium": podium(found, ranks, _entries(found)) if views else [],
        "is_drawn": bool(views),
        "round": calendars.current_round(_rounds(views)),
        "teams": [] if views else _inside(found),
        "registration": registration.registrations_open(found),
        "check_in": registration.check_in_open(found),
    }
    return render(request, "competitions/tournament/overview.html", context)


@require_safe
def groups(request: HttpRequest, slug: str) -> HttpResponse:
    """Each group: its table, whose numbers open to the matches that make them, its cross-table and its matches."""
    found, person = _planned(request, slug)
    views = _matches(found, person)
    made = [
        {"table": group, "cross": crosstable(group.rows, group.matches)}
        for group in group_tables.of_groups(found, views)
    ]
    return render(
        request, "competitions/tournament/groups.html", frame(request, found, "groups", person) | {"groups": made}
    )


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of an event that is paired as it goes, each pairing with its explanation."""
    found, person = _planned(request, slug)
    views = [view for view in _matches(found, person) if pairs_as_it_goes(_stage(view))]
    context = frame(request, found, "rounds", person) | {
        "odds": odds.of_matches(views),
        "rounds": pairings.paired_rounds(found, views, _entries(found)),
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
    in_order = ("round__group__stage__ordinal", "round__number", "round__group", "number")
    return matches.views(found.matches.order_by(*in_order), person)


def _rounds(views: list[MatchView]) -> list[calendars.RoundView]:
    """The rounds of all stages, in order. No query."""
    made: dict[tuple[int, int], list[MatchView]] = {}
    for view in views:
        row = view.match.round
        made.setdefault((row.group.stage.ordinal, row.number), []).append(view)
    return [calendars.RoundView(number, tuple(here), stage) for (stage, number), here in made.items()]


def _stage(view: MatchView) -> Stage:
    return view.match.round.group.stage
