"""An index of trigrams, by which PostgreSQL finds a part of a text without reading every row."""

from typing import Any

from django.db import migrations

# The extension belongs to PostgreSQL and may be created by the owner of a database. Where it is not installed, or the
# owner may not create it, searches read the table: they find the same.
EXTENSION = """
DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    RAISE WARNING 'pg_trgm is not available: searches by name read the whole table';
END $$;
"""
INDEX = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
        CREATE INDEX {name} ON {table} USING gin ({column} gin_trgm_ops);
    END IF;
END $$;
"""


def index(name: str, table: str, column: str) -> migrations.RunPython:
    """Return the operation that creates the index `name` on PostgreSQL and does nothing on SQLite."""

    def create(_apps: Any, editor: Any) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(EXTENSION)
            editor.execute(INDEX.format(name=name, table=table, column=column))

    def drop(_apps: Any, editor: Any) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP INDEX IF EXISTS {name}")

    return migrations.RunPython(create, drop)
