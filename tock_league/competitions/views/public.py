"""Public pages: competitions, their standings and matches, one match."""

import calendar
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.clubs.models import Team
from tock_league.clubs.selectors import with_players
from tock_league.common import clock
from tock_league.common.errors import NotThere

from ..forms import AwardForm, DateForm
from ..models import Competition, Match
from ..permissions import organises_something
from ..selectors.entries import registration as registrations
from ..selectors.rankings.kept import shown
from ..selectors.rankings.kept.keeping import kept
from ..selectors.rankings.kept.rounds import round_under_way
from ..selectors.rankings.kept.rows import Line
from ..selectors.results import corrections
from ..selectors.rounds import matches, odds, places
from ..selectors.rounds.clashes import clashes
from ..selectors.rounds.matches import MatchView
from ..selectors.rounds.progress import is_bracket
from ..selectors.seasons import calendars, competitions
from ..selectors.seasons.regulation_lines import regulation_lines
from ..services.entries import entering
from ..services.rounds.schedule import MOVABLE, may_move
from . import tournament

# Matches whose result may be given on paper now.
ON_PAPER = (Match.State.CALLED, Match.State.LIVE, Match.State.REPORTED, Match.State.CONTESTED)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every public competition, and the drafts of who may organise."""
    person = player_of(request)
    of_a_club = person is not None and _organises_a_club(person)
    context = {
        "listed": competitions.listed(),
        "drafts": competitions.drafts(person) if person else [],
        "may_create": of_a_club or can(person, "competition.create", None),
        "organises": person is not None and organises_something(person),
        "may_create_season": of_a_club or can(person, "season.create", None),
    }
    return render(request, "competitions/list.html", context)


def _organises_a_club(person: Player) -> bool:
    return person.club_roles.filter(until__isnull=True).exists()


@require_safe
def competition(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings, why neighbours stand as they do, and the round that is being played."""
    person = player_of(request)
    found = competitions.get(slug, person)
    if found.is_planned:
        return tournament.overview(request, found, person, first=shown.place_of(request.GET.get("from", "")))
    rows = kept(found)
    current = round_under_way(found, rows, person)
    own_teams = _own_teams(found, person)
    context = _frame(request, found, "standings") | {
        "table": shown.tables(found, rows, person, first=shown.place_of(request.GET.get("from", "")))[0],
        "round": current,
        "own_teams": own_teams,
        "entries_refused": entering.refusal_for_all(found) if own_teams else "",
    }
    return render(request, "competitions/standings.html", context)


@require_safe
def explained(request: HttpRequest, slug: str, entry: str) -> HttpResponse:
    """Show where an entry's numbers come from, and why it stands before the next one, in each table that it is in."""
    person = player_of(request)
    found = competitions.get(slug, person)
    row = competitions.entry(found, entry)
    made = shown.explanations(found, row, person)
    if not made:
        raise NotThere
    context = _frame(request, found, "overview" if found.is_planned else "standings")
    return render(request, "competitions/explained.html", context | {"entry": row, "explained": made})


def _own_teams(found: Competition, person: Player | None) -> list[Team]:
    """Return the teams of which `person` is the captain and that are not in yet, with `lacks`, while entries are open."""
    if person is None or found.state != Competition.State.OPEN or found.kind != Competition.Kind.LEAGUE:
        return []
    outside = competitions.teams_outside(found)
    return list(with_players(outside.filter(spells__player=person, spells__slot=1, spells__left__isnull=True)))


@require_safe
def match_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every round with its matches, and the month as a sheet."""
    person = player_of(request)
    found = competitions.get(slug, person)
    rounds = calendars.rounds(found, person)
    context = _frame(request, found, "matches") | {
        "rounds": rounds,
        "odds": odds.of_matches(view for made in rounds for view in made.matches),
        "month": None if found.is_planned else _month(rounds, request.GET.get("month")),
    }
    return render(request, "competitions/matches.html", context)


@require_safe
def regulations(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the settings it is played by, in words, and the seed of the lots."""
    found = competitions.get(slug, player_of(request))
    context = _frame(request, found, "regulations") | {
        "lines": regulation_lines(found),
        "lots": competitions.lots(found),
    }
    return render(request, "competitions/regulations.html", context)


def _frame(request: HttpRequest, found: Competition, tab: str) -> dict[str, Any]:
    person = player_of(request)
    if found.is_planned:
        return tournament.frame(request, found, tab, person)
    return {
        "competition": found,
        "tab": tab,
        "viewer": person,
        "organiser": can(person, "competition.organise", found),
        "own_entries": registrations.own_entries_inside(found, person),
    }


