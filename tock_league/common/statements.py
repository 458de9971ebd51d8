"""SQL texts that run for every play: written once, kept compiled by the database, their rows read straight into models.

The ORM builds the same SQL anew at each call, which costs more than the query itself. Everything that is not on the path of a
play uses the ORM.

SQLite keeps compiled statements per connection by their text. PostgreSQL prepares a statement that one connection has run
often (`prepare_threshold` of the connection); this needs server-side parameters, which Django's client-side cursor has not.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Field, IntegerField, Model
from django.db.models.base import ModelState

M = TypeVar("M", bound=Model)
# Both databases take these values of these columns as they are.
_PLAIN_FIELDS, _PLAIN_VALUES = (CharField, IntegerField), (str, int, type(None))
_local = threading.local()


def run(sql: str, params: Sequence[Any]) -> None:
    """Run one statement that gives no rows, its parameters written `%s`.

    Values are adapted by the driver: pass what `Field.get_db_prep_save` gives. Raises Django's database errors.
    """
    database = connections[DEFAULT_DB_ALIAS]
    with database.wrap_database_errors:
        _execute(database, sql, params)


def rows(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run one statement as `run` does and return all its rows."""
    database = connections[DEFAULT_DB_ALIAS]
    with database.wrap_database_errors:
        found: list[tuple[Any, ...]] = _execute(database, sql, params).fetchall()
        return found


def run_many(sql: str, params: Sequence[Sequence[Any]]) -> None:
    """Run one statement once for each of `params`, as `run` does."""
    if params:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.executemany(sql, params)


def _execute(database: BaseDatabaseWrapper, sql: str, params: Sequence[Any]) -> Any:
    """Return the driver's cursor."""
    if database.queries_logged:  # so that query counts include these
        cursor: Any = database.cursor()
        cursor.execute(sql, params)
        return cursor
    database.ensure_connection()
    execute: Callable[..., Any] = _EXECUTE[database.vendor]
    for wrapper in database.execute_wrappers:
        execute = partial(wrapper, execute)
    return execute(sql, params, False, {"connection": database})


def _execute_prepared(sql: str, params: Sequence[Any], many: bool, context: Mapping[str, Any]) -> Any:
    from psycopg import Cursor

    cursor: Any = Cursor(context["connection"].connection)
    cursor.execute(sql, params)
    return cursor


def _execute_sqlite(sql: str, params: Sequence[Any], many: bool, context: Mapping[str, Any]) -> Any:
    return context["connection"].connection.execute(_with_question_marks(sql), params)


@cache
def _with_question_marks(sql: str) -> str:
    return sql.replace("%s", "?")


# Bypasses Django's cursors, which would rebuild the text for each call.
_EXECUTE = {"postgresql": _execute_prepared, "sqlite": _execute_sqlite}


def assignments(names: Sequence[str]) -> str:
    """Return the SET list of an UPDATE for columns of these names."""
    return ", ".join(f'"{name}" = %s' for name in names)


class Columns(Generic[M]):
    """The columns of a model in SQL that is written by hand, and the way back from a row to an instance.

    `without`: columns that are not read; an instance loads them when somebody asks for them, as after `defer`.
    """

    def __init__(self, model: type[M], *, without: Sequence[str] = ()) -> None:
        self.model = model
        self.fields: Sequence[Field[Any, Any]] = [
            field for field in model._meta.concrete_fields if field.attname not in without
        ]
        self.names = [field.attname for field in self.fields]
        self.table = model._meta.db_table
        self._by_name = {field.attname: field for field in model._meta.concrete_fields}
        self._plain = {field.attname for field in self.fields if isinstance(field, _PLAIN_FIELDS)}

    def __len__(self) -> int:
        return len(self.fields)

    def listed(self, alias: str) -> str:
        """Return the columns for a SELECT, in the order that `read` expects."""
        return ", ".join(f'{alias}."{field.column}"' for field in self.fields)

    def read(self, values: Sequence[Any]) -> M:
        """Return the instance whose columns are `values`."""
        cells, database = list(values), connections[DEFAULT_DB_ALIAS]
        for place, converters, expression in self._converters(database):
            if cells[place] is None:
                continue
            for convert in converters:
                cells[place] = convert(cells[place], expression, database)
        # `from_db` would assign each column one by one and send two signals that have no receivers for these models.
        found = self.model.__new__(self.model)
        found.__dict__.update(zip(self.names, cells, strict=True))
        found._state = ModelState()
        found._state.adding, found._state.db = False, database.alias
        return found

    def _converters(self, database: BaseDatabaseWrapper) -> list[tuple[int, list[Callable[..., Any]], Any]]:
        """Return (place, converters, column) of each column that needs conversion; kept per thread, as connections are."""
        known: dict[tuple[type[Model], int], Any] = _local.__dict__.setdefault("converters", {})
        key = (self.model, id(database.ops))
        if key not in known:
            found = []
            for place, field in enumerate(self.fields):
                column = field.get_col(self.table)
                converters = database.ops.get_db_converters(column) + column.get_db_converters(database)
                if converters:
                    found.append((place, converters, column))
            known[key] = found
        return known[key]

    def values(self, instance: M) -> dict[str, Any]:
        """Return the present value of each column, to be compared later."""
        columns = instance.__dict__
        return {name: columns[name] for name in self.names}

    def prepared(self, instance: M, names: Sequence[str]) -> list[Any]:
        """Return the values of these columns as the database takes them."""
        database, values = connections[DEFAULT_DB_ALIAS], instance.__dict__
        return [
            values[name]
            if name in self._plain and type(values[name]) in _PLAIN_VALUES
            else self._by_name[name].get_db_prep_save(values[name], database)
            for name in names
        ]
