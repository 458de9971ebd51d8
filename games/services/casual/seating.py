"""Take, change and leave the seats of a casual table; let bots keep them."""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import bots
from games.models import HeldSeat, Seating, Table
from games.models.table import GUEST_NAME_LENGTH
from games.permissions import Person, holds, rows_of
from games.selectors.casual import is_away
from tock_league.accounts import blocks
from tock_league.accounts.minors import require_consent
from tock_league.accounts.models import BOT_ACCOUNT, Player
from tock_league.common import clock
from tock_league.common.alone import in_turn
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.names import checked_name, is_marked, plain_look_of
from tock_league.common.transactions import writing

from .inviting import take_back
from .room import Room, begin_in, locked

MOST_SEATS = 3  # at casual tables that are open or running
MARKUP = frozenset("<>&\"'`{}\\/")


def sit(code: str, seat: int, *, by: Person, name: str = "") -> None:
    """Give `by` the seat: an empty one, or one that a bot keeps. Who sits elsewhere at a table that waits moves there.

    `name`: of a guest. Idempotent. Raises Refused: `no_seat`, `taken`, `seated` (no move during a game), `other_seat` (has
    seen another hand of this game), `three_seats`, `guest_name`, `rated_guest`, `apart` (somebody here has blocked
    `by`, or is blocked), and those of `locked`. Who takes the last seat of a table that waits for anybody begins its game.
    """
    with writing():
        room = locked(code)
        is_new = room.seat_of(by) is None
        place(room, seat, by, name)
        waits = room.casual.quick and room.table.state == Table.State.OPEN and not room.running
        if is_new and waits and room.is_full:
            begin_in(room)


def place(room: Room, seat: int, by: Person, name: str = "") -> None:
    """Do what `sit` says at a locked table."""
    if not 0 <= seat < room.table.seats:
        raise Refused("no_seat", _("This table has no such seat."), field="seat")
    own, held = room.seat_of(by), room.seatings.get(seat)
    if own is not None and own.seat == seat:
        return
    if held is not None and not held.bot:
        raise Refused("taken", _("Somebody else sits there. Choose another seat."), field="seat", status=409)
    if room.running and own is not None:
        raise Refused("seated", _("You have a seat in this game. Change it after the game."), field="seat", status=409)
    if own is None:
        _may_enter(room, by)
    name = own.guest_name if own is not None else _named(room, by, name)
    if room.running:
        _sees_no_second_hand(room, seat, by)
    if own is not None:
        own.delete()
        del room.seatings[own.seat]
    seating = held or Seating(table=room.table, seat=seat)
    seating.bot, seating.player_id, seating.seen_at = "", by.player_id, clock.now()
    seating.guest_key = "" if by.player_id is not None else by.guest_key
    seating.guest_name = name
    seating.save()
    room.seatings[seat] = seating
    if by.player_id is not None:
        take_back(room.casual.invitations.filter(player=by.player_id))
    if room.running:
        room.note_held(seating)
    room.seats_changed()


def stand(code: str, *, by: Person) -> None:
    """Free the seat of `by` while no game runs. Idempotent. Raises Refused `running`."""
    with writing():
        room = locked(code)
        own = room.seat_of(by)
        if own is None:
            return
        if room.running:
            raise Refused("running", _("The game has begun. Let a bot play on for you, or resign."), status=409)
        _vacate(room, own)


def free(code: str, seat: int, *, by: Person) -> None:
    """Take the seat from somebody who has been away for two minutes: it is empty, or in a game a bot plays on.

    The person can come back to the seat while a bot keeps it. Raises NotAllowed for those who do not sit here, Refused:
    `not_away`, `rated_bot` (in a rated game the clock decides).
    """
    with writing():
        room = locked(code)
        room.must_sit(by)
        held = room.seatings.get(seat)
        if held is None:
            return
        if not is_away(held):
            raise Refused("not_away", _("This person is here, or was a moment ago."), field="seat", status=409)
        if room.running:
            keep_by_bot(room, held)
        else:
            _vacate(room, held)


def put_bot(code: str, seat: int, *, by: Person) -> None:
    """Let a bot take an empty seat. Raises NotAllowed, Refused: `no_seat`, `taken`, `rated_bot`, `level`."""
    with writing():
        room = locked(code)
        room.must_sit(by)
        if not 0 <= seat < room.table.seats:
            raise Refused("no_seat", _("This table has no such seat."), field="seat")
        if seat in room.seatings:
            if room.seatings[seat].bot:
                return
            raise Refused("taken", _("Somebody else sits there. Choose another seat."), field="seat", status=409)
        add_bot(room, seat)
        room.seats_changed()


def remove_bot(code: str, seat: int, *, by: Person) -> None:
    """Take a bot from a seat of a table that waits. Idempotent. Raises NotAllowed, Refused `running`."""
    with writing():
        room = locked(code)
        room.must_sit(by)
        held = room.seatings.get(seat)
        if held is None or not held.bot:
            return
        if room.running:
            raise Refused("running", _("In a game a bot leaves its seat only for a person."), status=409)
        _vacate(room, held)


