"""A committed small site in a database of its own, which copies are made of."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from tests import migrated
from tests.servers import postgres
from tock_league.common import clock, outbox
from tock_league.upkeep import databases

from .world import START, a_site


@contextmanager
def a_home(folder: Path) -> Iterator[dict[str, Any]]:
    """Give the settings of a database that holds the small site: `tock.sqlite3` in `folder`, or one of PostgreSQL."""
    if migrated.seed(folder):
        settings = databases.here(NAME=folder / "tock.sqlite3")
        _fill(settings)
        yield settings
        return
    name = f"tock_home_{secrets.token_hex(4)}"
    template = migrated._template()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    settings = databases.here(NAME=name)
    try:
        _fill(settings)
        yield settings
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _fill(settings: dict[str, Any]) -> None:
    with databases.as_default(databases.opened(settings)), outbox.by_hand(), clock.frozen(START) as hand:
        a_site(hand)


def programs() -> str:
    """Return the folder of pg_dump and pg_restore."""
    found = shutil.which("pg_dump")
    return str(Path(found).parent) if found else str(postgres.binaries())
