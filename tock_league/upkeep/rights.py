"""What the role of the running site may do in PostgreSQL: read, add and change rows; no table, trigger or function.

Migrations run as the owner of the tables. The owner grants afterwards: the role of web, worker and beat reads every table, adds
rows, and changes or deletes them except where the past is written: append-only tables, records of games, also packed ones, and
the list of migrations. So a web process that somebody has taken over cannot rewrite the past, and cannot remove the triggers that
refuse it.
"""

from collections.abc import Iterator
from functools import cache

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tock_league.common.transactions import writing
from tock_league.journal.store import AppendOnly

from .errors import CannotDo

# Written by commands that the owner runs: `migrate`, `archive_events`.
READ_ONLY = frozenset({"django_migrations", "games_archivedrecord"})
RECORDS = "games_gameevent"  # nothing changes a row of it, though no trigger refuses it
PARTS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)"


@cache
def written_once() -> frozenset[str]:
    """Return the names of the tables whose rows are added and never changed."""
    disk = MigrationLoader(None).disk_migrations
    return frozenset({RECORDS}) | {
        apps.get_model(app, operation.model_name)._meta.db_table
        for (app, _), migration in disk.items()
        for operation in migration.operations
        if isinstance(operation, AppendOnly)
    }


def grant(role: str) -> dict[str, list[str]]:
    """Give `role` its rights on the tables and sequences of the present database, and take all others. Idempotent.

    Returns the tables by right: `changes`, `adds`, `reads`. Tables that the owner makes later begin with read and add.
    Raises CannotDo where the database or the role is not fit for it.
    """
    if connection.vendor != "postgresql":
        raise CannotDo("Roles are PostgreSQL's; a SQLite file belongs to whoever may write it.")
    with writing(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolname = current_user FROM pg_roles WHERE rolname = %s", [role])
        found = cursor.fetchone()
        if found is None:
            raise CannotDo(f"There is no role {role}; deploy/postgres/roles.sh makes it.")
        if any(found):
            raise CannotDo(f"{role} owns the tables or is a superuser: rights cannot be taken from it.")
        tables = set(connection.introspection.table_names(cursor))
        once = set(written_once() & tables)
        for table in sorted(once):
            cursor.execute(PARTS, [table])
            once |= {name for (name,) in cursor.fetchall()}
        rights = {
            "changes": sorted(tables - once - READ_ONLY),
            "adds": sorted(once),
            "reads": sorted(tables & READ_ONLY),
        }
        for statement in statements(role, rights):
            cursor.execute(statement)
    return rights


def statements(role: str, rights: dict[str, list[str]]) -> Iterator[str]:
    """Yield the SQL of the rights."""
    quoted = connection.ops.quote_name
    to, schema = quoted(role), "SCHEMA public"
    yield f"REVOKE CREATE ON {schema} FROM {to}, PUBLIC"
    yield f"GRANT USAGE ON {schema} TO {to}"
    yield f"REVOKE ALL ON ALL TABLES IN {schema} FROM {to}"
    yield f"GRANT SELECT ON ALL TABLES IN {schema} TO {to}"
    yield f"GRANT SELECT, USAGE ON ALL SEQUENCES IN {schema} TO {to}"
    for right, more in (("changes", "INSERT, UPDATE, DELETE"), ("adds", "INSERT")):
        if rights[right]:
            yield f"GRANT {more} ON {', '.join(map(quoted, rights[right]))} TO {to}"
    yield f"ALTER DEFAULT PRIVILEGES IN {schema} GRANT SELECT, INSERT ON TABLES TO {to}"
    yield f"ALTER DEFAULT PRIVILEGES IN {schema} GRANT SELECT, USAGE ON SEQUENCES TO {to}"
