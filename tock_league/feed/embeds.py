"""What the pages for other sites and for streams show: nothing that visitors do not see on the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.fold import SPECTATOR, clocks_json, ending, told
from games.models import Game, Table
from games.selectors import games as reader
from games.selectors.tables import seats_of
from tock_league.common import clock
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.permissions import is_public
from tock_league.competitions.selectors.rankings.kept.bracket import bracket_page
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rankings.kept.shown import tables
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.selectors.seasons import competitions

LISTED = 6  # matches of a list
PARTS = ("standings", "bracket", "matches")


def competition_of(slug: str) -> Competition:
    """Return a public competition. NotThere for a draft or rehearsal too, whoever asks."""
    found = competitions.get(slug, None)
    if not is_public(found):
        raise NotThere
    return found


def parts_of(competition: Competition) -> Sequence[str]:
    """Return which parts the competition can show: a bracket only where one is planned."""
    plan = competition.tournament_plan if competition.is_planned else None
    without = {"bracket"} if plan is None or not plan.has_bracket else set()
    if plan is not None and plan.has_bracket and not plan.has_groups:
        without.add("standings")
    return [part for part in PARTS if part not in without]


def shown(competition: Competition, part: str, *, section: str = "", first: int = 1) -> Mapping[str, Any]:
    """Return the context of a part. NotThere for one that the competition does not have.

    `section`: of a large bracket, as `bracket_page` knows it. `first`: a place of the page that a long table shows.
    """
    if part not in parts_of(competition):
        raise NotThere
    if part == "bracket":
        drawn = bracket_page(competition, kept(competition), part=section)
        return {"drawn": drawn, "bracket": drawn.drawing if drawn is not None else None}
    if part == "standings":
        found = tables(competition, kept(competition), first=first)
        return {"tables": [table for table in found if table.lines]}
    in_order = ("round__group__stage__ordinal", "round__number", "round__group", "number")
    views = matches.views(competition.matches.order_by(*in_order))
    return {"ahead": _ahead(views), "over": _over(views)}


def _ahead(views: Sequence[MatchView]) -> list[MatchView]:
    """Return the matches under way and the next ones; those without a date come last."""
    open_ones = [view for view in views if not view.is_decided and view.match.state != Match.State.VOID]
    dated = sorted((view for view in open_ones if view.starts_at), key=lambda view: view.starts_at or clock.now())
    return [*dated, *(view for view in open_ones if not view.starts_at)][:LISTED]


def _over(views: Sequence[MatchView]) -> list[MatchView]:
    """Return the latest results, the last one first."""
    decided = [view for view in views if view.is_decided]
    return sorted(decided, key=lambda view: view.match.decided_at or clock.now(), reverse=True)[:LISTED]


@dataclass(frozen=True)
class Seat:
    """A seat as the overlay shows it."""

    name: str
    is_next: bool


@dataclass(frozen=True)
class Team:
    """A side at its table: marbles in heaven or levels, and its seats."""

    score: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Play:
    """The last play that spectators have seen."""

    name: str  # of the player
    card: str  # "" where the game shows no card
    text: str  # in the notation of the rules page


@dataclass(frozen=True)
class Overlay:
    """A match for a stream. `teams`: None before the table's game; `left_ms`: for the decision that runs, or None."""

    view: MatchView
    teams: tuple[Team, ...] | None = None
    play: Play | None = None
    left_ms: int | None = None
    number: int = 0  # of the game


def overlay(slug: str) -> Overlay:
    """Return a match of a public competition as a stream may show it, with the delay of the spectators."""
    view = matches.match_view(slug, None)
    if not is_public(view.match.competition):
        raise NotThere
    table = view.match.table
    if table is None or table.seated_only or view.is_decided or not table.games.exists():
        return Overlay(view)
    return _at_table(view, table)


def _at_table(view: MatchView, table: Table) -> Overlay:
    game = reader.current_game(table.pk)
    upto = reader.shown_to(game, SPECTATOR, now=clock.now_ms())
    state = reader.state_at(game, upto)
    names = [seat.name for seat in seats_of(table.pk)]
    clocks = clocks_json(state)
    runs, due = clocks.get("run"), clocks.get("due")
    scores = ending.score(state)
    teams = tuple(
        Team(
            scores[team],
            tuple(Seat(name, seat == runs) for seat, name in enumerate(names) if state.team(seat) == team),
        )
        for team in range(table.teams)
    )
    # A delayed view shows the clock as it stood at its last play.
    at = clock.now_ms() if table.release == Table.Release.LIVE else state.at
    left = max(0, int(due) - at) if due is not None and state.result is None else None
    return Overlay(view, teams, _last_play(game, upto, names), left, game.number)


def _last_play(game: Game, upto: int, names: Sequence[str]) -> Play | None:
    """Return the last play among the last rows that are released; None where there is none."""
    if upto < 2:
        return None
    for each in reversed(list(told(reader.steps_between(game, max(1, upto - 12), upto)))):
        event = each.event(SPECTATOR)
        if event["k"] == "play" and "play" in event["d"] and "seat" in event["d"]:  # a deal is a play of nobody
            text = str(event["d"]["play"])
            pile = event.get("set", {}).get("pile")
            return Play(names[int(event["d"]["seat"])], str(pile) if pile else "", text)
    return None