def add_bot(room: Room, seat: int) -> None:
    """Give an empty seat to a bot of the table's level. Raises Refused: `rated_bot`, `level`."""
    _takes_bots(room.table)
    level = room.casual.level
    if level not in bots.levels(room.table.rules):
        raise Refused("level", _("No bot of this level plays this game; choose another one."), field="level")
    room.seatings[seat] = Seating.objects.create(table=room.table, seat=seat, bot=level)


def keep_by_bot(room: Room, held: Seating) -> None:
    """Let a bot play on for the person on this seat. Raises Refused `rated_bot`."""
    _takes_bots(room.table)
    held.bot, held.player, held.guest_key, held.guest_name, held.seen_at = room.casual.level, None, "", "", None
    held.save()
    room.seats_changed()


def is_bot_account(by: Person) -> bool:
    """Return whether a program from outside asks, by a bot account. One query."""
    return by.player_id is not None and Player.objects.filter(pk=by.player_id, bot=BOT_ACCOUNT).exists()


def _takes_bots(table: Table) -> None:
    if not table.bots_allowed:
        raise Refused("rated_bot", _("No bot plays at a rated table."), field="seat")


def _vacate(room: Room, held: Seating) -> None:
    held.delete()
    del room.seatings[held.seat]
    room.seats_changed()


def _may_enter(room: Room, by: Person) -> None:
    if by.player_id is None and not by.guest_key:
        raise NotAllowed(_("This browser keeps no cookie, so it could not keep a seat."))
    if room.table.rated:
        if by.player_id is None:
            raise Refused("rated_guest", _("This game is rated: sign in to sit down."), field="seat")
        if is_bot_account(by):
            _takes_bots(room.table)
        require_consent(by.player_id, field="seat")
    if is_apart(room, by):
        raise Refused("apart", blocks.APART, field="seat", status=403)
    _hold_seats_of(by)
    if seats_held(by) >= MOST_SEATS:
        raise _three_seats()


def _hold_seats_of(person: Person) -> None:
    """Keep the number of the person's seats as it is until the transaction ends."""
    in_turn(f"casual seats of {person.player_id or person.guest_key}")


def _three_seats() -> Refused:
    sentence = _("You already have three seats at tables. Leave one of them first.")
    return Refused("three_seats", sentence, field="seat", status=409)


def take_part_again(room: Room, by: Person) -> None:
    """Let the people of a finished table go on there; the seat of somebody who now sits at three others becomes empty.

    Raises Refused `three_seats` if that is `by`. A finished table counts for nobody, so the limit is asked for anew.
    """
    people = [(Person(one.player_id, one.guest_key), one) for one in room.seatings.values() if not one.bot]
    for person, seating in sorted(people, key=lambda pair: str(pair[0].player_id or pair[0].guest_key)):
        _hold_seats_of(person)
        mine = holds(seating, by)
        if seats_held(by if mine else person) < MOST_SEATS:
            continue
        if mine:
            raise _three_seats()
        seating.delete()
        del room.seatings[seating.seat]


def is_apart(room: Room, by: Person) -> bool:
    """Return whether somebody at the table has blocked `by`, or is blocked."""
    if by.player_id is None:
        return False
    here = {seating.player_id for seating in room.seatings.values() if seating.player_id is not None}
    player = Player(pk=by.player_id, bot=BOT_ACCOUNT if is_bot_account(by) else "")
    return bool(here & blocks.apart(player))


def seats_held(by: Person) -> int:
    """Return how many seats the person holds at casual tables that are open or running."""
    tables = Q(table__kind=Table.Kind.CASUAL, table__state__in=[Table.State.OPEN, Table.State.PLAYING])
    return Seating.objects.filter(rows_of(by), tables, bot="").count()


def _named(room: Room, by: Person, name: str) -> str:
    """Return the name of a guest, "" for a player."""
    if by.player_id is not None:
        return ""
    return guest_name(name, besides=[seating.name for seating in room.seatings.values()])


def guest_name(name: str, *, besides: list[str]) -> str:
    """Return a guest's name tidied. Raises Refused on `name`: `guest_name` (missing, too long, markup), `bot_name`, the rules
    of `names.readable`, and `name_taken` when it looks like a member's or one of `besides`.
    """
    name = checked_name(name, field="name")
    if not 2 <= len(name) <= GUEST_NAME_LENGTH or MARKUP & set(name):
        raise Refused(
            "guest_name",
            _("Give a name of 2 to %(most)d letters, digits and spaces.") % {"most": GUEST_NAME_LENGTH},
            field="name",
        )
    look = plain_look_of(name)
    if is_marked(name):
        raise Refused(
            "bot_name", _("Only the name of a bot account ends with “(bot)”. Choose another name."), field="name"
        )
    if look in map(plain_look_of, filter(None, besides)) or Player.objects.filter(look=look).exists():
        raise Refused(
            "name_taken", _("A member or somebody at this table has that name. Choose another one."), field="name"
        )
    return name


def _sees_no_second_hand(room: Room, seat: int, by: Person) -> None:
    if HeldSeat.objects.filter(rows_of(by), game=room.game).exclude(seat=seat).exists():
        raise Refused(
            "other_seat", _("You have held another seat in this game, so you know its hand. Wait for the next game."),
            field="seat", status=409,
        )  # fmt: skip
