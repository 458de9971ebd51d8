"""A casual table with its seats, locked: what the other modules of this package decide on."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games import store
from games.announcements import PlaysRecorded
from games.models import CasualTable, Game, HeldSeat, Seating, Table
from games.permissions import Person, holds
from tock_league.common import bus
from tock_league.common.alone import in_turn
from tock_league.common.errors import NotAllowed, NotThere, Refused

from ..record import index
from ..tables import new_game


@dataclass
class Room:
    """A casual table whose rows are locked; the game first, as in the lock order of commands."""

    casual: CasualTable
    table: Table
    game: Game | None  # the last one
    seatings: dict[int, Seating]

    @property
    def running(self) -> bool:
        """Whether a game has begun that is not over."""
        return self.game is not None and self.game.state != Game.State.OVER

    @property
    def is_full(self) -> bool:
        return len(self.seatings) == self.table.seats

    def seat_of(self, person: Person) -> Seating | None:
        """Return the seat that the person holds."""
        return next((seating for seating in self.seatings.values() if holds(seating, person)), None)

    def must_sit(self, person: Person) -> Seating:
        """Return the person's seat. Raises NotAllowed for those who have none."""
        found = self.seat_of(person)
        if found is None:
            raise NotAllowed(_("Only those who sit at this table can do this."))
        return found

    def seats_changed(self) -> None:
        """Let the game's bots act or rest as the seats are now, and tell every page at the table."""
        if self.game is None:
            return
        if self.running:
            bots = [seat for seat, seating in self.seatings.items() if seating.bot]
            index(self.game, store.current(self.game), bots)
            self.game.save()
        bus.publish(PlaysRecorded(table_id=self.table.pk, game_id=self.game.pk, seq=self.game.last_seq))

    def note_held(self, seating: Seating) -> None:
        """Remember who sees this seat's hands in the running game."""
        assert self.game is not None
        if seating.player is not None or seating.guest_key:
            HeldSeat.objects.get_or_create(
                game=self.game, player=seating.player, guest_key=seating.guest_key, defaults={"seat": seating.seat}
            )


def begin_in(room: Room) -> None:
    """Open the next game of a locked table that is full, and bind each person to the seat until it is over."""
    if not room.is_full:
        raise Refused("empty_seats", _("A seat is still empty. Wait for somebody, or let a bot sit there."), status=409)
    if room.table.state != Table.State.OPEN:
        room.table.state = Table.State.OPEN
        room.table.save(update_fields=["state", "updated_at"])
    room.game = new_game(room.table)
    for seating in room.seatings.values():
        room.note_held(seating)


def take_turn(casual: CasualTable) -> None:
    """Wait until nobody else decides about this table, and keep the others waiting until the transaction ends.

    The rows are not enough: a game that another person opens meanwhile has no row yet that could be locked.
    """
    in_turn(f"casual table {casual.pk}")


def locked(code: str) -> Room:
    """Lock the casual table with this code and return it; call it inside `writing()`. Raises NotThere, and Refused
    `closed`.
    """
    casual = CasualTable.objects.filter(code=code.lower()).first()
    if casual is None:
        raise NotThere(_("There is no table with this code."))
    take_turn(casual)
    game = Game.objects.select_for_update().filter(table=casual.table_id).order_by("-number").first()
    table = Table.objects.select_for_update().get(pk=casual.table_id)
    if table.state == Table.State.CLOSED:
        raise Refused("closed", _("This table is closed: its people have left. Open another one."), status=409)
    if game is not None:
        game.table = table
    seatings = {seating.seat: seating for seating in Seating.objects.select_for_update().filter(table=table)}
    return Room(casual, table, game, seatings)
