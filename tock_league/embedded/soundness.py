"""Whether the SQLite file can be trusted, looked at before anything is written to it."""

import sqlite3
from pathlib import Path

from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper

LARGEST = (
    50 * 1024 * 1024
)  # bytes; checking every page of a larger file would delay the start by more than half a second


class Damaged(DatabaseError):
    """SQLite has found a damage; `args[0]` says which."""


def check(connection: BaseDatabaseWrapper) -> None:
    """Let SQLite look at every page of an existing database. Raises DatabaseError."""
    if connection.vendor != "sqlite":
        return
    path = Path(connection.settings_dict["NAME"])
    if not path.exists() or path.stat().st_size == 0:
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)" if path.stat().st_size <= LARGEST else "PRAGMA schema_version")
        found = str(cursor.fetchone()[0])
    if path.stat().st_size <= LARGEST and found != "ok":
        raise Damaged(found.splitlines()[0])


def sentence(data: Path, error: DatabaseError) -> str:
    """Return what to do about an error of the database at the start."""
    path, code = data / "tock.sqlite3", _code(error)
    if isinstance(error, Damaged) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return (
            f"The database {path} is damaged ({_text(error)}). Keep the folder as it is, and restore the newest copy into"
            f" another one: `python3 manage.py restore {data / 'backups'}/tock-....zip --data NEW_FOLDER`."
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"The disk of {data} is full or fails ({_text(error)}). Make free space there, and start again."
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return f"{path} cannot be written ({_text(error)}). Make it writable for the user who starts the site."
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"Another program uses the database {path}. End it, and start again."
    return f"The database {path} cannot be used: {_text(error)}."


def _code(error: DatabaseError) -> int:
    """Return SQLite's primary result code, 0 when it is not known."""
    return int(getattr(error.__cause__, "sqlite_errorcode", 0) or 0) & 0xFF


def _text(error: DatabaseError) -> str:
    return str(error).strip().rstrip(".")
