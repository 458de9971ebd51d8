"""The choices of a ruling's form: the rows of the table in force with each player's penalty, and the measures."""

from dataclasses import dataclass

from games.models import Seating
from tock_league.accounts.models import Player

from ...core.penalties import HEAD_ONLY
from ...models import Case
from ...permissions import heads
from ..cases.words import in_language
from .context import ground


@dataclass(frozen=True)
class PlayerOption:
    """A player of the match; `side`: its name; `seat`: None for a player of the roster who does not sit there."""

    id: int
    name: str
    side: str
    position: int
    seat: int | None


@dataclass(frozen=True)
class Standard:
    """The table's penalty for a player now. `step`: 1 first; `earlier`: findings counted; penalty and maximum."""

    step: int
    earlier: int
    penalty: str
    label: str
    up_to: str


@dataclass(frozen=True)
class RowOption:
    """A row of the table in force. `standards`: by player's id."""

    code: str
    infraction: str
    remedy: str
    remedies: tuple[str, ...]
    standards: dict[int, Standard]


@dataclass(frozen=True)
class RuleOptions:
    """`penalties`: (code, name); `head_only`: which of them only a head referee signs; `sides`: (position, name); `games`:

    numbers of those with a result; `rewinds`: seqs to which play may be taken back, the latest first; `panel`: the form of
    an appeal's panel; `remedies`: the measures of the table in force, which is that of the family `game`.
    """

    version: str
    rows: tuple[RowOption, ...]
    players: tuple[PlayerOption, ...]
    penalties: tuple[tuple[str, str], ...]
    head_only: frozenset[str]
    sides: tuple[tuple[int, str], ...]
    games: tuple[int, ...]
    head: bool
    running: bool
    rewinds: tuple[int, ...]
    panel: bool
    remedies: tuple[str, ...]
    game: str


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
        rows.append(RowOption(row.code, in_language(row.infraction), in_language(row.remedy), row.remedies, standards))
    panel = case.state == "deliberating"
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
        rewinds=tuple(sorted(place.rewinds, reverse=True)),
        panel=panel,
    )
