"""One migrated database that is copied for each test process, because migrating takes seconds each time.

SQLite: a file under TOCK_TEST_TEMPLATES (the `test` command gives a new folder to a whole run; otherwise var/tests
caches one until a migration changes). PostgreSQL: a template database of the temporary cluster, whose first copy is kept
as SQL beside that file, because other clusters need it too. The first process creates it, the others wait. The tests of
`serve` and of production start on empty databases and so check that the migrations run from nothing.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from tests.servers import postgres
from tests.servers.programs import quiet_environment
from tock_league.upkeep import databases

ROOT = Path(__file__).resolve().parent.parent
TRIGGERS = ROOT / "tock_league" / "journal" / "store"  # the operations that the migrations use
LOCK = 7_462_001  # an arbitrary key that no other lock uses


def provide() -> bool:
    """Put a migrated database where the tests' database will be created; return whether it exists and must be kept."""
    if connection.vendor == "sqlite":
        target = Path(str(connection.settings_dict["TEST"]["NAME"]))
        shutil.copyfile(_file(), target)
        return True
    if "TOCK_THROWAWAY" in os.environ:
        connection.settings_dict["TEST"]["TEMPLATE"] = _template()
    return False


def seed(folder: Path) -> bool:
    """Put a migrated database where `serve` looks for one, for tests of what `serve` does after migrating.

    Return whether it did; a run on PostgreSQL has no such file.
    """
    if connection.vendor != "sqlite":
        return False
    shutil.copyfile(_file(), folder / "tock.sqlite3")
    return True


def copy_of_file(path: Path, settings: dict[str, Any]) -> None:
    """Put a migrated SQLite database at `path`, also in a run on PostgreSQL; `settings`: those of such a database."""
    made = _folder() / f"{key()}.sqlite3"
    if not made.exists():
        with databases.as_default(databases.opened(settings)):
            call_command("migrate", verbosity=0, interactive=False)
    else:
        shutil.copyfile(made, path)


def restore(host: Path, database: str = "postgres") -> bool:
    """Fill an empty database of the cluster with its socket in `host` from the kept SQL; return whether there was one.

    A soak that runs without Django has none, because `key` needs the list of apps.
    """
    made = _sql() if apps.ready else None
    if made is None or not made.exists():
        return False
    program = postgres.binaries() / "psql"
    quiet = ("--quiet", "--no-psqlrc", "--output", os.devnull, "--set", "ON_ERROR_STOP=1")
    subprocess.run([program, *_where(host, database), *quiet, "--file", made], check=True, env=_environment())
    return True


def keep(host: Path, database: str = "postgres") -> None:
    """Keep the migrated database of the cluster with its socket in `host` as SQL, for `restore`."""
    if not apps.ready:
        return
    made, program = _sql(), postgres.binaries() / "pg_dump"
    if made.exists() or not program.exists() or not (program.parent / "psql").exists():
        return
    made.parent.mkdir(parents=True, exist_ok=True)
    for old in made.parent.glob("*.sql"):
        old.unlink(missing_ok=True)
    raw = made.with_suffix(f".{os.getpid()}")
    command = [program, *_where(host, database), "--no-owner", "--file", raw]
    subprocess.run(command, check=True, env=_environment())
    raw.replace(made)


def _sql() -> Path:
    """Return the file of the kept SQL. Migrations make partitions for the months to come, so it serves for a month."""
    return _folder() / f"{key()}-{datetime.now(UTC):%Y-%m}.sql"


def _where(host: Path, database: str) -> list[str]:
    return ["--host", str(host), "--username", "tock", "--dbname", database]


def _environment() -> dict[str, str]:
    return quiet_environment({"LC_ALL": "C"})


def key() -> str:
    """Return a name for the state of all migrations."""
    seen = hashlib.sha256(f"{django.VERSION}".encode())
    paths = [path for app in apps.get_app_configs() for path in Path(app.path, "migrations").glob("*.py")]
    for path in sorted([*paths, *TRIGGERS.glob("*.py")]):
        seen.update(path.name.encode() + path.read_bytes())
    return seen.hexdigest()[:16]


def _folder() -> Path:
    return Path(os.environ.get("TOCK_TEST_TEMPLATES") or ROOT / "var" / "tests")


def _file() -> Path:
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{key()}.sqlite3"
    with _alone(folder / "lock"):
        if not made.exists():
            for old in folder.glob("*.sqlite3*"):
                old.unlink()
            raw = made.with_suffix(".sqlite3-new")
            _migrate(str(raw))
            raw.replace(made)
    return made


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the lock of the file `path`."""
    with open(path, "w") as file:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _template() -> str:
    name = f"tock_{key()}"
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # released with the connection
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone() is None:
            cursor.execute(f'CREATE DATABASE "{name}_new"')
            host = Path(str(connection.settings_dict["HOST"]))
            if not restore(host, f"{name}_new"):
                _migrate(f"{name}_new")
                keep(host, f"{name}_new")
            cursor.execute(f'ALTER DATABASE "{name}_new" RENAME TO "{name}"')
    return name


def _migrate(name: str) -> None:
    """Migrate the database `name`, which is empty, over the connection of the tests."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before
