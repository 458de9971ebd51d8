"""Who holds which seat. Seats are read from the database for every command; no frame names the sender."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.db.models import Q

from games.models import Game, HeldSeat, Seating, Table
from tock_league.accounts.sessions import GUEST_KEY
from tock_league.common import clock


@dataclass(frozen=True, slots=True)
class Person:
    """The person who asks: a player, a guest, a built-in bot, or (with default values only) an anonymous visitor."""

    player_id: int | None = None
    guest_key: str = ""  # from the session
    bot: bool = False


def person_of(user: Any, session: Any) -> Person:
    """Return the person with this login and session, either of which may be missing. Reads the database."""
    guest_key = str(session.get(GUEST_KEY, "")) if session is not None else ""
    player = getattr(user, "player", None) if user is not None and user.is_authenticated else None
    return Person(player_id=player.pk if player is not None else None, guest_key=guest_key)


class Holder(Protocol):
    """A seat's holder: a `Seating`, or its columns."""

    @property
    def player_id(self) -> int | None: ...

    @property
    def guest_key(self) -> str: ...

    @property
    def bot(self) -> str: ...


class LoginRow(Protocol):
    """The current state of a login in the database."""

    # when its session or token expires; None: there is none, or it was revoked
    @property
    def ends(self) -> datetime | None: ...

    # whether the user exists and is active
    @property
    def active(self) -> bool: ...

    # as stored, hashed
    @property
    def password(self) -> str: ...

    # who plays by the user's name
    @property
    def player_id(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Login:
    """The credentials of a socket or a request: a session or an access token. That of a visitor without either never ends."""

    session_key: str = ""
    user_id: int | None = None  # None for a guest, who only has a session
    mark: str = ""  # `mark_of` the user's password at that time
    player_id: int | None = None  # the user's player at that time
    token_id: int | None = None  # of the access token, in place of a session

    def stands(self, row: LoginRow) -> bool:
        """Return whether the login is still valid: no sign-out, revocation, expiry, new password, deactivated account, or
        other player.
        """
        if (self.session_key or self.token_id is not None) and (row.ends is None or row.ends <= clock.now()):
            return False
        if self.user_id is None:
            return True
        return row.active and row.player_id == self.player_id and mark_of(row.password) == self.mark


def mark_of(password: str) -> str:
    """Return a fingerprint of a stored password, which changes with the password and reveals nothing about it."""
    return hashlib.blake2b(password.encode(), digest_size=16).hexdigest()


REFEREES = ("referee", "head_referee")  # roles at a table, given by its competition

NOBODY = Person()
BOT = Person(bot=True)


def holds(seating: Holder, person: Person) -> bool:
    """Return whether `person` may act on this seat. If a bot plays the seat, only the bot may, even if a player is
    entered.
    """
    if seating.bot:
        return person.bot
    if person.bot:
        return False
    if seating.player_id is not None:
        return seating.player_id == person.player_id
    return bool(seating.guest_key) and seating.guest_key == person.guest_key


def may_see(table: Table, person: Person) -> bool:
    """Return whether `person` may see the table: everybody, or only those who hold a seat."""
    return not table.seated_only or seat_of(table.pk, person) is not None


def may_see_game(game: Game, person: Person) -> bool:
    """Return whether `person` may see the record of a game: everybody, or only those who hold its seats, and once it is
    over those who have held one. Somebody who sits down later has not played it.
    """
    if not game.table.seated_only:
        return True
    if game.state == Game.State.OVER:
        return HeldSeat.objects.filter(rows_of(person), game=game).exists()
    return seat_of(game.table_id, person) is not None


def seat_in(game: Game, person: Person) -> int | None:
    """Return the seat that `person` had in the game, or None. At a casual table seats change hands between its games."""
    if game.table.kind != Table.Kind.CASUAL:
        return seat_of(game.table_id, person)
    return HeldSeat.objects.filter(rows_of(person), game=game).values_list("seat", flat=True).first()


def rows_of(person: Person) -> Q:
    """Return the condition for rows of the person, by the login and by what the same browser did as a guest."""
    own = Q(pk__in=())
    if person.player_id is not None:
        own |= Q(player=person.player_id)
    if person.guest_key:
        own |= Q(guest_key=person.guest_key, player__isnull=True)
    return own


def seat_of(table_id: int, person: Person) -> int | None:
    """Return the seat that `person` holds at the table, or None for a spectator."""
    if person.bot or (person.player_id is None and not person.guest_key):
        return None
    for seating in Seating.objects.filter(table_id=table_id):
        if holds(seating, person):
            return seating.seat
    return None
