"""Copies of a PostgreSQL database by its own programs, pg_dump and pg_restore."""

import os
import secrets
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient

from .errors import CannotDo
from .figures import LEFT_OUT

Settings = Mapping[str, Any]
DRILLS = 7_462_002  # the class of the locks that drills hold on their databases


def copy(target: Path) -> None:
    """Dump the snapshot of the open transaction to the existing empty file `target`, without sessions."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        seen = cursor.fetchone()[0]
    without = [f"--exclude-table-data={table}" for table in LEFT_OUT]
    _run("pg_dump", connection.settings_dict, ["-Fc", f"--snapshot={seen}", *without, f"--file={target}"])


def load(source: Path, settings: Settings) -> None:
    """Restore a dump into the empty database of `settings`: all of it, or nothing."""
    _run(
        "pg_restore",
        settings,
        ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(source)],
    )


def take_time() -> None:
    """Let statements on the present connection, which is no page's, take as long as they need."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")


def clear() -> None:
    """Drop everything that a restore has made in the present database, which was empty before."""
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)} CASCADE")
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE proname LIKE 'tock\\_%' AND pronamespace = 'public'::regnamespace"
        )
        for (name,) in cursor.fetchall():  # of our migrations
            cursor.execute(f"DROP FUNCTION IF EXISTS {quoted(name)} CASCADE")


@contextmanager
def another(settings: Settings) -> Iterator[dict[str, Any]]:
    """Make an empty database beside that of `settings`, give its settings, and drop it at the end.

    Its name contains a number, whose lock in the present database is held meanwhile. So what a killed process has left, a
    whole copy of the site, is known by its free lock, and dropped here.
    """
    take_time()
    _drop_left(settings)
    number = secrets.randbelow(2**31)
    name = f"{_prefix(settings)}{number:08x}"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [DRILLS, number])
            cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)} TEMPLATE template0")
    except DatabaseError as error:
        raise CannotDo(
            f"The drill needs a database of its own, and its user may not create one: {error}".strip()
        ) from None
    try:
        yield {**settings, "NAME": name}
    finally:
        _drop(name, number)


def _prefix(settings: Settings) -> str:
    """Return how the names of this site's drills begin; locks of another database say nothing about its drills."""
    return f"tock_drill_{zlib.crc32(str(settings['NAME']).encode()):08x}_"


def _drop_left(settings: Settings) -> None:
    prefix = _prefix(settings)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND pg_get_userbyid(datdba) = current_user",
            [prefix],
        )
        for (name,) in cursor.fetchall():
            number = int(name.removeprefix(prefix), 16)
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [DRILLS, number])
            if cursor.fetchone()[0]:
                _drop(name, number)


def _drop(name: str, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)} WITH (FORCE)")
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [DRILLS, number])


def _run(program: str, settings: Settings, words: Sequence[str]) -> None:
    """Run one of PostgreSQL's programs on the database of `settings`; the password is passed in the environment."""
    found = shutil.which(program)
    if found is None:
        raise CannotDo(f"{program} is not installed here; it belongs to PostgreSQL's client programs.")
    plain = dict(settings) | {"OPTIONS": {k: v for k, v in settings["OPTIONS"].items() if k.startswith("ssl")}}
    (_psql, *where), secret = DatabaseClient.settings_to_cmd_args_env(plain, [])
    *place, database = where
    command = [found, *words, "--no-password", *place, f"--dbname={database}"]
    done = subprocess.run(
        command, env={**os.environ, **(secret or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise CannotDo(f"{program} failed: {said[0] if said else f'exit code {done.returncode}'}")
