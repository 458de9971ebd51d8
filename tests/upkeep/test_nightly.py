"""The nightly copy: when it is due, that it is started once, and how many are kept."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tock_league.common import clock
from tock_league.upkeep import nightly
from tock_league.upkeep.backup import copies, name_at, thin_out

NIGHT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)  # four o'clock in Montréal
NOON = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "age", "wanted"),
    [
        (NIGHT, None, True),
        (NOON, None, True),
        (NIGHT, 11, False),
        (NIGHT, 13, True),
        (NOON, 13, False),
        (NOON, 25, False),
        (NOON, 27, True),
    ],
)
def test_a_copy_is_due_at_night_or_when_a_night_was_missed(now: datetime, age: int | None, wanted: bool) -> None:
    assert nightly.due(now, None if age is None else now - timedelta(hours=age)) is wanted


def test_one_process_is_started_for_a_due_copy_and_again_only_after_an_hour(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Child:
        def __init__(self, command: list[str], **how: Any) -> None:
            started.append(command)

        def poll(self) -> int:
            return 1

    monkeypatch.setattr(nightly.subprocess, "Popen", Child)
    settings.BACKUP_DIR, settings.NIGHTLY_BACKUP = tmp_path / "copies", True
    with clock.frozen(NIGHT) as hand:
        assert nightly.start_if_due()
        hand.advance(minutes=20)
        assert not nightly.start_if_due()
        hand.advance(minutes=41)
        assert nightly.start_if_due()
    assert [command[-2:] for command in started] == [["backup", "--nightly"]] * 2
    settings.NIGHTLY_BACKUP = False
    assert not nightly.start_if_due()


def test_the_newest_copies_are_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    names = [name_at(NIGHT + timedelta(days=day)) for day in range(5)]
    for name in (*names, "holiday.zip", "tock-notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in thin_out(tmp_path, 3)] == names[:2]
    assert [path.name for path in copies(tmp_path)] == names[2:]
    assert (tmp_path / "holiday.zip").exists()


def test_a_failed_nightly_copy_is_an_error_in_the_log(
    tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    settings.BACKUP_DIR = tmp_path / "file" / "copies"
    monkeypatch.setattr("os.nice", lambda by: 0)
    with caplog.at_level(logging.ERROR), pytest.raises(CommandError, match="cannot be made"):
        call_command("backup", "--nightly")
    assert "the nightly copy failed: The folder" in caplog.text
