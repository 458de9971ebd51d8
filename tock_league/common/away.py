"""Classifies errors that mean a temporary outage or overload of the database, after which a retry may succeed."""

import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

SQLITE_AWAY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL)


class Full(Exception):
    """The wait for a free place timed out, see `gate.Gate`."""


def is_away(error: BaseException | None) -> bool:
    """Return whether `error`, or an exception in its chain of causes, means that the database or this process cannot
    answer now.

    PostgreSQL: every OperationalError (no connection, connection lost, statement timeout, deadlock, full disk). SQLite: a
    locked file or a full disk; there OperationalError also covers programming errors, such as a missing table.
    """
    return any(_says_so(each) for each in causes(error))


def is_unreachable(error: BaseException | None) -> bool:
    """Return whether the connection to PostgreSQL failed or was lost, so that no error came from the server itself."""
    return any(isinstance(each, OperationalError) and _silent(each.__cause__) for each in causes(error))


def _silent(cause: BaseException | None) -> bool:
    return getattr(cause, "sqlstate", "") is None


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield `error`, its cause, the cause of that, and so on."""
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
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_AWAY
    return cause is not None
