"""Who holds which seat. Seats are read from the database for every command; a frame never says who somebody is."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from games.models import Seating
from tock_league.common import clock

GUEST_KEY = "table_guest"  # the session key for the key of a guest's seats


@dataclass(frozen=True, slots=True)
class Person:
    """The person who asks: a player, a guest by the key in the session, a built-in bot, or an anonymous visitor."""

    player_id: int | None = None
    guest_key: str = ""
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
    """A login as the database has it: the end of its session (None: it is gone), and the user's current state."""

    @property
    def ends(self) -> datetime | None: ...

    @property
    def active(self) -> bool: ...

    @property
    def password(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Login:
    """The credentials of a socket or a request: the session, the user signed in there, a fingerprint of the password
    then.

    A guest only has a session; a visitor without a session has nothing that could end.
    """

    session_key: str = ""
    user_id: int | None = None
    mark: str = ""

    def stands(self, row: LoginRow) -> bool:
        """Return whether the login still holds: no sign-out, expiry, new password, or deactivated account."""
        if self.session_key and (row.ends is None or row.ends <= clock.now()):
            return False
        return self.user_id is None or (row.active and mark_of(row.password) == self.mark)


def mark_of(password: str) -> str:
    """Return a fingerprint of a stored password, which changes with the password and reveals nothing about it."""
    return hashlib.blake2b(password.encode(), digest_size=16).hexdigest()


REFEREES = ("referee", "head_referee")  # roles at a table, given by its competition

NOBODY = Person()
BOT = Person(bot=True)


def holds(seating: Holder, person: Person) -> bool:
    """Return whether `person` may act on this seat. A seat that a bot plays belongs to the bot, whoever's name is on
    it.
    """
    if seating.bot:
        return person.bot
    if person.bot:
        return False
    if seating.player_id is not None:
        return seating.player_id == person.player_id
    return bool(seating.guest_key) and seating.guest_key == person.guest_key


def seat_of(table_id: int, person: Person) -> int | None:
    """Return the seat that `person` holds at the table, or None for a spectator."""
    if person.bot or (person.player_id is None and not person.guest_key):
        return None
    for seating in Seating.objects.filter(table_id=table_id):
        if holds(seating, person):
            return seating.seat
    return None
