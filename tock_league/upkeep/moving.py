"""move(): the whole site from SQLite to an empty PostgreSQL database, all of it or nothing, and proved equal.

PostgreSQL's COPY takes the rows of every table, with their ids, in one transaction. Foreign keys are checked at its end.
The triggers stay in force: an append-only table accepts new rows, and the journal accepts its entries in their order.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

import environ
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management.color import no_style
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from games.services.months import make as make_months
from games.services.months import present as months
from tock_league.common import clock
from tock_league.common.transactions import snapshot
from tock_league.journal.models import JournalEntry

from . import databases, postgresql
from .errors import CannotDo
from .figures import LEFT_OUT
from .verification import verify

Say = Callable[[str], None]
Models = Sequence[type[Model]]
CHUNK = 2000
ORDERS: Mapping[type[Model], tuple[str, ...]] = {
    JournalEntry: ("stream", "seq")
}  # each entry follows the one before it
OWN = ("django_migrations",)  # tables that the target writes itself


def target_of(url: str) -> BaseDatabaseWrapper:
    """Return the database of an address, not connected yet. Raises CannotDo."""
    found = {}
    if url.startswith(("postgres://", "postgresql://")):
        with suppress(ValueError, ImproperlyConfigured):
            found = environ.Env.db_url_config(url)
    if not found.get("NAME"):
        raise CannotDo("Give the address of an empty PostgreSQL database: postgres://user:password@host:5432/name")
    return databases.opened(databases.here(**{"OPTIONS": {}, "CONN_MAX_AGE": 0, **found}))


def move(target: BaseDatabaseWrapper, *, say: Say) -> None:
    """Copy the present SQLite database into the empty PostgreSQL database `target`. Raises CannotDo.

    The present database is only read. Nothing is left in `target` when anything fails or differs.
    """
    if connection.vendor != "sqlite":
        raise CannotDo("move_to copies the SQLite database of a data folder; this site uses PostgreSQL already.")
    databases.require_present()
    if late := databases.behind():
        raise CannotDo(
            f"The data folder is of an older version ({late[0]} is missing); start and stop `serve` once with it."
        )
    models, since = _models(), clock.monotonic()
    _refuse_filled(target)
    try:
        present = months()
        with databases.as_default(target):
            databases.migrate()
            make_months(present)
        with snapshot():
            rows = _copy(models, target)
            say(f"{rows} rows in {len(models)} tables copied in {clock.monotonic() - since:.1f} s")
            _compare(models, target, say)
        _verify(target, say)
    except BaseException as error:
        _clear(target)
        if isinstance(error, DatabaseError):
            raise CannotDo(f"Nothing was moved: {_told(error)}") from None
        raise


def _clear(target: BaseDatabaseWrapper) -> None:
    """Leave the target as empty as it was. Raises CannotDo."""
    try:
        with databases.as_default(target):
            postgresql.clear()
    except DatabaseError as error:
        name = target.settings_dict["NAME"]
        raise CannotDo(
            f"The move failed, and {name} could not be emptied: drop and create it. {_told(error)}"
        ) from None


def _models() -> Models:
    """Return the model of every table that is moved. Raises CannotDo for a table without one."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.db_table not in LEFT_OUT
    ]
    known = {model._meta.db_table for model in found} | {*OWN, *LEFT_OUT}
    if unknown := set(connection.introspection.table_names()) - known:
        raise CannotDo(f"The database has tables that this site does not know: {', '.join(sorted(unknown))}.")
    return sorted(found, key=lambda model: model._meta.db_table)


def _refuse_filled(target: BaseDatabaseWrapper) -> None:
    try:
        with closing(target):
            filled = bool(target.introspection.table_names())
    except DatabaseError as error:
        raise CannotDo(f"The database cannot be reached: {_told(error)}") from None
    if filled:
        raise CannotDo(
            f"The database {target.settings_dict['NAME']} is not empty; move_to writes only into an empty one."
        )


def _copy(models: Models, target: BaseDatabaseWrapper) -> int:
    """Copy all rows in one transaction; return how many."""
    count, quoted = 0, target.ops.quote_name
    target.set_autocommit(False)
    try:
        with target.wrap_database_errors, target.cursor() as cursor:  # COPY's errors are the driver's own
            for model in models:  # what the migrations wrote
                cursor.execute(f"DELETE FROM {quoted(model._meta.db_table)}")  # nosec B608: names of our own
            for model in models:
                columns = ", ".join(quoted(str(field.column)) for field in model._meta.concrete_fields)
                into = f"COPY {quoted(model._meta.db_table)} ({columns}) FROM STDIN"
                with cursor.copy(into) as lines:
                    for values in _rows(model):
                        lines.write_row(_prepared(model, values, target))
                        count += 1
            for sql in target.ops.sequence_reset_sql(no_style(), list(models)):
                cursor.execute(sql)
        target.commit()
    except BaseException:
        target.rollback()
        raise
    finally:
        target.set_autocommit(True)
    with target.cursor() as cursor:
        cursor.execute("ANALYZE")
    return count


def _rows(model: type[Model]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the present database."""
    names = [field.attname for field in model._meta.concrete_fields]
    order = ORDERS.get(model, (model._meta.pk.name,))
    yield from model._base_manager.order_by(*order).values_list(*names).iterator(CHUNK)


def _prepared(model: type[Model], values: Sequence[Any], target: BaseDatabaseWrapper) -> list[Any]:
    fields = model._meta.concrete_fields
    return [field.get_db_prep_save(value, target) for field, value in zip(fields, values, strict=True)]


def _compare(models: Models, target: BaseDatabaseWrapper, say: Say) -> None:
    """Compare every table by the digest of its rows, whatever their order."""
    wanted = {model: digest(model) for model in models}
    with databases.as_default(target):
        for model, (count, value) in wanted.items():
            if digest(model) != (count, value):
                raise CannotDo(f"Nothing was moved: the rows of {model._meta.db_table} differ after the copy.")
    whole = hashlib.sha256("".join(f"{value:064x}" for _count, value in wanted.values()).encode()).hexdigest()
    say(f"digest of all rows, on both sides: {whole}")


def digest(model: type[Model]) -> tuple[int, int]:
    """Return the number of rows of a table and the sum of their hashes, which does not depend on their order."""
    count = total = 0
    for values in _rows(model):
        line = json.dumps([_plain(value) for value in values], sort_keys=True, default=str)
        total += int.from_bytes(hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest())
        count += 1
    return count, total % 2**256


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value


def _verify(target: BaseDatabaseWrapper, say: Say) -> None:
    wrong = []
    with databases.as_default(target):
        for outcome in verify():
            say(outcome.line)
            for each in outcome.first:
                say(f"  {each}")
            wrong += [outcome.name] if outcome.count else []
    if wrong:
        raise CannotDo(f"Nothing was moved: differences in {', '.join(wrong)}; run verify_all on the data folder.")


def _told(error: DatabaseError) -> str:
    """Return what PostgreSQL says, with the table, the row and the column where it names them."""
    said = str(error).strip().splitlines()
    context = [line.removeprefix("CONTEXT:").strip() for line in said if line.startswith("CONTEXT:")]
    return ". ".join([said[0] if said else "the database failed", *context]).rstrip(".") + "."
