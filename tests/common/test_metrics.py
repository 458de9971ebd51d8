"""The metrics are those of docs/production.md, what they tell is right, and they need the token."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from prometheus_client import REGISTRY

from tock_league.common import clock, health, metrics
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing
from tock_league.upkeep import nightly_check
from tock_league.upkeep.nightly_check import check_journal

ROW = re.compile(r"^\| `(tock_\w+)` \| (\w+) \| (?:`(\w+)`)? ?\|", re.MULTILINE)
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "production.md"


COUNTED, LOOKED_UP = DOCUMENT.read_text(encoding="utf-8").split("These are looked up")


def test_the_documented_metrics_are_the_registered_ones() -> None:
    documented = set(ROW.findall(COUNTED))
    registered = {
        (found._name, found._type, "".join(found._labelnames))
        for found in vars(metrics).values()
        if hasattr(found, "_labelnames")
    }
    assert documented == registered
    assert {name for name, _, _ in documented} == {
        family.name for family in REGISTRY.collect() if family.name.startswith("tock_")
    }


@pytest.mark.django_db(transaction=True)
def test_what_is_looked_up_is_documented_and_right(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path
    copy = tmp_path / "tock-20261119T070000Z.zip"
    copy.touch()
    os.utime(copy, (clock.now_ms() / 1000 - 7200, clock.now_ms() / 1000 - 7200))
    assert check_journal(tmp_path) == 0
    health.pulse("beat")
    with writing():
        OutboxRow.objects.create(
            task="no.task", key="old", due_at=clock.now(), created_at=clock.now() - timedelta(seconds=90)
        )
    found = {sample.name: sample for family in metrics.LookedUp().collect() for sample in family.samples}
    documented = set(re.findall(r"`(tock_\w+)`", LOOKED_UP.partition("## ")[0]))
    assert set(found) <= documented
    assert documented - set(found) <= {"tock_drill_age_seconds", "tock_drill_ok"}
    assert 7190 < found["tock_copy_age_seconds"].value < 7300
    assert 85 < found["tock_outbox_oldest_seconds"].value < 120
    assert found["tock_journal_differences"].value == 0
    assert 0 < found["tock_copies_free_ratio"].value < 1
    page = metrics.text().decode()
    assert 'tock_part_ok{part="database"} 1.0' in page
    assert re.search(r'^tock_pulse_age_seconds{part="beat"} \d\.', page, re.MULTILINE)


@pytest.mark.django_db
def test_a_missing_trigger_is_a_difference_of_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(nightly_check, "missing", lambda: [("journal_journalentry", "journal_journalentry_no_update")])
    assert check_journal(tmp_path) == 1
    last = nightly_check.last(tmp_path)
    assert last is not None
    assert last[1] == 1
    assert "the journal is not as it was written" in caplog.text
    (tmp_path / nightly_check.FILE).write_text("{")
    assert nightly_check.last(tmp_path) is None


@pytest.mark.django_db
def test_metrics_need_the_token(settings: object) -> None:
    settings.METRICS_TOKEN = "a token of this test"  # type: ignore[attr-defined]
    assert Client().get("/metrics").status_code == 404
    shown = Client().get("/metrics", headers={"authorization": "Bearer a token of this test"})
    assert shown.status_code == 200
    for name in ("tock_plays", "tock_commit_seconds_bucket", "tock_sockets 0.0", "tock_snapshots"):
        assert name in shown.content.decode()
