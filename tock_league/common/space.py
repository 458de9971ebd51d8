"""Remembers that a write failed because the disk of the database is full, so that the readiness check can say so.

Pages are still read from a full disk, hence no look at the database finds it; a failed write does.
"""

import sqlite3

from . import clock
from .away import causes

REMEMBERED_S = 10.0
DISK_FULL = "53100"  # PostgreSQL's code
_failed_at: float | None = None


def note(error: BaseException) -> None:
    """Remember the failure of a write if it came from a full disk."""
    global _failed_at
    if is_cause_of(error):
        _failed_at = clock.monotonic()


def is_cause_of(error: BaseException) -> bool:
    """Return whether an error of the database came from a full disk."""
    return any(_is_full(each) for each in causes(error))


def is_left() -> bool:
    """Return whether no write of this process failed so in the last REMEMBERED_S seconds."""
    return _failed_at is None or clock.monotonic() - _failed_at > REMEMBERED_S


def _is_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return getattr(error, "sqlstate", None) == DISK_FULL
