"""What is committed in PostgreSQL, in the form in which the simulation's checker reads SQLite."""

from datetime import UTC, datetime
from typing import Any

import psycopg
from psycopg.types.string import TextLoader


class Witness:
    """A connection of its own. JSON comes as text, instants as UTC without a zone, as from SQLite."""

    def __init__(self, folder: str, name: str) -> None:
        self._connection = psycopg.connect(host=folder, user="tock", dbname=name, autocommit=True)
        for kind in ("json", "jsonb", "uuid"):
            self._connection.adapters.register_loader(kind, TextLoader)

    def ask(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query with question marks for its parameters."""
        found = self._connection.execute(sql.replace("?", "%s").encode(), params).fetchall()
        return [tuple(_plain(value) for value in row) for row in found]

    def close(self) -> None:
        self._connection.close()


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() if isinstance(value, datetime) else value
