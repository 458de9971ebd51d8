"""The rows of a game's record: append and read."""

import json
from collections.abc import Sequence

from django.db import IntegrityError, connection, transaction

from games.fold import Row, first_link, link
from games.models import Game, GameEvent
from tock_league.common import statements
from tock_league.common.errors import Broken


class LostRace(Exception):
    """Another transaction appended first, and nothing was written. The caller may try again in a new transaction."""


def append(game: Game, rows: Sequence[Row], *, expected_seq: int) -> None:
    """Append `rows` after `expected_seq` and update the game's `last_seq` and `chain`; call it inside `writing()`.

    The rows are numbered from `expected_seq + 1`; raises Broken for any other seq. Raises LostRace when another
    transaction has appended meanwhile; the current transaction must then be rolled back.
    """
    if game.last_seq != expected_seq:
        raise LostRace
    chain = game.chain or first_link(game.slug)
    lines = []
    for number, row in enumerate(rows, start=expected_seq + 1):
        if row.seq != number:
            raise Broken(f"row {row.seq} where {number} was due")
        chain = link(chain, row)
        body = json.dumps(dict(row.body))
        known = (row.command_id or None, row.body_hash)
        lines.append((game.pk, row.seq, row.epoch, row.kind, row.code, body, row.actor, *known, row.at, chain))
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
    game.last_seq = expected_seq + len(rows)
    game.chain = chain


# SQL written by hand, because every play and every imported record uses it: four times as fast as bulk_create.
_COLUMNS = ("game_id", "seq", "epoch", "kind", "code", "body", "actor", "command_id", "body_hash", "at", "chain")
_INSERT = "INSERT INTO {} ({}) VALUES ({})".format(  # nosec B608: names of our own, values are parameters
    GameEvent._meta.db_table, ", ".join(f'"{name}"' for name in _COLUMNS), ", ".join(["%s"] * len(_COLUMNS))
)
_READ = (
    "SELECT seq, epoch, kind, code, body, actor, at, command_id, body_hash"  # nosec B608
    f" FROM {GameEvent._meta.db_table} WHERE game_id = %s AND seq > %s AND seq <= %s ORDER BY seq"
)
_NO_END = 2**31 - 1


def load(game_id: int, *, after: int = 0, upto: int | None = None) -> list[Row]:
    """Return the rows with `after` < seq <= `upto`, in order. One query."""
    found = statements.rows(_READ, (game_id, after, _NO_END if upto is None else upto))
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


def chain_values(game_id: int) -> list[str]:
    """Return the stored chain value of each row, in order."""
    return list(GameEvent.objects.filter(game_id=game_id).order_by("seq").values_list("chain", flat=True))


def answered(table_id: int, command_id: str) -> tuple[int, str] | None:
    """Return (seq, body hash) of the row that this command wrote in any game of the table, or None.

    All games are searched, so that a command that is sent again after its game has ended does not act in the next one.
    """
    found = (
        GameEvent.objects.filter(command_id=command_id, game__table_id=table_id).values_list("seq", "body_hash").first()
    )
    return (found[0], found[1]) if found else None
