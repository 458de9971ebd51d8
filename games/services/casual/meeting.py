"""Begin a casual table's game, leave it to a bot, and play again."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from games.models import Seating, Table
from games.permissions import Person
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ..tables import close
from .room import Room, begin_in, locked
from .seating import add_bot, keep_by_bot, take_part_again

SEATS_AGAIN = ("same", "sides", "partners")


def begin(code: str, *, by: Person, fill: bool = False) -> None:
    """Begin the game of a table whose seats are all held; `fill`: bots take the empty ones. Idempotent while it runs.

    Raises NotAllowed for those who do not sit here, Refused: `empty_seats`, `rated_bot`, `three_seats`.
    """
    with writing():
        room = locked(code)
        room.must_sit(by)
        if room.running:
            return
        if room.table.state == Table.State.FINISHED:
            take_part_again(room, by)
        if fill:
            for seat in range(room.table.seats):
                if seat not in room.seatings:
                    add_bot(room, seat)
        begin_in(room)


def leave(code: str, *, by: Person) -> None:
    """Let a bot play on for `by`, who may come back while it keeps the seat. With the last person the table closes.

    Raises NotAllowed for those who do not sit here, Refused: `rated_bot`, `not_running`.
    """
    with writing():
        room = locked(code)
        own = room.must_sit(by)
        if not room.running:
            raise Refused("not_running", _("No game runs: stand up instead."), status=409)
        if all(seating.bot or seating.seat == own.seat for seating in room.seatings.values()):
            close(room.table)
            return
        keep_by_bot(room, own)


def again(code: str, *, by: Person, seats: str = "same") -> None:
    """Play again at a table whose game is over: with the same seats, with the other side's, or with other partners.

    The first one who asks decides; the others find the game begun. Who has stood up or sits at three other tables is
    missing: the table then waits. Raises NotAllowed for those who do not sit here, Refused: `seats`, `not_over`,
    `three_seats`.
    """
    if seats not in SEATS_AGAIN:
        raise Refused("seats", _("There is no such order of the seats."), field="seats")
    with writing():
        room = locked(code)
        room.must_sit(by)
        if room.running or room.table.state == Table.State.OPEN:
            return
        if room.game is None or room.table.state != Table.State.FINISHED:
            raise Refused("not_over", _("The game is not over yet."), status=409)
        take_part_again(room, by)
        room.table.state = Table.State.OPEN
        room.table.save(update_fields=["state", "updated_at"])
        _move(room, _order(room.table, seats))
        if room.is_full:
            begin_in(room)
        room.seats_changed()


def _order(table: Table, seats: str) -> Mapping[int, int]:
    """Return by seat the seat that its holder gets."""
    count = table.seats
    if seats == "sides":  # everybody one seat on: the same partners, on the other side
        return {seat: (seat + 1) % count for seat in range(count)}
    if seats == "partners" and table.teams < count:  # the first stays: three games bring three partners at four seats
        return {0: 0} | {seat: seat % (count - 1) + 1 for seat in range(1, count)}
    return {seat: seat for seat in range(count)}


def _move(room: Room, order: Mapping[int, int]) -> None:
    if all(seat == to for seat, to in order.items()):
        return
    held = list(room.seatings.values())
    Seating.objects.filter(table=room.table).delete()
    for seating in held:
        seating.pk, seating.seat = None, order[seating.seat]
    room.seatings = {seating.seat: seating for seating in Seating.objects.bulk_create(held)}
