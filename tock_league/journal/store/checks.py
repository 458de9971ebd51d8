"""The system check journal.E001: a table that a migration made append-only has lost a trigger."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from . import triggers
from .operations import AppendOnly

PRESENT = {
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


@register(Tags.database)
def append_only_tables_have_their_triggers(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return one error for each trigger that is missing; asked by `migrate`, `check --database` and `verify_journal`."""
    return [
        Error(
            f"The trigger {name} is missing: rows of {table} could be changed.",
            hint="A migration that rebuilds the table ends with AppendOnly again. Verify the journal first.",
            id="journal.E001",
        )
        for alias in databases or ()
        for table, name in missing(alias)
    ]


def missing(alias: str = "default") -> Iterator[tuple[str, str]]:
    """Return (table, trigger) for each trigger that an applied migration has made and the database no longer has."""
    connection = connections[alias]
    loader = MigrationLoader(connection)
    applied = set(loader.applied_migrations)
    wanted: dict[str, bool] = {}
    for key, migration in loader.disk_migrations.items():
        for operation in migration.operations if key in applied else ():
            if isinstance(operation, AppendOnly):
                table = apps.get_model(key[0], operation.model_name)._meta.db_table
                wanted[table] = wanted.get(table, False) or operation.chained
    with connection.cursor() as cursor:
        cursor.execute(PRESENT[connection.vendor])
        present = {row[0] for row in cursor.fetchall()}
    for table, chained in sorted(wanted.items()):
        for name in triggers.names(table, connection.vendor, chained=chained):
            if name not in present:
                yield table, name
