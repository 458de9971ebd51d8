"""The statements of a play, at most four: lock the game, check who asks, insert the row, update the changed columns.

They are written by hand because the ORM would build the same SQL again for each play (docs/decisions/0013). The check
is a separate statement after the lock: PostgreSQL evaluates a locking query with the snapshot from before it waited, so
a check inside it could miss a command that has just been carried out, or a seat that has just been lost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection

from games.models import Game, GameEvent, Seating, Table
from tock_league.accounts.models import Player, Token
from tock_league.common import clock, statements

_GAME = statements.Columns(Game, without=("created_at", "updated_at"))
_TABLE = statements.Columns(Table, without=("created_at", "updated_at", "opens_at", "starts_at"))


@dataclass(frozen=True, slots=True)
class Locked:
    """A game whose row is locked."""

    game: Game
    before: Mapping[str, Any]  # its columns by name, as they were read with the lock
    months: tuple[int, int]  # the first and the last month of the games of its table


class Held(NamedTuple):
    """The holder of a seat, as `permissions.holds` needs it."""

    player_id: int | None
    guest_key: str
    bot: str


@dataclass(frozen=True, slots=True)
class LoginSeen:
    """The current state of a login in the database."""

    ends: datetime | None = None  # when its session or token expires; None: there is none, or it was revoked
    active: bool = False  # whether the user exists and is active
    password: str = ""  # as stored, hashed
    player_id: int | None = None  # of the user


@dataclass(frozen=True, slots=True)
class Asked:
    """What is read to check a command."""

    seats: Mapping[int, Held]
    # seq and body hash of the row that the command wrote before, in any game of the table; None if it wrote none
    known: tuple[int, str] | None
    login: LoginSeen

    @property
    def bots(self) -> list[int]:
        """The seats that a built-in bot plays."""
        return [seat for seat, held in self.seats.items() if held.bot]


def lock_current(table_id: int, *, skip_locked: bool = False) -> Locked | None:
    """Lock and return the table's latest game; None if another transaction has locked it and `skip_locked`."""
    return _locked(_lock_sql("table_id", skip_locked), table_id)


def lock(game_id: int) -> Locked | None:
    """Lock and return the game with its table, None if there is none."""
    return _locked(_lock_sql("id", False), game_id)


def _locked(sql: str, key: int) -> Locked | None:
    rows = statements.rows(sql, (key,))
    if not rows:
        return None
    (found,) = rows
    game = _GAME.read(found[: len(_GAME)])
    game.table = _TABLE.read(found[len(_GAME) : -2])
    return Locked(game, _GAME.values(game), found[-2:])


READ = 4  # The most games that `with_bots` reads. A shorter list is padded, so that there is only one SQL text.


def with_bots(game_ids: Sequence[int]) -> dict[int, tuple[Game, dict[int, str]]]:
    """Return games by id with the levels of the bots at their tables, by seat; without locks. One statement.

    `game_ids`: from 1 to READ ids.
    """
    given = [*game_ids, *[game_ids[-1]] * (READ - len(game_ids))]
    found: dict[int, tuple[Game, dict[int, str]]] = {}
    for row in statements.rows(_with_bots_text(), given):
        seat, level, game_id, *values = row
        if game_id not in found:
            game = _GAME.read(values[: len(_GAME)])
            game.table = _TABLE.read(values[len(_GAME) :])
            found[game_id] = game, {}
        if seat is not None:
            found[game_id][1][seat] = level
    return found


@cache
def _with_bots_text() -> str:
    return (
        f"SELECT s.seat, s.bot, g.id, {_GAME.listed('g')}, {_TABLE.listed('t')}"  # nosec B608: names of our own
        f" FROM {_GAME.table} g JOIN {_TABLE.table} t ON t.id = g.table_id"
        f" LEFT JOIN {Seating._meta.db_table} s ON s.table_id = t.id AND s.bot <> ''"
        f" WHERE g.id IN ({', '.join(['%s'] * READ)})"
    )


def _lock_sql(key: str, skip_locked: bool) -> str:
    return _lock_text(connection.vendor, key, skip_locked)


