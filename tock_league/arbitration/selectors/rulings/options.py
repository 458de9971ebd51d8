"""The choices of a ruling's form: the rows of the table in force with each player's penalty, and the measures."""

from dataclasses import dataclass

from games.models import Seating
from games.selectors.referee import take_backs
from tock_league.accounts.models import Player
from tock_league.competitions.core.caps import Asked
from tock_league.competitions.core.corrections import STAND
from tock_league.competitions.selectors.results.paper import counting_sheet
from tock_league.competitions.selectors.seasons.counting import Counting, asked_of, counting_of

from ...core.penalties import HEAD_ONLY, PenaltyTable
from ...models import Case
from ...permissions import heads
from ..cases.positions import take_back_words
from ..cases.words import in_language
from .context import ground


@dataclass(frozen=True)
class PlayerOption:
    """A player of the match."""

    id: int
    name: str
    side: str  # the name of the side
    position: int
    seat: int | None  # None for a player of the roster who does not sit at the table


@dataclass(frozen=True)
class Standard:
    """The penalty that the table gives a player now."""

    step: int  # 1 for the first finding
    earlier: int  # how many earlier findings are counted
    penalty: str  # its code
    label: str
    up_to: str  # the name of the most severe penalty allowed, or ""


@dataclass(frozen=True)
class RowOption:
    """A row of the table in force."""

    code: str
    infraction: str
    remedy: str
    remedies: tuple[str, ...]
    due: tuple[str, ...]  # the measures that a finding demands while the game runs
    standards: dict[int, Standard]  # by player's id


@dataclass(frozen=True)
class RewindOption:
    """A decision to which play may be taken back."""

    to: int  # its seq
    label: str  # which plays that takes back


@dataclass(frozen=True)
class SheetOptions:
    """How a score on paper is typed."""

    best_of: int
    asked: Asked
    counting: Counting
    games: tuple[tuple[int | None, ...], ...]  # that stand now, as the competition's core.sheets stores them


@dataclass(frozen=True)
class RuleOptions:
    """The choices in the form of a ruling."""

    version: str  # of the penalty table in force
    rows: tuple[RowOption, ...]
    players: tuple[PlayerOption, ...]
    penalties: tuple[tuple[str, str], ...]  # (code, name)
    head_only: frozenset[str]  # those that only a head referee signs
    sides: tuple[tuple[int, str], ...]  # (position, name)
    games: tuple[int, ...]  # the numbers of those with a result
    head: bool  # whether the viewer signs as head referee or for a panel
    running: bool
    rewinds: tuple[RewindOption, ...]  # the latest first
    panel: bool  # whether it is the form of an appeal's panel
    remedies: tuple[str, ...]  # the measures of the table in force
    game: str  # the family of games of that table
    kind: str  # of the case
    row: str  # the row that bears the name of the case's kind, or ""
    entered: bool  # whether the case is about a result that people entered
    on_paper: bool  # whether the competition takes scores on paper
    sheet: SheetOptions | None  # how a corrected score is typed; None where none can be
    later_stands: bool  # whether the regulations let later matches of a bracket stand that have begun
    no_burn: str  # why a finding of talking burns no card: "over", "game" (it has no burns), or ""


def options(case: Case, viewer: Player | None) -> RuleOptions:
    """Return the choices of `viewer` in the form of a ruling of `case`."""
    place = ground(case)
    people = Player.objects.in_bulk([pk for side in place.sides for pk in side])
    seats = dict(Seating.objects.filter(table=case.match.table_id).values_list("player", "seat"))
    entries = {
        side.position: side.entry for side in case.match.side_rows.select_related("entry__team", "entry__player")
    }
    names = [str(entries.get(position) or "—") for position in range(len(place.sides))]
    players = tuple(
        PlayerOption(pk, people[pk].display_name, names[position], position, seats.get(pk))
        for position, side in enumerate(place.sides)
        for pk in sorted(side, key=lambda pk: (seats.get(pk, 99), people[pk].display_name))
    )
    table = place.table
    rows = []
    for row in table.rows:
        standards = {}
        for player in players:
            number, earlier = place.step(row, player.id)
            step = row.steps[number - 1]
            label = in_language(table.penalties[step.penalty])
            up_to = in_language(table.penalties[step.up_to]) if step.up_to else ""
            standards[player.id] = Standard(number, earlier, step.penalty, label, up_to)
        rows.append(
            RowOption(row.code, in_language(row.infraction), in_language(row.remedy), row.remedies, row.due, standards)
        )
    panel = case.state == "deliberating"
    backs = take_backs(case.game) if place.running and case.game is not None else []
    at_seat = {player.seat: player.name for player in players if player.seat is not None}
    return RuleOptions(
        version=table.version,
        rows=tuple(rows),
        players=players,
        penalties=tuple((code, in_language(words)) for code, words in table.penalties.items()),
        remedies=table.remedies,
        game=table.game,
        head_only=HEAD_ONLY,
        sides=tuple(enumerate(names)),
        games=tuple(sorted(place.played)),
        head=panel or (viewer is not None and heads(viewer, case.competition)),
        running=place.running,
        rewinds=tuple(RewindOption(one.to, take_back_words(one, at_seat)) for one in backs),
        panel=panel,
        kind=str(case.kind),
        row=next((row.code for row in rows if row.code == case.kind), ""),
        entered=place.entered,
        on_paper=place.on_paper,
        sheet=_sheet(case) if place.entered and place.on_paper else None,
        later_stands=place.entered and case.competition.regulations.later == STAND,
        no_burn=_no_burn(table, running=place.running),
    )


def _sheet(case: Case) -> SheetOptions:
    match = case.match
    return SheetOptions(
        best_of=match.best_of,
        asked=asked_of(match),
        counting=counting_of(case.competition.rules),
        games=tuple(counting_sheet(match) or ()),
    )


def _no_burn(table: PenaltyTable, *, running: bool) -> str:
    if not any(row.due for row in table.rows):
        return "game"
    return "" if running else "over"
