"""Test data that is built once a process and copied afterwards: the decorator `@remembered` for a function that builds
it through services.

The first call in an empty database builds the data and stores the new rows. Every later call with the same arguments,
at the same frozen time and in an empty database inserts these rows again, in a twentieth of the time. The data is built
again whenever a copy could differ: when the database has other rows, when the test replaces parts of the code
(`monkeypatch`), when the test really commits (its callbacks must run), and when the clock is not frozen.
"""

import io
import pickle
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection
from django.utils.translation import get_language

from games import store
from tock_league.accounts.permissions import SITE
from tock_league.common import clock

P = ParamSpec("P")
R = TypeVar("R")
Rows = Mapping[str, list[tuple[Any, ...]]]

_first: dict[str, list[tuple[Any, ...]]] = {}  # the rows of a database that is set up and that no test has touched
_worlds: dict[str, "World | None"] = {}  # None: the function does more than write rows
_copied: set[str] = set()
_state = {"replaced": False}  # the running test replaces parts of the code


@dataclass(frozen=True)
class World:
    """`answer`: the function's result, pickled. `rows` by table, as the database returns them."""

    answer: bytes
    rows: Rows


class Pickler(pickle.Pickler):
    """Keeps the site object the one and only instance."""

    def persistent_id(self, thing: object) -> str | None:
        return "SITE" if thing is SITE else None


class Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> object:
        return SITE


def begin() -> None:
    """Record the rows of the database before the first test; the tests' conftest calls it."""
    _first.clear()
    _worlds.clear()
    _copied.clear()
    _first.update({table: _rows(table) for table in connection.introspection.table_names()})


def note_test(fixtures: Collection[str]) -> None:
    """Record which fixtures the next test uses."""
    _state["replaced"] = "monkeypatch" in fixtures or "settings" in fixtures


def remembered(build: Callable[P, R]) -> Callable[P, R]:
    """Make `build` copy its earlier result where that gives the same data."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        key = f"{build.__module__}.{build.__qualname__} {args!r} {kwargs!r} {clock.now()} {get_language()}"
        if _state["replaced"] or not _is_first() or _worlds.get(key, True) is None:
            return build(*args, **kwargs)
        world = _worlds.get(key)
        if world is None:
            before = clock.now()
            made = build(*args, **kwargs)
            _worlds[key] = _seen(made) if clock.now() == before else None
            return made
        _write(world.rows)
        if key not in _copied:
            assert _came() == world.rows, f"the copy of {key} is another world"
            _copied.add(key)
        return Unpickler(io.BytesIO(world.answer)).load()  # type: ignore[no-any-return]

    return built


def _is_first() -> bool:
    """Return whether the database is as before the first test, in a transaction that will be rolled back, in frozen
    time."""
    if not _first or not connection.in_atomic_block or clock._frozen is None:
        return False
    counts = " UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {_quoted(table)}" for table in _first)
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return all(len(_first[table]) == count for table, count in cursor.fetchall())


def _seen(made: object) -> World | None:
    """Return the data that has just been built; None if rows that existed before have changed."""
    rows = _came()
    if rows is None:
        return None
    answer = io.BytesIO()
    Pickler(answer).dump(made)
    return World(answer.getvalue(), rows)


def _came() -> Rows | None:
    """Return the rows that are new since the beginning; None if older ones have changed."""
    rows = {}
    for table, first in _first.items():
        now = _rows(table)
        if any(row not in now for row in first):
            return None
        if new := [row for row in now if row not in first]:
            rows[table] = new
    return rows


def _write(rows: Rows) -> None:
    with connection.cursor() as cursor:
        for table, lines in rows.items():
            places = ", ".join(["%s"] * len(lines[0]))
            cursor.executemany(f"INSERT INTO {_quoted(table)} VALUES ({places})", lines)
    store.folded.clear()  # another test may have continued a game of the same name differently


def _rows(table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1")
        return list(cursor.fetchall())


def _quoted(table: str) -> str:
    return connection.ops.quote_name(table)
