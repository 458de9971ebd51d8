"""What is committed in PostgreSQL, in the form in which the simulation's checker reads SQLite."""

from datetime import UTC, datetime
from typing import Any

import psycopg
from psycopg.types.string import TextLoader


class Witness:
    """A connection of its own. JSON comes as text, instants as UTC without a zone, as from SQLite."""

    def __init__(self, folder: str, name: str) -> None:
        self._where = {"host": folder, "user": "tock", "dbname": name}
        self._connect()

    def _connect(self) -> None:
        self._connection = psycopg.connect(**self._where, autocommit=True)  # type: ignore[arg-type]
        for kind in ("json", "jsonb", "uuid"):
            self._connection.adapters.register_loader(kind, TextLoader)

    def ask(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query with question marks for its parameters."""
        if self._connection.closed or not self._answers():
            self._connect()
        found = self._connection.execute(sql.replace("?", "%s").encode(), params).fetchall()
        return [tuple(_plain(value) for value in row) for row in found]

    def _answers(self) -> bool:
        try:
            self._connection.execute("SELECT 1")
        except psycopg.OperationalError:  # the server was stopped since the last query
            return False
        return True

    def close(self) -> None:
        self._connection.close()


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() if isinstance(value, datetime) else value
