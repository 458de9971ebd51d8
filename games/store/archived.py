"""Records in the archive: packed as the exported record, one game each, and read back (docs/archive.md)."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.fold import Row, canonical, first_link, link, record_line
from games.models import ArchivedRecord, Game
from tock_league.common.errors import Broken

LEVEL = 9  # of the compression


@dataclass(frozen=True, slots=True)
class Packed:
    """A record as it lies in the archive."""

    game: str  # public id
    rows: Sequence[Row]
    chain: str  # of the last row, as it was stored

    def chain_values(self) -> list[str]:
        """Return the chain value of each row: recomputed, but for the last one."""
        found, chain = [], first_link(self.game)
        for row in self.rows:
            chain = link(chain, row)
            found.append(chain)
        return [*found[:-1], self.chain]


def head_of(game: Game) -> dict[str, Any]:
    """Return the head of the game's exported record."""
    table = game.table
    head = {
        "record": "tock-record/1",
        "game": game.slug,
        "table": table.slug,
        "rules": game.rules,
        "seats": table.seats,
        "teams": table.teams,
        "number": game.number,
        "touch": table.touch,
        "clocks": table.clocks or {},
        "ranks": game.ranks,
        "reason": game.reason,
        "chain": first_link(game.slug),
    }
    if table.full_ranking:
        head["full_ranking"] = True
    if table.rounds:
        head["rounds"] = table.rounds
    if table.cap:
        head["cap"] = table.cap
    return head


def pack(game: Game, rows: Sequence[Row], chain: str) -> ArchivedRecord:
    """Return the unsaved archived record of a game: its head, its rows, and `chain`, the last value, on the last line.

    A row that a command wrote keeps the hash of the command's content, so that nothing is lost.
    """
    lines: list[dict[str, Any]] = [head_of(game)]
    for row in rows:
        lines.append(record_line(row) | ({"body_hash": row.body_hash} if row.body_hash else {}))
    lines[-1] |= {"chain": chain}
    text = b"".join(canonical(line) + b"\n" for line in lines)
    return ArchivedRecord(
        game=game,
        rows=len(rows),
        body=gzip.compress(text, LEVEL, mtime=0),
        sha256=hashlib.sha256(text).hexdigest(),
    )


def text_of(record: ArchivedRecord) -> bytes:
    """Return the uncompressed lines. Raises Broken when they are not those that were packed."""
    try:
        text = gzip.decompress(bytes(record.body))
    except (OSError, EOFError, zlib.error):
        raise Broken(f"{record}: the body is no gzip") from None
    if hashlib.sha256(text).hexdigest() != record.sha256:
        raise Broken(f"{record}: the body is not the one that was packed")
    return text


def unpack(text: bytes) -> Packed:
    """Return the record in these lines. Raises Broken for what `pack` does not write."""
    try:
        head, *lines = [json.loads(line) for line in text.splitlines()]
        return Packed(head["game"], list(_rows(lines)), lines[-1]["chain"])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise Broken(f"an archived record cannot be read: {type(error).__name__}") from None


def _rows(lines: Sequence[dict[str, Any]]) -> Iterator[Row]:
    for line in lines:
        yield Row(
            seq=line["seq"],
            epoch=line["epoch"],
            kind=line["kind"],
            code=line["code"],
            body=line["body"],
            actor=line["actor"],
            at=line["at"],
            command_id=line["command_id"],
            body_hash=line.get("body_hash", ""),
        )


def read(game: Game) -> Packed | None:
    """Return the game's record from the archive, None where it is not there. One query. Raises Broken."""
    found = ArchivedRecord.objects.filter(game=game).first()
    return unpack(text_of(found)) if found is not None else None
