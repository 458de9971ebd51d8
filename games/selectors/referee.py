"""What referees, and readers of a case, may read of a table."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from games import store
from games.fold import Freeze, Row, rewind_target
from games.models import Game, GameEvent, Seating, SeatView, TableRole
from games.permissions import REFEREES
from tock_league.common import clock

# Acts that contain no hidden card.
_LOGGED = (
    "touch",
    "timeout",
    "dispute",
    "freeze",
    "hold",
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


def on_duty(table_id: int) -> bool:
    """Return whether the table has a referee who can be called. One query."""
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
    return TableRole.objects.filter(table_id=table_id, role__in=REFEREES)


def rewindable(game: Game) -> list[int]:
    """Return the seqs to which a rewind may lead now, the latest first.

    A rewind to the current decision only takes its touches back.
    """
    state = store.current(game)
    found = [state.decision, *(table.decision for table in reversed(state.back))]
    return [seq for seq in found if rewind_target(state, seq) is not None]


def frozen(game: Game) -> Freeze | None:
    """Return why and how the game waits, or None while it is played."""
    return store.current(game).frozen


def seat_views(game: Game) -> list[SeatViewed]:
    """Return which hands were shown to referees in the game, in order; for use after its end. One query."""
    found = GameEvent.objects.filter(game=game, code="seat_view").order_by("seq")
    return [SeatViewed(body["seat"], seq, at) for body, seq, at in found.values_list("body", "seq", "at")]


def log(game: Game) -> list[Row]:
    """Return the acts of touches, clocks, calls and rulings, in order, for a case file; they contain no hidden card."""
    return [row for row in store.load(game.pk) if row.code in _LOGGED]
