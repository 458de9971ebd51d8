"""The database of a run: one SQLite file, restored to the same content before each game, with a hook at each statement.

A kill is a `Killed` that the hook raises before or after a statement. Then the connection is dropped, so the file has
only what was committed. `Witness` reads the file on its own connection and sees only committed rows.
"""

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection


class Killed(BaseException):
    """The process is killed at this statement."""


Hook = Callable[[str], None]


class Hooks:
    """The functions called around each statement; None while no game runs."""

    before: Hook | None = None
    after: Hook | None = None
    rolled_back: Callable[[], None] | None = None


class HookedConnection(sqlite3.Connection):
    """A connection that calls the hooks for every statement, whichever layer sends it."""

    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        return super().cursor(_hooked(factory))

    def commit(self) -> None:
        if not self.in_transaction:
            return
        if Hooks.before:
            Hooks.before("COMMIT")
        super().commit()
        if Hooks.after:
            Hooks.after("COMMIT")

    def rollback(self) -> None:
        super().rollback()
        if Hooks.rolled_back:
            Hooks.rolled_back()


@cache
def _hooked(base: type[sqlite3.Cursor]) -> type[sqlite3.Cursor]:
    class HookedCursor(base):  # type: ignore[valid-type, misc]
        def execute(self, sql: str, *params: Any) -> Any:
            if Hooks.before:
                Hooks.before(sql)
            found = super().execute(sql, *params)
            if Hooks.after:
                Hooks.after(sql)
            return found

        def executemany(self, sql: str, *params: Any) -> Any:
            if Hooks.before:
                Hooks.before(sql)
            found = super().executemany(sql, *params)
            if Hooks.after:
                Hooks.after(sql)
            return found

    return HookedCursor


def install() -> None:
    """Use hooked connections for all new connections of this process."""
    settings.DATABASES["default"]["OPTIONS"]["factory"] = HookedConnection
    connection.settings_dict["OPTIONS"]["factory"] = HookedConnection


def drop(wrapper: Any) -> None:
    """Drop Django's connection `wrapper` as a kill does: an open transaction is rolled back without any callback."""
    raw, wrapper.connection = wrapper.connection, None
    wrapper.in_atomic_block = wrapper.needs_rollback = wrapper.closed_in_transaction = False
    wrapper.commit_on_exit = True
    wrapper.savepoint_ids, wrapper.atomic_blocks, wrapper.run_on_commit = [], [], []
    if raw is not None:
        sqlite3.Connection.rollback(raw)
        raw.close()


class Template:
    """A copy in memory of the database as it is before each game."""

    def __init__(self) -> None:
        self._kept = sqlite3.connect(":memory:")

    def keep(self) -> None:
        """Copy the current content of the file."""
        connection.close()
        with sqlite3.connect(name()) as file:
            file.backup(self._kept)
        file.close()

    def restore(self) -> None:
        """Restore the file from the copy; every connection to it must be closed."""
        connection.close()
        for end in ("", "-wal", "-shm"):
            Path(name() + end).unlink(missing_ok=True)
        file = sqlite3.connect(name())
        self._kept.backup(file)
        file.close()


def name() -> str:
    return str(connection.settings_dict["NAME"])


class Witness:
    """Reads committed rows on a connection that the code under test does not use."""

    def __init__(self) -> None:
        self._file = sqlite3.connect(f"file:{name()}?mode=ro", uri=True, isolation_level=None)

    def ask(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._file.execute(sql, params).fetchall()

    def close(self) -> None:
        self._file.close()
