"""Which errors mean that the database is away or overloaded for a moment, so that the same request may work soon."""

import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Full(Exception):
    """There was no place for this work in time, see `gate.Gate`."""


def is_away(error: BaseException | None) -> bool:
    """Return whether `error`, or what it was raised from, says that the database, or this process, cannot answer now.

    PostgreSQL: every OperationalError (no connection, connection lost, statement timeout, deadlock). SQLite: a locked file;
    there the class holds programming errors too, such as a table that does not exist.
    """
    return any(_says_so(each) for each in _chain(error))


def is_unreachable(error: BaseException | None) -> bool:
    """Return whether there was no connection to PostgreSQL at all, or it was lost: then the server itself said nothing."""
    return any(isinstance(each, OperationalError) and _silent(each.__cause__) for each in _chain(error))


def _silent(cause: BaseException | None) -> bool:
    return getattr(cause, "sqlstate", "") is None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _says_so(error: BaseException) -> bool:
    if isinstance(error, InterfaceError | Full):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The low byte is the primary code; sqlite_errorcode is missing where the module itself raised.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_BUSY
    return cause is not None
