"""How the tests empty a database after a test that commits: only the tables that have rows."""

from typing import Any

KEPT = ("django_content_type", "auth_permission", "django_migrations")  # the same for every test


def statements(style: object, connection: Any, reset_sequences: bool = False, allow_cascade: bool = False) -> list[str]:
    """Return the statements that empty the database of `connection`; takes what Django's `sql_flush` takes."""
    if reset_sequences:
        raise NotImplementedError("no test of ours begins its numbers anew")
    filled = _filled(connection)
    if not filled:
        return []
    wipe = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in filled]
    if connection.vendor == "postgresql":
        return ["SET session_replication_role = replica", *wipe, "SET session_replication_role = origin"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
        guards = [(name, sql) for name, table, sql in cursor.fetchall() if table in filled]
    return [*(f'DROP TRIGGER "{name}"' for name, _sql in guards), *wipe, *(sql for _name, sql in guards)]


def _filled(connection: Any) -> list[str]:
    tables = [name for name in connection.introspection.table_names() if name not in KEPT]
    quoted = connection.ops.quote_name
    found = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quoted(name)})" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(found)
        return [name for (name,) in cursor.fetchall()]
