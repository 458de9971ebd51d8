"""Worlds that are built once a process and copied afterwards: `@remembered` over a function that builds one by services.

The first call in an empty database builds and keeps the rows that came; every later call with the same arguments, at the
same frozen instant and in an empty database writes these rows again, which takes a twentieth of the time. Whatever would
make the copy another world than the built one has it built: rows that lie there already, a test that replaces parts of
the code (`monkeypatch`), a test whose writing is really committed (its callbacks must run), a clock that goes on.
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

_first: dict[str, list[tuple[Any, ...]]] = {}  # what lies in a database that is set up and that no test has touched
_worlds: dict[str, "World | None"] = {}  # None: its building does more than write rows
_copied: set[str] = set()
_state = {"replaced": False}  # the running test replaces parts of the code


@dataclass(frozen=True)
class World:
    """`answer`: what the function answered, pickled. `rows` by table, as the database gives them."""

    answer: bytes
    rows: Rows


class Pickler(pickle.Pickler):
    """Keeps the site itself the one and only."""

    def persistent_id(self, thing: object) -> str | None:
        return "SITE" if thing is SITE else None


class Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> object:
        return SITE


def begin() -> None:
    """Note what lies in the database before the first test; the tests' conftest calls it."""
    _first.clear()
    _worlds.clear()
    _copied.clear()
    _first.update({table: _rows(table) for table in connection.introspection.table_names()})


def note_test(fixtures: Collection[str]) -> None:
    """Note which fixtures the next test uses."""
    _state["replaced"] = "monkeypatch" in fixtures or "settings" in fixtures


def remembered(build: Callable[P, R]) -> Callable[P, R]:
    """Make `build` copy what it built before, where that is the same."""

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
    """Return whether the database is as before the first test, in a transaction that will be undone, in frozen time."""
    if not _first or not connection.in_atomic_block or clock._frozen is None:
        return False
    counts = " UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {_quoted(table)}" for table in _first)
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return all(len(_first[table]) == count for table, count in cursor.fetchall())


def _seen(made: object) -> World | None:
    """Return the world that has just been built; None where rows have changed that lay there before."""
    rows = _came()
    if rows is None:
        return None
    answer = io.BytesIO()
    Pickler(answer).dump(made)
    return World(answer.getvalue(), rows)


def _came() -> Rows | None:
    """Return the rows that have come since the beginning; None where older ones have changed."""
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
    store.folded.clear()  # a game of the same name may have gone on otherwise in another test


def _rows(table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1")
        return list(cursor.fetchall())


def _quoted(table: str) -> str:
    return connection.ops.quote_name(table)
