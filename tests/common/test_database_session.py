"""What the server does with a session of production: a host that vanishes keeps nothing locked for long."""

import os
import runpy
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from tests.conftest import absent
from tests.plant.production import ROOT, environment
from tests.servers import postgres
from tests.servers.programs import NotHere
from tock_league.common.transactions import snapshot

# On a Unix socket the settings of TCP are 0. Loopback has many addresses, so that this one is free.
ADDRESS = f"127.77.{os.getpid() % 250}.1"


@pytest.fixture(scope="module")
def cluster() -> Iterator[postgres.Cluster]:
    try:
        with postgres.cluster(listen_addresses=ADDRESS) as running:
            yield running
    except NotHere as reason:
        absent("postgresql", reason)


def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what production asks of a session."""
    for name, value in environment("postgres://tock@db/tock", "redis://db", tmp_path).items():
        monkeypatch.setenv(name, value)
    read = runpy.run_path(
        str(ROOT / "tock_league" / "settings" / "production.py"), run_name="tock_league.settings.read"
    )
    return str(read["DATABASES"]["default"]["OPTIONS"]["options"])


def test_the_server_gives_up_a_vanished_host_within_seconds(
    cluster: postgres.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = {"host": ADDRESS, "user": "tock", "dbname": "postgres", "options": options(tmp_path, monkeypatch)}
    with psycopg.connect(**where, autocommit=True) as session:  # type: ignore[arg-type]
        rows = session.execute("SELECT name, setting::int FROM pg_settings WHERE source = 'client'").fetchall()
    set_by_us = {name: value for name, value in rows if name.startswith(("tcp_", "statement_", "idle_in_"))}
    assert set_by_us == {
        "statement_timeout": 2000,
        "idle_in_transaction_session_timeout": 10_000,
        "tcp_user_timeout": 5000,
        "tcp_keepalives_idle": 3,
        "tcp_keepalives_interval": 1,
        "tcp_keepalives_count": 3,
    }


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_long_snapshot_may_stand_still() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = 150")
        with snapshot():
            cursor.execute("SELECT pg_backend_pid()")
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            assert cursor.fetchone() == ("0",)
        cursor.execute("RESET idle_in_transaction_session_timeout")
