"""The answer of `ready` while parts of the site are down."""

import threading
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from psycopg.errors import DiskFull

from tock_league.common import health, outbox, space
from tock_league.common.away import is_away
from tock_league.common.postgresql.pool import Unreachable
from tock_league.common.transactions import writing

from .test_away import caused_by, refused_by


@pytest.mark.django_db(transaction=True)
def test_a_site_that_has_everything_is_ready() -> None:
    health.pulse("worker")
    with writing():
        outbox.enqueue("a.task", "key", due_at=health.clock.from_ms(health.clock.now_ms() + 60_000))
    answer = Client().get("/health/ready")
    body = answer.json()
    assert answer.status_code == 200
    assert (body["ready"], body["missing"], body["degraded"]) == (True, [], [])
    assert body["oldest_outbox_s"] >= 0
    assert body["worker_pulse_s"] < 60
    assert "redis" not in body  # this process's memory is its cache
    cache.delete("pulse:worker")
    assert Client().get("/health/ready").json()["worker_pulse_s"] is None


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_is_not_applied_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = MigrationRecorder.applied_migrations

    def without_one(recorder: Any) -> dict[Any, Any]:
        found = applied(recorder)
        found.pop(("common", "0002_open_halls"))
        return found

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", without_one)
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["missing"] == ["migrations"]


def test_a_database_that_does_not_answer_is_reported_within_two_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers, looks = threading.Event(), []

    def look() -> dict[str, Any]:
        looks.append(True)
        answers.wait(30)
        return {"database": True, "migrations": True}

    monkeypatch.setattr(health, "_look", look)
    monkeypatch.setattr(health, "looks", health.Looks())
    monkeypatch.setattr(health, "LOOK_S", 0.2)
    for _ in range(3):
        begun = time.monotonic()
        answer = Client().get("/health/ready")
        assert time.monotonic() - begun < 2.0
        assert (answer.status_code, answer.json()["missing"]) == (503, ["database"])
    assert len(looks) == 1  # the first one is still running
    answers.set()
    monkeypatch.setattr(health, "LOOK_S", 20.0)
    assert Client().get("/health/ready").status_code == 200


def write_to_a_full_disk() -> None:
    """Write more than there is space for; raises what the database reports then."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with writing():
                cursor.execute("DO $$ BEGIN RAISE disk_full; END $$")
            return
        cursor.execute("PRAGMA max_page_count")
        (most,) = cursor.fetchone()
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        try:
            with writing():
                outbox.enqueue("a.task", "x" * 200, text="y" * 10_000_000)
        finally:
            cursor.execute(f"PRAGMA max_page_count = {most}")


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_missing_once_a_write_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "_failed_at", None)
    assert Client().get("/health/ready").json()["disk"] is True
    with pytest.raises(OperationalError) as full:
        write_to_a_full_disk()
    assert is_away(full.value)  # pages and the API answer with 503, not 500
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["missing"]) == (503, ["disk"])
    monkeypatch.setattr(space, "REMEMBERED_S", 0.0)
    assert Client().get("/health/ready").status_code == 200


def test_only_a_full_disk_counts_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "_failed_at", None)
    space.note(refused_by(":memory:", "SELECT * FROM nothing"))
    space.note(caused_by(Unreachable("away")))
    assert space.is_left()
    space.note(caused_by(DiskFull("no space")))
    assert not space.is_left()
