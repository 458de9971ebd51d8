"""One row of a game's record as plain data, and the hash chain over the rows."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

SYSTEM = "system"  # chance, and what a command caused automatically
CLOCK = "clock"  # what a deadline did for a seat
HIDDEN = "??"  # a card that the reader of a row may not know
REFEREE = "referee"  # what a ruling did; who ruled, and why, is in the case


class BadRecord(ValueError):
    """Rows that are not a valid record; the text names the seq."""


def by_seat(seat: int) -> str:
    """Return the `actor` for what a seat does."""
    return f"seat:{seat}"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a game's record."""

    seq: int  # contiguous from 1
    kind: Literal["play", "act"]
    code: str  # "play", or the act's code
    body: Mapping[str, Any]  # of a play: its notation and seat; of an act: the fields of its class in `acts`
    actor: str  # SYSTEM, CLOCK, REFEREE, or a seat: see `by_seat`
    at: int  # milliseconds since 1970, never decreasing within a game
    epoch: int = 0  # how many rewinds there were, this row included
    command_id: str = ""  # with `body_hash`: of the request that caused it; empty on further rows of the same request
    body_hash: str = ""


def canonical(value: object) -> bytes:
    """Return `value` as JSON with sorted keys, no spaces, ASCII: the bytes that are hashed everywhere."""
    return _CANONICAL.encode(value).encode("ascii")


_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)


def first_link(game: str) -> str:
    """Return the chain value before the first row of the game with that public id, as hex."""
    return hashlib.sha256(b"tock-record-v1|" + game.encode("ascii")).hexdigest()


def record_line(row: Row) -> dict[str, Any]:
    """Return the row as in the exported record; the chain hashes its canonical JSON."""
    return {
        "seq": row.seq,
        "epoch": row.epoch,
        "kind": row.kind,
        "code": row.code,
        "body": dict(row.body),
        "actor": row.actor,
        "at": row.at,
        "command_id": row.command_id,
    }


def link(previous: str, row: Row) -> str:
    """Return the row's chain value (hex): SHA-256 of the previous value's bytes and the row's canonical JSON."""
    return hashlib.sha256(bytes.fromhex(previous) + canonical(record_line(row))).hexdigest()
