"""What referees, and readers of a case, may read of a table."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from games import store
from games.fold import SPECTATOR, Freeze, Row, rewind_target
from games.models import Game, Seating, SeatView, TableRole
from games.permissions import REFEREES
from tock_league.accounts.permissions import usable
from tock_league.common import clock

from .plays import cards_in, numbering

# Acts that contain no hidden card.
_LOGGED = (
    "touch",
    "timeout",
    "dispute",
    "freeze",
    "hold",
    "free",
    "mark",
    "resume",
    "penalty",
    "warning",
    "adjust",
    "rewind",
    "credit",
    "forfeit",
    "resign",
    "seat_view",
)


@dataclass(frozen=True, slots=True)
class SeatViewed:
    """A referee was shown a hand."""

    seat: int  # whose hand
    seq: int  # after this row
    at: int  # milliseconds since 1970


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What one rewind would take back. The numbers are those of the replay (`selectors.plays`)."""

    to: int  # the seq that the rewind names
    first: int  # the number of the first play taken back; of the play to come when `first` is after `last`
    last: int  # the number of the last play; before `first` when only what was laid or touched is taken back
    seat: int | None  # who made the first play, or is about to
    cards: tuple[str, ...]  # the cards that everybody saw it lay


def on_duty(table_id: int) -> bool:
    """Return whether the table has a referee who can be called. One query.

    A referee who lacks the second factor that the role needs does not count, here and below.
    """
    return _roles(table_id).exists()


def referees(table_id: int) -> Mapping[int, int | None]:
    """Return the table's referees by player id, with the seat whose hand each may see now, or None. Three queries.

    People who hold a seat are left out: nobody referees their own table.
    """
    seated = set(Seating.objects.filter(table_id=table_id, player__isnull=False).values_list("player_id", flat=True))
    sees = dict(
        SeatView.objects.filter(game__table_id=table_id, ended_at__isnull=True, until__gt=clock.now())
        .exclude(game__state=Game.State.OVER)
        .values_list("player_id", "seat")
    )
    players = set(_roles(table_id).values_list("player_id", flat=True)) - seated
    return {player: sees.get(player) for player in players}


def _roles(table_id: int) -> QuerySet[TableRole]:
    return TableRole.objects.filter(usable("role"), table_id=table_id, role__in=REFEREES)


def rewindable(game: Game) -> list[int]:
    """Return the seqs to which a rewind may lead now, the latest first.

    A rewind to the current decision only takes its touches back.
    """
    state = store.current(game)
    found = [state.decision, *(table.decision for table in reversed(state.back))]
    return [seq for seq in found if rewind_target(state, seq) is not None]


def take_backs(game: Game) -> list[TakeBack]:
    """Return what the possible rewinds would take back, the latest first.

    The current decision is one of them only while its seat has laid or touched something.
    """
    state, numbers = store.current(game), numbering(game)
    rows = {row.seq: row for row in store.rows_of(game)}
    found = []
    for to in rewindable(game):
        first, last = numbers.upto(to) + 1, len(numbers.seqs)
        if first <= last:
            row = rows[numbers.seqs[first - 1]]
            cards = cards_in(state.setup.family.line(row, SPECTATOR, state.setup))
            found.append(TakeBack(to, first, last, row.body.get("seat"), cards))
        elif state.touch:
            found.append(TakeBack(to, first, last, min(state.to_act, default=None), ()))
    return found


def frozen(game: Game) -> Freeze | None:
    """Return why and how the game waits, or None while it is played."""
    return store.current(game).frozen


def seat_views(game: Game) -> list[SeatViewed]:
    """Return which hands were shown to referees in the game, in order; for use after its end. One query."""
    found = [row for row in store.rows_of(game) if row.code == "seat_view"]
    return [SeatViewed(row.body["seat"], row.seq, row.at) for row in found]


def log(game: Game) -> list[Row]:
    """Return the acts of touches, clocks, calls and rulings, in order, for a case file; they contain no hidden card."""
    return [row for row in store.rows_of(game) if row.code in _LOGGED]
