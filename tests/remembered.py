"""Test data that is built once a process and copied afterwards: the decorator `@remembered` for a function that builds
it through services.

The first call in an empty database builds the data and stores the changed rows. Every later call with the same arguments,
at the same frozen time and in an empty database makes the same changes again, in a twentieth of the time. A remembered
function may also continue from the database that another one left: a case is filed in the league of `a_world()`, and a
ruling is signed in that case. Then the calls before belong to what is compared, and nothing else may have written since.

The data is built again whenever a copy could differ: when the database has other rows, when the test replaces parts of the
code (`monkeypatch`), when it really commits or captures callbacks (they must run), and when the clock is not frozen.
"""

import dataclasses
import io
import pickle
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from django.db import connection, models
from django.utils.translation import get_language

from games import store
from tock_league.accounts.permissions import SITE
from tock_league.common import clock

P = ParamSpec("P")
R = TypeVar("R")
Row = tuple[Any, ...]
Rows = dict[str, list[Row]]  # by table, in the order of the first column, which is the primary key

EMPTY = ""  # the name of the state in which no test has touched the database
_first: Rows = {}  # the rows of that state
_steps: dict[str, "Step | None"] = {}  # by name of the state to which they lead; None: more than rows changes
_copied: set[str] = set()


@dataclass(frozen=True)
class Change:
    """What a step does to one table: primary keys that go, rows that are replaced, rows that come."""

    gone: list[Any]
    replaced: list[Row]
    new: list[Row]


@dataclass(frozen=True)
class Step:
    """`answer`: the function's result, pickled. `changes` by table."""

    answer: bytes
    changes: Mapping[str, Change]


@dataclass
class Running:
    """The running test: whether copies could differ in it, and the state that the last remembered call has left."""

    replaced: bool = False
    state: str | None = None
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    written: int = 0


_running = Running()


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
    _steps.clear()
    _copied.clear()
    _first.update({table: _rows(table) for table in connection.introspection.table_names()})


def note_test(fixtures: Collection[str]) -> None:
    """Record which fixtures the next test uses."""
    _running.replaced = bool({"monkeypatch", "settings", "django_capture_on_commit_callbacks"} & set(fixtures))
    _running.state = None


def remembered(build: Callable[P, R]) -> Callable[P, R]:
    """Make `build` copy its earlier result where that gives the same data."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        state = None if _running.replaced or any(map(_is_local, (*args, *kwargs.values()))) else _state()
        if state is None:
            return build(*args, **kwargs)
        parts = (state, build.__module__, build.__qualname__, _named(args), _named(kwargs), clock.now(), get_language())
        name = sha256(repr(parts).encode()).hexdigest()
        if name not in _steps:
            return _build(name, lambda: build(*args, **kwargs))
        step = _steps[name]
        return build(*args, **kwargs) if step is None else _copy(name, step)  # type: ignore[return-value]

    return built


def _build(name: str, build: Callable[[], R]) -> R:
    now, before = clock.now(), _all_rows()
    made = build()
    if clock.now() != now:
        _steps[name] = None
        return made
    answer = io.BytesIO()
    Pickler(answer).dump(made)
    _steps[name] = Step(answer.getvalue(), _changes(before, _all_rows()))
    _arrive(name)
    return made


def _copy(name: str, step: Step) -> object:
    before = {} if name in _copied else _all_rows()
    _write(step.changes)
    if before:
        assert _changes(before, _all_rows()) == step.changes, "the copy of remembered data differs from what was built"
        _copied.add(name)
    _arrive(name)
    return Unpickler(io.BytesIO(step.answer)).load()


def _state() -> str | None:
    """Return the name of the state in which the database is: EMPTY, or that of the last remembered call if nothing has
    written since. None in any other state, outside a transaction that will be rolled back, and in running time."""
    if not _first or not connection.in_atomic_block or clock._frozen is None:
        return None
    if _running.state is not None and _written() == _running.written and _counts() == _running.counts:
        return _running.state
    return EMPTY if _counts() == {table: len(rows) for table, rows in _first.items()} else None


def _arrive(name: str) -> None:
    """Record that the database is now in the state `name`, where the database tells how much is written later."""
    if (written := _written()) is not None:
        _running.state, _running.written, _running.counts = name, written, _counts()


def _written() -> int | None:
    """Return the number of rows that this connection has written; None on PostgreSQL, which does not count them."""
    return connection.connection.total_changes if connection.vendor == "sqlite" else None


def _named(thing: Any) -> Any:
    """Return a value whose `repr` tells `thing` from others: a model's row by its key, and what holds rows by its
    parts."""
    if isinstance(thing, models.Model):
        return thing._meta.label, thing.pk
    if isinstance(thing, FunctionType):
        return thing.__module__, thing.__qualname__
    if dataclasses.is_dataclass(thing):
        return type(thing).__name__, [_named(getattr(thing, field.name)) for field in dataclasses.fields(thing)]
    if isinstance(thing, dict):
        return [(name, _named(value)) for name, value in thing.items()]
    return [_named(part) for part in thing] if isinstance(thing, list | tuple) else thing


def _is_local(thing: object) -> bool:
    """Return whether `thing` is a function that its name does not tell from others."""
    return "<" in getattr(thing, "__qualname__", "")


def _changes(before: Rows, after: Rows) -> dict[str, Change]:
    """Return what differs between two states, by table."""
    return {
        table: _change({row[0]: row for row in before[table]}, {row[0]: row for row in rows})
        for table, rows in after.items()
        if rows != before[table]
    }


def _change(before: dict[Any, Row], after: dict[Any, Row]) -> Change:
    return Change(
        gone=[key for key in before if key not in after],
        replaced=[row for key, row in after.items() if key in before and before[key] != row],
        new=[row for key, row in after.items() if key not in before],
    )


def _write(changes: Mapping[str, Change]) -> None:
    with connection.cursor() as cursor:
        for table, change in changes.items():
            name, columns = _quoted(table), _columns(table)
            same = f"{columns[0]} = %s"
            if change.gone:
                cursor.executemany(f"DELETE FROM {name} WHERE {same}", [(key,) for key in change.gone])
            if change.replaced:
                values = ", ".join(f"{column} = %s" for column in columns)
                rows = [(*row, row[0]) for row in change.replaced]
                cursor.executemany(f"UPDATE {name} SET {values} WHERE {same}", rows)
            if change.new:
                cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['%s'] * len(columns))})", change.new)
    store.folded.clear()  # another test may have continued a game of the same name differently


def _counts() -> dict[str, int]:
    counts = " UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {_quoted(table)}" for table in _first)
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return dict(cursor.fetchall())


def _all_rows() -> Rows:
    return {table: _rows(table) for table in _first}


def _rows(table: str) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1")
        return list(cursor.fetchall())


def _columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0")
        return [_quoted(column[0]) for column in cursor.description]


def _quoted(table: str) -> str:
    return connection.ops.quote_name(table)
