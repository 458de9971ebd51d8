"""`serve`: one process, one data folder, a clean exit."""

import json
import signal
import sqlite3
import stat
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from .serving import Served, serving


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give a running site for the tests that only read; its first start was ended while it created the database."""
    folder = tmp_path_factory.mktemp("club")
    first = Served(folder, "--no-demo")
    first.wait_for("Preparing the database")
    assert first.stop(signal.SIGTERM) == 0
    with serving(folder) as served:  # the next start finishes what was begun
        yield served


def get(url: str) -> tuple[int, bytes]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read()


def test_the_site_answers_and_is_ready(prepared: Served) -> None:
    assert get(prepared.url + "/health/live")[0] == 200
    status, body = get(prepared.url + "/health/ready")
    assert status == 200
    assert json.loads(body)["migrations"] is True


def test_the_first_page_and_its_files_answer(prepared: Served) -> None:
    status, body = get(prepared.url + "/")
    assert status == 200
    assert b"<html" in body
    assert get(prepared.url + "/static/look/tokens.css")[0] == 200


def test_the_secret_key_is_made_and_is_the_owners_alone(prepared: Served) -> None:
    key = prepared.data / "secret_key"
    assert len(key.read_text()) >= 50
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_the_database_keeps_every_commit(prepared: Served) -> None:
    with sqlite3.connect(prepared.data / "tock.sqlite3") as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_a_second_serve_on_the_same_data_is_refused(prepared: Served) -> None:
    second = Served(prepared.data, "--no-demo")
    assert second.ended() == 1
    assert any("already uses the data" in line and str(prepared.process.pid) in line for line in second.lines)
    assert get(prepared.url + "/health/live")[0] == 200


def test_a_port_in_use_is_named(prepared: Served, tmp_path: Path) -> None:
    other = Served(tmp_path / "other", "--no-demo", port=prepared.port)
    assert other.ended() == 1
    assert any(f"port {prepared.port}" in line and "--port" in line for line in other.lines)


def test_a_killed_serve_leaves_no_lock_and_keeps_its_key(migrated_folder: Path) -> None:
    with serving(migrated_folder) as first:
        key = (migrated_folder / "secret_key").read_text()
        first.kill()
    with serving(migrated_folder) as second:
        assert (migrated_folder / "secret_key").read_text() == key
        assert "Preparing the database ..." not in second.lines
        assert get(second.url + "/health/live")[0] == 200
        since = time.monotonic()
        assert second.stop(signal.SIGINT) == 0
        assert time.monotonic() - since < 5


def test_a_start_that_was_ended_is_finished_by_the_next_and_a_signal_ends_it_in_seconds(prepared: Served) -> None:
    """The last test of this file: it stops the site."""
    assert get(prepared.url + "/health/ready")[0] == 200
    since = time.monotonic()
    assert prepared.stop(signal.SIGTERM) == 0
    assert time.monotonic() - since < 5
