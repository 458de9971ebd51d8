"""Links of the journal: canonical text and hashes, without Django.

Source: docs/journal.md. Hashes are SHA-256 in lower-case hexadecimal, 64 characters.
"""

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tock_league.common.canonical import utf8

STREAM_PREFIX = b"tock-journal-v1|"
EVENT_PREFIX = b"tock-event-v1|"
SALT_BYTES = 16
LARGEST = 2**53 - 1  # larger integers are not exact in readers that use floats
RESERVED = frozenset({"actor", "at", "kind", "seq", "stream"})


def canonical(body: Mapping[str, Any]) -> bytes:
    """Return the canonical JSON text of `body`.

    UTF-8, keys sorted by code point, no spaces, texts and keys in NFC, whole numbers only, instants as UTC text in
    milliseconds. Values: text, whole numbers, booleans, None, instants with a zone, lists and mappings of these.
    Raises ValueError for anything else.
    """
    return utf8(_plain(body))


def instant(at: datetime) -> str:
    """Return `at` as text, such as 2026-05-01T18:00:00.000Z. Raises ValueError without a time zone."""
    if at.tzinfo is None:
        raise ValueError("an instant without a time zone")
    there = at.astimezone(UTC)
    return f"{there:%Y-%m-%dT%H:%M:%S}.{there.microsecond // 1000:03d}Z"


def first_hash(stream: str) -> str:
    """Return the predecessor hash of the first entry of `stream`."""
    return hashlib.sha256(STREAM_PREFIX + stream.encode()).hexdigest()


def next_hash(prev_hash: str, body: bytes) -> str:
    """Return the hash of an entry: its canonical `body` linked to the hash of the entry before it."""
    return hashlib.sha256(EVENT_PREFIX + bytes.fromhex(prev_hash) + body).hexdigest()


def personal_hash(salt: bytes, text: str) -> str:
    """Return what an entry holds in place of a personal text. `salt`: SALT_BYTES random bytes."""
    return hashlib.sha256(salt + plain_text(text).encode()).hexdigest()


def plain_text(text: str) -> str:
    """Return `text` in NFC. Raises ValueError when it holds half a character (a lone surrogate)."""
    normal = unicodedata.normalize("NFC", text)
    normal.encode()
    return normal


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise ValueError(f"a number beyond {LARGEST}")
        return int(value)
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, Mapping):
        return _plain_mapping(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise ValueError(f"{type(value).__name__} has no canonical form")


def _plain_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise ValueError("a key that is no text")
        name = plain_text(key)
        if name in found:
            raise ValueError(f"two keys {name!r}")
        found[name] = _plain(item)
    return found


def fault(stream: str, seq: int, prev_hash: str, *, entry_seq: int, entry_prev: str, body: bytes, hash: str) -> str:
    """Return what is wrong with the entry that should be number `seq` of `stream` after `prev_hash`; "" when it is right."""
    if entry_seq != seq:
        return f"number {entry_seq} stands where {seq} is due: an entry was dropped, inserted or swapped"
    if entry_prev != prev_hash:
        return "it is not linked to the entry before it"
    if next_hash(prev_hash, body) != hash:
        return "its text does not have its hash"
    try:
        told = json.loads(body)
        again = canonical(told)
    except (ValueError, AttributeError):
        return "its text is not canonical"
    if again != body:
        return "its text is not canonical"
    return "" if (told.get("stream"), told.get("seq")) == (stream, seq) else "its text says that it stands elsewhere"
