"""Canonical JSON: one text for one value, so that its hash can be compared. Standard library only.

Two forms exist, because values that were hashed once must keep the same bytes for ever: UTF-8 (journal, results,
regulations, pairings) and ASCII (decisions of referees; the records of games have their own encoder in
`games.fold.rows`).
"""

import hashlib
import json
from typing import Any

_UTF8 = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_ASCII = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def utf8(value: Any) -> bytes:
    """Return `value` as JSON with sorted keys and no spaces, in UTF-8. Raises ValueError for NaN and infinity."""
    return _UTF8.encode(value).encode()


def digest(value: Any) -> str:
    """Return the SHA-256 of the UTF-8 form, hex."""
    return hashlib.sha256(utf8(value)).hexdigest()


def ascii_digest(value: Any) -> str:
    """Return the SHA-256 of the ASCII form, in which other characters are escaped, hex."""
    return hashlib.sha256(_ASCII.encode(value).encode("ascii")).hexdigest()
