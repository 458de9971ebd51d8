"""SQL texts that run for every play: written once, kept compiled by the database, their rows read straight into models.

The ORM builds the same SQL anew at each call, which costs more than the query itself. Everything that is not on the path of a
play uses the ORM.

SQLite keeps compiled statements per connection by their text. PostgreSQL prepares a statement that one connection has run
often (`prepare_threshold` of the connection): this needs server-side parameters, so Django's client-side cursor is passed by.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model
from django.db.models.base import ModelState

M = TypeVar("M", bound=Model)
_local = threading.local()


def run(sql: str, params: Sequence[Any]) -> Any:
    """Run one statement, its parameters written `%s`, and return the cursor.

    Values are adapted by the driver: pass what `Field.get_db_prep_save` gives. Raises Django's database errors.
    """
    if connection.vendor != "postgresql" or connection.queries_logged:  # who counts queries counts these too
        cursor: Any = connection.cursor()
        cursor.execute(sql, params)
        return cursor
    connection.ensure_connection()
    execute: Callable[..., Any] = _execute_prepared
    for wrapper in connection.execute_wrappers:
        execute = partial(wrapper, execute)
    with connection.wrap_database_errors:
        return execute(sql, params, False, {"connection": connection})


def _execute_prepared(sql: str, params: Sequence[Any], many: bool, context: Mapping[str, Any]) -> Any:
    from psycopg import Cursor

    cursor: Any = Cursor(context["connection"].connection)
    cursor.execute(sql, params)
    return cursor


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

    def __len__(self) -> int:
        return len(self.fields)

    def listed(self, alias: str) -> str:
        """Return the columns for a SELECT, in the order that `read` expects."""
        return ", ".join(f'{alias}."{field.column}"' for field in self.fields)

    def read(self, values: Sequence[Any]) -> M:
        """Return the instance whose columns are `values`."""
        cells = list(values)
        for place, converters, expression in self._converters():
            for convert in converters:
                cells[place] = convert(cells[place], expression, connection)
        # `from_db` would assign each column one by one and send two signals that nobody hears for these models.
        found = self.model.__new__(self.model)
        found.__dict__.update(zip(self.names, cells, strict=True))
        found._state = ModelState()
        found._state.adding, found._state.db = False, connection.alias
        return found

    def _converters(self) -> list[tuple[int, list[Callable[..., Any]], Any]]:
        """Return (place, converters, column) of each column that needs conversion; kept per thread, as connections are."""
        known: dict[tuple[type[Model], int], Any] = _local.__dict__.setdefault("converters", {})
        key = (self.model, id(connection.ops))
        if key not in known:
            found = []
            for place, field in enumerate(self.fields):
                column = field.get_col(self.table)
                converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
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
        return [self._by_name[name].get_db_prep_save(getattr(instance, name), connection) for name in names]