def _month(rounds: list[calendars.RoundView], wanted: str | None) -> dict[str, Any] | None:
    """Return the month sheet: weeks of days, each with its matches, and the months before and after that have any."""
    days: dict[date, list[MatchView]] = {}
    for made in rounds:
        for view in made.matches:
            if view.starts_at is not None:
                days.setdefault(timezone.localtime(view.starts_at).date(), []).append(view)
    if not days:
        return None
    today = timezone.localtime(clock.now()).date()
    months = sorted({(day.year, day.month) for day in days})
    labels = {f"{year:04d}-{month:02d}": (year, month) for year, month in months}
    near = min(months, key=lambda at: (abs((at[0] - today.year) * 12 + at[1] - today.month), at))
    year, month = labels.get(wanted or "", near)
    place = months.index((year, month)) if (year, month) in months else 0
    names = list(labels)
    return {
        "first": date(year, month, 1),
        "before": names[place - 1] if place > 0 else "",
        "after": names[place + 1] if place + 1 < len(names) else "",
        "weekdays": [date(2026, 6, day) for day in range(1, 8)],  # a Monday to a Sunday, for their names
        "days": [
            {"day": day, "out": day.month != month, "today": day == today, "matches": days.get(day, ())}
            for week in calendar.Calendar().monthdatescalendar(year, month)
            for day in week
        ],
    }


@require_safe
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one match: who, when, the chances, the way to the table, its games."""
    return render(
        request, "competitions/match.html", match_context(request, matches.match_view(slug, player_of(request)))
    )


def match_context(request: HttpRequest, view: MatchView, **forms: Any) -> dict[str, Any]:
    """Return the context of the match page; `forms`: bound forms with errors."""
    person = player_of(request)
    found = view.match.competition
    organiser = can(person, "match.move", view.match)
    movable = organiser and may_move(view.match)
    undecided = view.match.state in MOVABLE
    official = undecided and can(person, "match.award", view.match)
    forfeits = undecided and any(can(person, "match.forfeit", (view.match, side.position)) for side in view.sides)
    names = [side.name for side in view.sides]
    return {
        "view": view,
        "corrections": corrections.of_match(view.match, person),
        "competition": found,
        "viewer": person,
        "organiser": organiser,
        "odds": odds.of_matches([view]).get(view.match.pk),
        "places": _places(found, view),
        "earlier": _earlier(view),
        "reasons": [version.reason for version in view.match.versions.all() if version.reason],
        "may_report": view.match.is_on_board
        and view.match.state in ON_PAPER
        and (can(person, "result.report", view.match) or can(person, "result.certify", view.match)),
        # In a league the form beside it is for officials.
        "may_decide": _is_played(found) and (found.is_planned or not official) and (official or forfeits),
        "only_forfeits": not official,
        "place": places.place_of(view.match, person),
        "place_errors": [str(error) for problems in forms["place_form"].errors.values() for error in problems]
        if "place_form" in forms
        else (),
        "clashes": clashes(found, view.match) if movable else [],
        "date_form": forms.get("date_form") or (DateForm(initial=_when(view)) if movable else None),
        "award_form": forms.get("award_form")
        or (
            AwardForm(match=view.match, names=names)
            if official and not found.is_planned and _is_played(found)
            else None
        ),
    }


def _is_played(found: Competition) -> bool:
    """Return whether matches may be given up: those of a league from its start, before which its calendar may be discarded."""
    return found.is_planned or found.state in (Competition.State.RUNNING, Competition.State.SUSPENDED)


def _when(view: MatchView) -> dict[str, Any]:
    return {"starts_at": timezone.localtime(view.starts_at) if view.starts_at else None}


def _places(found: Competition, view: MatchView) -> dict[int, Line]:
    """Return the line of each side by position, in the table of its group; nobody has one in a bracket."""
    group = view.match.round.group if found.is_planned else None
    if group is not None and is_bracket(group.stage):
        return {}
    sides = {side.entry_id: side.position for side in view.sides if side.entry_id is not None}
    lines = shown.places(kept(found), group.pk if group is not None else 0, sides)
    return {sides[entry]: line for entry, line in lines.items()}


def _earlier(view: MatchView) -> list[MatchView]:
    teams = [[side.team_id] for side in view.sides if side.team_id is not None]
    return matches.between(teams[0], teams[1], before=view.match) if len(teams) == 2 else []


@require_safe
def match_of_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect from a table to its match."""
    return redirect("competitions:match", slug=matches.match_of_table(slug).slug)
