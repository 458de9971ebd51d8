"""The database of a run: one SQLite file, put back to the same world before each game, with a hook at each statement.

A kill is a `Killed` that the hook raises before or after a statement. The connection is dropped then, so the file keeps what
was committed and nothing else. `Witness` reads the file by a connection of its own: it sees committed rows only.
"""

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection


class Killed(BaseException):
    """The process has died here."""


Hook = Callable[[str], None]


class Hooks:
    """What is called around each statement; nothing while no game runs."""

    before: Hook | None = None
    after: Hook | None = None
    rolled_back: Callable[[], None] | None = None


class HookedConnection(sqlite3.Connection):
    """A connection whose every statement passes the hooks, whatever layer sends it."""

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
    """Make every new connection of this process a hooked one."""
    settings.DATABASES["default"]["OPTIONS"]["factory"] = HookedConnection
    connection.settings_dict["OPTIONS"]["factory"] = HookedConnection


def drop(wrapper: Any) -> None:
    """Lose Django's connection `wrapper` as a killed process does: what was open is rolled back, nobody is told."""
    raw, wrapper.connection = wrapper.connection, None
    wrapper.in_atomic_block = wrapper.needs_rollback = wrapper.closed_in_transaction = False
    wrapper.commit_on_exit = True
    wrapper.savepoint_ids, wrapper.atomic_blocks, wrapper.run_on_commit = [], [], []
    if raw is not None:
        sqlite3.Connection.rollback(raw)
        raw.close()


class Template:
    """The database as it is before each game, kept in memory."""

    def __init__(self) -> None:
        self._kept = sqlite3.connect(":memory:")

    def keep(self) -> None:
        """Keep what lies in the file now."""
        connection.close()
        with sqlite3.connect(name()) as file:
            file.backup(self._kept)
        file.close()

    def restore(self) -> None:
        """Put the file back to what was kept; every connection to it must be closed."""
        connection.close()
        for end in ("", "-wal", "-shm"):
            Path(name() + end).unlink(missing_ok=True)
        file = sqlite3.connect(name())
        self._kept.backup(file)
        file.close()


def name() -> str:
    return str(connection.settings_dict["NAME"])


class Witness:
    """Reads what is committed, by a connection that shares nothing with the code under test."""

    def __init__(self) -> None:
        self._file = sqlite3.connect(f"file:{name()}?mode=ro", uri=True, isolation_level=None)

    def ask(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._file.execute(sql, params).fetchall()

    def close(self) -> None:
        self._file.close()
