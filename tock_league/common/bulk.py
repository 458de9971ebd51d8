"""Rows written in bulk without building model objects: by COPY on PostgreSQL, by `executemany` on SQLite."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from django.db import connection, models

SOME = 2000  # rows of a call on SQLite
PLAIN = (
    models.AutoField,
    models.IntegerField,
    models.FloatField,
    models.CharField,
    models.TextField,
    models.BooleanField,
)


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert `rows` into the model's table and return how many there were.

    `names`: of the fields; those left out are null, and the key gets its next number. `rows`: a value for each name,
    read once. Signals are not sent, and nothing is validated but what the database checks. Call it inside a
    transaction.
    """
    fields = [model._meta.get_field(name) for name in names]
    convert = [(at, change) for at, field in enumerate(fields) if (change := _converter(field))]  # type: ignore[arg-type]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)  # type: ignore[union-attr]
    table = quote(model._meta.db_table)
    count = 0

    def values() -> Iterable[Sequence[Any]]:
        nonlocal count
        for row in rows:
            count += 1
            if convert:
                row = list(row)
                for at, change in convert:
                    row[at] = change(row[at])
            yield row

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Binary, because writing and reading numbers as texts takes longer than the rest.
            order = f"COPY {table} ({columns}) FROM STDIN (FORMAT BINARY)"  # nosec B608: names of a model
            with cursor.cursor.copy(order) as copy:
                copy.set_types([_type_of(field) for field in fields])  # type: ignore[arg-type]
                for made in values():
                    copy.write_row(made)
        else:
            statement = f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})"  # nosec B608
            rest = iter(values())
            while some := list(islice(rest, SOME)):  # Django keeps all that it is given at once
                cursor.executemany(statement, some)
    return count


def _type_of(field: "models.Field[Any, Any]") -> str:
    """Return the column's type on PostgreSQL without its length: "bigint", "varchar"."""
    return str(field.db_type(connection)).partition("(")[0]


def _converter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """Return what makes a value of the field one of the database's; None where it is one already."""
    kind = field.target_field if isinstance(field, models.ForeignKey) else field
    if isinstance(kind, PLAIN):
        return None
    if isinstance(kind, models.DateTimeField) and connection.vendor == "postgresql":
        return None  # psycopg writes instants with their zone
    return lambda value: field.get_db_prep_save(value, connection)
