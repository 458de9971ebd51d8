"""Who may sit where. Seats are read from the database at every command; a frame never says who somebody is."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from games.models import Seating
from tock_league.common import clock

GUEST_KEY = "table_guest"  # where a session keeps the key of a guest's seats


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: a player, a guest by the key in the session, a built-in bot, or nobody in particular."""

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
    """What the database says of a login: until when its session lasts (None: it is gone), and the user's present state."""

    @property
    def ends(self) -> datetime | None: ...

    @property
    def active(self) -> bool: ...

    @property
    def password(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Login:
    """What a socket or a request was let in with: the session, the user signed in there, a mark of the password then.

    A guest has a session only; a visitor without a session has nothing that could end.
    """

    session_key: str = ""
    user_id: int | None = None
    mark: str = ""

    def stands(self, row: LoginRow) -> bool:
        """Return whether nothing has ended it: sign-out, expiry, another password, an account switched off."""
        if self.session_key and (row.ends is None or row.ends <= clock.now()):
            return False
        return self.user_id is None or (row.active and mark_of(row.password) == self.mark)


def mark_of(password: str) -> str:
    """Return the mark of a stored password: another password, another mark; the mark tells neither."""
    return hashlib.blake2b(password.encode(), digest_size=16).hexdigest()


REFEREES = ("referee", "head_referee")  # roles at a table, given by its competition

NOBODY = Person()
BOT = Person(bot=True)


def holds(seating: Holder, person: Person) -> bool:
    """Return whether `person` may act on this seat. A seat that a bot plays is the bot's, whoever's name it bears."""
    if seating.bot:
        return person.bot
    if person.bot:
        return False
    if seating.player_id is not None:
        return seating.player_id == person.player_id
    return bool(seating.guest_key) and seating.guest_key == person.guest_key


def seat_of(table_id: int, person: Person) -> int | None:
    """Return the seat that `person` holds at the table, or None: then a spectator."""
    if person.bot or (person.player_id is None and not person.guest_key):
        return None
    for seating in Seating.objects.filter(table_id=table_id):
        if holds(seating, person):
            return seating.seat
    return None
