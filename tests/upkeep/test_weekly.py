"""The weekly restore drill: when it is due, what it drills, and that its result is kept and shown."""

import logging
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from games.models import Game
from tests.accounts.signing import a_boss, sign_in
from tock_league.common import clock
from tock_league.pages import published
from tock_league.upkeep import gauges, weekly
from tock_league.upkeep.backup import name_at
from tock_league.upkeep.models import Drill

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)  # four o'clock in Montréal
NOON = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


def drilled(at: datetime, *, ok: bool = True) -> Drill:
    return Drill.objects.create(done_at=at, ok=ok, seconds=3, events=10, note="The copy is damaged." if not ok else "")


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the copies, empty."""
    settings.BACKUP_DIR, settings.WEEKLY_DRILL = tmp_path / "copies", True
    settings.BACKUP_DIR.mkdir()
    monkeypatch.setattr("os.nice", lambda by: 0)
    return Path(settings.BACKUP_DIR)


@pytest.fixture
def kept(home: dict[str, Any], good: Path, folder: Path) -> Iterator[Path]:
    """The small site with one nightly copy of today; results of drills are removed again."""
    path = folder / name_at(clock.now())
    shutil.copyfile(good, path)
    os.utime(path, (clock.now_ms() / 1000,) * 2)
    yield path
    Drill.objects.all().delete()


@pytest.mark.parametrize(
    ("now", "days", "wanted"),
    [(NIGHT, 6, False), (NIGHT, 7, True), (NOON, 7, False), (NOON, 8.9, False), (NOON, 9.1, True)],
)
def test_a_drill_is_due_once_a_week_at_night_or_when_nights_were_missed(
    now: datetime, days: float, wanted: bool
) -> None:
    drilled(now - timedelta(days=days))
    assert weekly.due(now) is wanted


def test_a_failed_drill_is_tried_again_the_next_night() -> None:
    drilled(NIGHT - timedelta(days=9))
    drilled(NIGHT - timedelta(hours=10), ok=False)
    assert not weekly.due(NIGHT)
    assert weekly.due(NIGHT + timedelta(hours=24))


def test_a_site_without_a_drill_counts_from_its_first_game_and_waits_while_somebody_plays(sat_site: Game) -> None:
    assert not weekly.due(NIGHT + timedelta(days=1))
    Game.objects.update(created_at=NIGHT - timedelta(days=7), updated_at=NIGHT - timedelta(minutes=2), state="playing")
    assert not weekly.due(NIGHT)
    assert weekly.due(NIGHT + timedelta(minutes=20))
    Game.objects.update(created_at=NIGHT - timedelta(days=13))
    assert weekly.due(NIGHT)


@pytest.fixture
def sat_site() -> Game:
    """A game that somebody has set up."""
    from games.services.tables import open_practice

    with clock.frozen(NIGHT):
        return open_practice(rules="shawinigan/1", guest_key="k").games.get()


def test_one_process_is_started_and_again_only_the_next_day(
    folder: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Child:
        def __init__(self, command: list[str], **how: Any) -> None:
            started.append(command)

        def poll(self) -> int:
            return 1

    monkeypatch.setattr(weekly.subprocess, "Popen", Child)
    monkeypatch.setattr(weekly, "_tried", {})
    with clock.frozen(NIGHT) as hand:
        assert weekly.start_if_due()
        hand.advance(minutes=20)
        assert not weekly.start_if_due()
        hand.advance(hours=24)
        assert weekly.start_if_due()
        settings.WEEKLY_DRILL = False
        hand.advance(hours=24)
        assert not weekly.start_if_due()
    assert [command[-2:] for command in started] == [["restore_drill", "--weekly"]] * 2


@pytest.mark.both_databases
def test_the_newest_copy_is_drilled_and_the_result_kept(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("restore_drill", "--weekly")
    made = Drill.objects.get()
    assert capsys.readouterr().out == f"{made.note}\n"
    told = {metric.name: metric.samples[0].value for metric in gauges.look()}
    assert (told["tock_drill_ok"], told["tock_drill_age_seconds"]) == (1, 0)
    shown = published.page("security", "en").text
    assert f"passed in {round(made.seconds)} s, {made.events} rows of games restored" in shown
    assert (made.ok, made.done_at) == (True, clock.now())
    assert made.events == sum(Game.objects.values_list("last_seq", flat=True)) > 20
    assert made.note.startswith("restored and verified in ")
    assert made.note.endswith(" is good")
    assert [path for path in kept.parent.iterdir() if path.name not in (kept.name, "drill-lock")] == []


@pytest.mark.both_databases
def test_a_damaged_copy_is_an_error_in_the_log_and_a_failed_result(
    kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept.write_bytes(kept.read_bytes()[:-2000])
    with caplog.at_level(logging.ERROR), pytest.raises(CommandError, match="no whole copy"):
        call_command("restore_drill", "--weekly")
    made = Drill.objects.get()
    assert not made.ok
    told = {metric.name: metric.samples[0].value for metric in gauges.look()}
    assert told["tock_drill_ok"] == 0
    assert "tock_drill_age_seconds" not in told  # none was good
    assert re.search(r"Last restore drill: <strong>[^<]+</strong>, failed\.", published.page("security", "en").text)
    assert "is no whole copy of a Tock League; take another one." in made.note
    assert "the weekly restore drill failed: " in caplog.text


def test_a_full_disk_and_an_unforeseen_error_are_results_too(
    kept: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as full:
        full.setattr(weekly.shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10, 9, 1))
        made = weekly.run()
    assert made is not None
    assert "has no room for the drill" in made.note
    with monkeypatch.context() as broken:
        broken.setattr(weekly, "drill", lambda *_, **__: 1 / 0)
        made = weekly.run()
    assert made is not None
    assert (made.ok, made.note) == (False, "The drill broke off: ZeroDivisionError.")


def test_administrators_see_the_last_drill(client: Any) -> None:
    sign_in(client, a_boss().user)
    drilled(NIGHT)
    page = client.get("/staff/admin/").content.decode()
    assert "/staff/admin/upkeep/drill/" in page
    assert "errornote" not in page
    drilled(NIGHT + timedelta(days=7), ok=False)
    assert "errornote" in client.get("/staff/admin/").content.decode()
    assert "The copy is damaged." in client.get(reverse("admin:upkeep_drill_changelist")).content.decode()
