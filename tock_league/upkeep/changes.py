"""Whether a SQLite database has changed since it was last copied, without what changes by itself every few seconds."""

import hashlib
import sqlite3
from pathlib import Path

# Heartbeats and sessions change while nobody does anything that a copy should hold.
BY_ITSELF = frozenset({"django_session", "games_pulse"})
# Triggers refuse changes of their rows, and they are the largest tables: their last row tells enough.
APPENDED = frozenset({"games_gameevent", "journal_journalentry"})


class Watch:
    """Looks at a database file through a connection of its own, which only reads."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)

    def version(self) -> int:
        """Return a number that is another one after each transaction of others. Costs next to nothing."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def contents(self) -> str:
        """Return a digest of everything a copy should hold, of one moment."""
        seen = hashlib.blake2b()
        self._database.execute("BEGIN")
        try:
            names = [
                name
                for (name,) in self._database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
                )
                if name not in BY_ITSELF and not name.startswith("sqlite_")
            ]
            for name in names:
                what = "COUNT(*), MAX(rowid)" if name in APPENDED else "*"
                seen.update(name.encode())
                for row in self._database.execute(f'SELECT {what} FROM "{name}"'):  # nosec B608: names of our own
                    seen.update(repr(row).encode())
        finally:
            self._database.execute("ROLLBACK")
        return seen.hexdigest()

    def close(self) -> None:
        """Close the connection."""
        self._database.close()