@cache
def _lock_text(vendor: str, key: str, skip_locked: bool) -> str:
    month = f"(SELECT {{}}(l.month) FROM {_GAME.table} l WHERE l.table_id = g.table_id)"  # nosec B608: names of our own
    text = (
        f"SELECT {_GAME.listed('g')}, {_TABLE.listed('t')}, {month.format('min')}, {month.format('max')}"  # nosec B608
        f" FROM {_GAME.table} g JOIN {_TABLE.table} t ON t.id = g.table_id"
    )
    if key == "table_id":
        latest = f"SELECT max(l.number) FROM {_GAME.table} l WHERE l.table_id = g.table_id"  # nosec B608
        text += f" WHERE g.table_id = %s AND g.number = ({latest})"
    else:
        text += f" WHERE g.{key} = %s"
    if vendor == "postgresql":
        text += " FOR UPDATE OF g" + (" SKIP LOCKED" if skip_locked else "")
    return text


def check(
    locked: Locked,
    command_id: str,
    *,
    session_key: str = "",
    token_id: int | None = None,
    user_id: int | None = None,
) -> Asked:
    """Return who holds the table's seats, what the command did before, and the state of its login, which is a session or a
    token. One statement.
    """
    table_id, text = locked.game.table_id, _check_text(connection.vendor, *locked.months)
    found = statements.rows(text, (table_id, command_id, session_key, token_id, user_id, user_id, user_id, table_id))
    seats = {row[0]: Held(*row[1:4]) for row in found}
    if not found:
        return Asked(seats, None, LoginSeen())
    answered, ends, active, password, player_id = found[0][4:]  # the same in each row
    known = None
    if answered is not None:
        seq, _, digest = answered.partition(" ")
        known = (int(seq), digest)
    login = LoginSeen(ends=_aware(ends), active=bool(active), password=password or "", player_id=player_id)
    return Asked(seats, known, login)


def _aware(instant: Any) -> datetime | None:
    """Return a timestamp of either database as an aware datetime."""
    if isinstance(instant, str):
        instant = datetime.fromisoformat(instant)
    if instant is not None and instant.tzinfo is None:
        return instant.replace(tzinfo=UTC)
    return instant


@cache
def _check_text(vendor: str, first: int, last: int) -> str:
    # As numbers of the text and not as parameters, so that PostgreSQL plans for, and locks, the partitions of these months.
    month = f" AND e.month BETWEEN {int(first)} AND {int(last)}" if vendor == "postgresql" else ""
    models = (GameEvent, get_user_model(), Session, Token, Player)
    event, user, session, token, player = (model._meta.db_table for model in models)
    return (
        "SELECT s.seat, s.player_id, s.guest_key, s.bot,"  # nosec B608: names of our own
        f" (SELECT e.seq || ' ' || e.body_hash FROM {event} e JOIN {_GAME.table} g ON g.id = e.game_id"
        f" WHERE g.table_id = %s AND e.command_id = %s{month}),"
        f" COALESCE((SELECT expire_date FROM {session} WHERE session_key = %s),"
        f" (SELECT expires_at FROM {token} WHERE id = %s AND revoked_at IS NULL)),"
        f" (SELECT is_active FROM {user} WHERE id = %s), (SELECT password FROM {user} WHERE id = %s),"
        f" (SELECT id FROM {player} WHERE user_id = %s)"
        f" FROM {Seating._meta.db_table} s WHERE s.table_id = %s ORDER BY s.seat"
    )


def save(game: Game, before: Mapping[str, Any]) -> None:
    """Write the columns of the locked game that differ from `before`; do nothing if none does."""
    names = [name for name, value in _GAME.values(game).items() if before[name] != value]
    if not names:
        return
    game.updated_at = clock.now()
    names = sorted({*names, "updated_at"})
    statements.run(_update_text(tuple(names)), (*_GAME.prepared(game, names), game.pk))


@cache
def _update_text(names: Sequence[str]) -> str:
    return f"UPDATE {_GAME.table} SET {statements.assignments(names)} WHERE id = %s"  # nosec B608: names of our own
