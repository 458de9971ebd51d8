"""The round that a hall plays, and what a wall shows of the event."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.names import by_alphabet
from tock_league.competitions.models import Competition, Match, Side
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rankings.kept.shown import TableView, tables
from tock_league.competitions.selectors.rounds import brackets
from tock_league.competitions.selectors.rounds.brackets import BracketView, NodeView
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.selectors.seasons import calendars
from tock_league.competitions.selectors.seasons.calendars import RoundView

WITHOUT_MATCH = (Side.Kind.PAIRING_BYE, Side.Kind.REQUESTED_BYE, Side.Kind.REST)
LATEST = 16  # results of a screen
ROWS, COLUMNS = 4, 3  # matches of the first column of a page of the bracket, columns of a page


@dataclass(frozen=True)
class NameLine:
    """A team and where it plays. `table`: "" where the match has no table yet; `note`: why there is no match, or ""."""

    name: str
    table: str
    note: str = ""
    room: str = ""


@dataclass(frozen=True)
class Shown:
    """What a wall shows of an event. `round`: None before the draw."""

    round: RoundView | None
    names: tuple[NameLine, ...] = ()
    tables: tuple[MatchView, ...] = ()
    standings: tuple[TableView, ...] = ()
    bracket: tuple["BracketPart", ...] = ()
    results: tuple[MatchView, ...] = ()


@dataclass(frozen=True)
class BracketPart:
    """A page of the bracket: up to three rounds beside each other, few enough for large letters."""

    columns: tuple["PartColumn", ...]


@dataclass(frozen=True)
class PartColumn:
    title: str
    nodes: tuple[NodeView, ...]


def shown(competition: Competition, viewer: Player | None) -> Shown:
    """Return all that a wall can show of the event. A constant number of queries: the matches are read once."""
    rounds = calendars.rounds(competition, viewer)
    now = calendars.current_round(rounds)
    if now is None:
        return Shown(None)
    views = [view for made in rounds for view in made.matches]
    drawing = brackets.of_tournament(views)
    return Shown(
        round=now,
        names=names_of(now),
        tables=tuple(sorted(playing(now), key=_by_table)),
        standings=tuple(table for table in tables(competition, kept(competition)) if table.lines),
        bracket=tuple(parts(drawing)) if drawing is not None else (),
        results=latest(views),
    )


def playing(made: RoundView) -> list[MatchView]:
    """Return the matches of a round that somebody has to find: with both sides known, and not void."""
    known = [view for view in made.matches if all(side.entry_id is not None for side in view.sides)]
    return [view for view in known if view.match.state != Match.State.VOID]


def names_of(made: RoundView) -> tuple[NameLine, ...]:
    """Return a line for each team of a round by the alphabet, also for those without a match. One query."""
    lines = [NameLine(side.name, _table(view), room=room_of(view)) for view in playing(made) for side in view.sides]
    resting = Side.objects.filter(round__in={view.match.round_id for view in made.matches}, kind__in=WITHOUT_MATCH)
    free = pgettext("a round", "bye")
    lines += [NameLine(str(side.entry), "", free) for side in resting.select_related("entry__team", "entry__player")]
    return tuple(sorted(lines, key=lambda line: by_alphabet(line.name)))


def latest(views: Sequence[MatchView]) -> tuple[MatchView, ...]:
    """Return the newest results, the last one first."""
    decided = [view for view in views if view.is_decided]
    return tuple(sorted(decided, key=lambda view: view.match.decided_at or clock.now(), reverse=True)[:LATEST])


def parts(drawing: BracketView) -> list[BracketPart]:
    """Return the bracket page by page, from the round under way on: four matches and the two rounds that they lead to.

    What is decided before it is left out: a wall shows what comes.
    """
    columns = [(column.title, list(column.nodes)) for column in drawing.columns]
    first = next((i for i, (_t, nodes) in enumerate(columns) if not all(n.view.is_decided for n in nodes)), -1)
    # Of a bracket that is over, the last rounds.
    first = first if first >= 0 else max(0, len(columns) - COLUMNS)
    made = []
    while first < len(columns):
        made += _pages(columns[first : first + COLUMNS])
        if len(columns[first][1]) <= ROWS and first + COLUMNS >= len(columns):
            break
        first += COLUMNS - 1 if first + COLUMNS <= len(columns) else COLUMNS
    return made


def _pages(columns: Sequence[tuple[str, list[NodeView]]]) -> list[BracketPart]:
    """Return the pages of two or three rounds: each begins with at most four matches."""
    title, nodes = columns[0]
    made = []
    for place in range(0, len(nodes), ROWS):
        here = nodes[place : place + ROWS]
        page = [PartColumn(title, tuple(here))]
        whole = len(nodes) <= ROWS  # then the later rounds are shown whole, also the match for third place
        for later_title, later in columns[1:]:
            ahead = {node.leads_to for node in page[-1].nodes}
            found = later if whole else [node for node in later if node.number in ahead]
            if found:
                page.append(PartColumn(later_title, tuple(found)))
        made.append(BracketPart(tuple(page)))
    return made


def room_of(view: MatchView) -> str:
    """Return the room of a match's table, "" where events know of none."""
    return str(getattr(view.match, "room", ""))


def _table(view: MatchView) -> str:
    return str(view.match.table_no) if view.match.table_no is not None else ""


def _by_table(view: MatchView) -> tuple[bool, int, int]:
    return view.match.table_no is None, view.match.table_no or 0, view.match.number
