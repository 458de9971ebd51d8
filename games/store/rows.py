"""The rows of a game's record: append and read."""

import json
from collections.abc import Sequence
from functools import cache

from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet

from games.fold import Row, first_link, link
from games.models import Game, GameEvent
from tock_league.common import statements
from tock_league.common.errors import Broken

from . import archived


class LostRace(Exception):
    """Another transaction appended first, and nothing was written. The caller may try again in a new transaction."""


def append(game: Game, rows: Sequence[Row], *, expected_seq: int) -> None:
    """Append `rows` after `expected_seq` and update the game's `last_seq` and `chain`; call it inside `writing()`.

    The rows are numbered from `expected_seq + 1`; raises Broken for any other seq. Raises LostRace when another
    transaction has appended meanwhile; the current transaction must then be rolled back.
    """
    if game.last_seq != expected_seq:
        raise LostRace
    chain = _insert(game, rows, game.chain or first_link(game.slug), expected_seq + 1)
    game.last_seq = expected_seq + len(rows)
    game.chain = chain


def insert(game: Game, rows: Sequence[Row]) -> int:
    """Write a finished game's rows anew, out of the archive; return how many. The game stays as it is."""
    _insert(game, rows, first_link(game.slug), 1)
    return len(rows)


def _insert(game: Game, rows: Sequence[Row], chain: str, first: int) -> str:
    """Insert rows that follow the chain value `chain`, numbered from `first`; return the last one's. See `append`."""
    lines = []
    for number, row in enumerate(rows, start=first):
        if row.seq != number:
            raise Broken(f"row {row.seq} where {number} was due")
        chain = link(chain, row)
        body = json.dumps(dict(row.body))
        known = (row.command_id or None, row.body_hash)
        values = (row.seq, row.epoch, row.kind, row.code, body, row.actor, *known, row.at, chain)
        lines.append((game.pk, game.month, *values))
    try:
        if len(lines) == 1:
            statements.run(_INSERT, lines[0])
        else:
            with connection.cursor() as cursor:
                cursor.executemany(_INSERT, lines)
    except IntegrityError:
        # No savepoint is needed: with the row lock, or SQLite's write lock, this happens only if our code is wrong.
        transaction.set_rollback(True)
        raise LostRace from None
    return chain


# SQL written by hand, because every play and every imported record uses it: four times as fast as bulk_create.
_COLUMNS = (
    "game_id",
    "month",
    "seq",
    "epoch",
    "kind",
    "code",
    "body",
    "actor",
    "command_id",
    "body_hash",
    "at",
    "chain",
)
_INSERT = "INSERT INTO {} ({}) VALUES ({})".format(  # nosec B608: names of our own, values are parameters
    GameEvent._meta.db_table, ", ".join(f'"{name}"' for name in _COLUMNS), ", ".join(["%s"] * len(_COLUMNS))
)
_READ = (
    "SELECT seq, epoch, kind, code, body, actor, at, command_id, body_hash"  # nosec B608
    f" FROM {GameEvent._meta.db_table} WHERE game_id = %s AND seq > %s AND seq <= %s{{}} ORDER BY seq"
)
_NO_END = 2**31 - 1


@cache
def _read_text(vendor: str, month: int | None) -> str:
    """Return the statement for a game of that month: PostgreSQL then looks into one partition (docs/decisions/0036)."""
    if vendor != "postgresql":
        return _READ.format("")
    return _READ.format(f" AND month = {int(month)}" if month else f" AND month = {_MONTH}")


_MONTH = f"(SELECT g.month FROM {Game._meta.db_table} g WHERE g.id = game_id)"  # nosec B608: names of our own


def load(game_id: int, *, after: int = 0, upto: int | None = None, month: int | None = None) -> list[Row]:
    """Return the rows with `after` < seq <= `upto`, in order. `month`: of the game, if known. One query."""
    sql = _read_text(connection.vendor, month)
    found = statements.rows(sql, (game_id, after, _NO_END if upto is None else upto))
    return [
        Row(
            seq=seq,
            epoch=epoch,
            kind="play" if kind == "play" else "act",
            code=code,
            body=json.loads(body),
            actor=actor,
            at=at,
            command_id=command_id or "",
            body_hash=body_hash,
        )
        for seq, epoch, kind, code, body, actor, at, command_id, body_hash in found
    ]


def rows_of(game: Game, *, after: int = 0, upto: int | None = None) -> list[Row]:
    """Return the game's rows with `after` < seq <= `upto`, in order, also from the archive. One query, or two."""
    found = load(game.pk, after=after, upto=upto, month=game.month)
    if not found and after < game.last_seq and (upto is None or upto > after):
        packed = archived.read(game)
        return [row for row in packed.rows if after < row.seq and (upto is None or row.seq <= upto)] if packed else []
    return found


def chain_values(game: Game) -> list[str]:
    """Return the stored chain value of each row, in order; of a record in the archive only the last one is stored."""
    found = list(_of(game).order_by("seq").values_list("chain", flat=True))
    if not found and game.last_seq and (packed := archived.read(game)) is not None:
        return packed.chain_values()
    return found


def known_command(game: Game, command_id: str) -> tuple[int, str] | None:
    """Return (seq, body hash) of the row that this command wrote in the game, or None."""
    return _of(game).filter(command_id=command_id).values_list("seq", "body_hash").first()


def _of(game: Game) -> QuerySet[GameEvent]:
    """Return the game's rows, from its own partition where there are partitions."""
    found = GameEvent.objects.filter(game=game)
    return found.filter(month=game.month) if connection.vendor == "postgresql" else found


def answered(table_id: int, command_id: str) -> tuple[int, str] | None:
    """Return (seq, body hash) of the row that this command wrote in any game of the table, or None.

    All games are searched, so that a command that is sent again after its game has ended does not act in the next one.
    """
    found = GameEvent.objects.filter(command_id=command_id, game__table_id=table_id, month=F("game__month"))
    return found.values_list("seq", "body_hash").first()
