"""Copies on another disk: made when something has changed, and going on by themselves when the stick comes back."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tock_league.common import clock
from tock_league.upkeep import archive, sqlite
from tock_league.upkeep.elsewhere import copier, files, going_on, status
from tock_league.upkeep.elsewhere.copier import PULLED_OUT, Copier

pytestmark = pytest.mark.django_db
LINE = "INSERT INTO games_outage (since, until) VALUES (1, 2)"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    made = tmp_path / "stick"
    made.mkdir()
    return made


@pytest.fixture
def at_work(home: dict[str, Any], stick: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Copier]:
    """A copier of the small site, which may make a copy at any moment. Each second has one copy at most."""
    if not isinstance(home["NAME"], Path):
        pytest.skip("serve is on SQLite")
    monkeypatch.setattr(copier, "EVERY_S", 0)
    yield Copier(home["NAME"].parent, status.Status(str(stick), another_disk=False, since=clock.now_ms()))
    with sqlite3.connect(home["NAME"]) as database:
        database.execute("DELETE FROM games_outage")
    database.close()
    status.clear(home["NAME"].parent)


@pytest.fixture
def write(home: dict[str, Any]) -> Callable[[str], None]:
    def written(sql: str) -> None:
        with sqlite3.connect(home["NAME"]) as database:
            database.execute(sql)
        database.close()

    return written


@pytest.fixture
def later(home: dict[str, Any]) -> Iterator[Callable[[int], None]]:
    with clock.frozen(clock.now()) as hand:
        yield lambda seconds: hand.advance(seconds=seconds)


def read(home: dict[str, Any]) -> status.Status:
    found = status.read(home["NAME"].parent)
    assert found is not None
    return found


def test_a_copy_is_made_of_each_change_and_of_nothing_else(
    home: dict[str, Any], at_work: Copier, stick: Path, write: Callable[[str], None], later: Callable[[int], None]
) -> None:
    assert at_work.look()
    assert not at_work.look()
    later(1)
    write("INSERT INTO django_session VALUES ('of-a-visitor', 'x', '2030-01-01')")
    write("INSERT INTO games_pulse (process, at, stopped) VALUES ('another', 1, 0)")
    assert not at_work.look()
    write(LINE)
    assert at_work.look()
    first, second = files.copies(stick)
    assert [archive.manifest_of(path)["rows"]["games_outage"] for path in (first, second)] == [0, 1]
    assert read(home).good_at == clock.now_ms()
    write("DELETE FROM django_session")
    write("DELETE FROM games_pulse WHERE process = 'another'")


def test_the_copies_go_on_by_themselves_when_the_stick_comes_back(
    home: dict[str, Any], at_work: Copier, stick: Path, later: Callable[[int], None]
) -> None:
    assert at_work.look()
    stick.rename(stick.with_name("pulled out"))
    later(1)
    assert not at_work.look()
    assert read(home).reason == PULLED_OUT
    later(178)
    assert not read(home).is_late
    later(2)
    assert read(home).is_late
    stick.with_name("pulled out").rename(stick)
    (stick / ".minute-20260101T000000Z.zip.part").write_bytes(b"half of a copy")
    assert at_work.look()
    assert (read(home).reason, read(home).is_late) == ("", False)
    assert len(files.copies(stick)) == 2
    assert not list(stick.glob(".*"))


def test_a_disk_that_fails_leaves_no_half_copy(
    home: dict[str, Any], at_work: Copier, stick: Path, monkeypatch: pytest.MonkeyPatch, later: Callable[[int], None]
) -> None:
    def full(*_args: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(archive, "appear", full)
        assert not at_work.look()
    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "copy", full)
        assert not at_work.look()
    assert "No space left on device" in read(home).reason
    assert [path.name for path in stick.iterdir() if path.suffix == ".zip"] == []
    assert at_work.look()
    assert [path.suffix for path in stick.iterdir() if path.name.startswith(".")] == []


def test_the_mount_point_of_a_stick_that_is_gone_is_not_taken_for_the_stick(
    home: dict[str, Any], at_work: Copier, stick: Path
) -> None:
    missing = Copier(home["NAME"].parent, status.Status(str(stick), another_disk=True, since=0))
    assert not missing.look()
    assert read(home).reason == PULLED_OUT
    assert list(stick.iterdir()) == []


def test_the_last_ten_copies_are_kept_and_other_files_stay(
    at_work: Copier, stick: Path, write: Callable[[str], None], later: Callable[[int], None]
) -> None:
    (stick / "tock-20250101T000000Z.zip").write_bytes(b"a nightly copy")
    for second in range(12):
        (stick / f"minute-20250101T0000{second:02}Z.zip").write_bytes(b"an old one")
    assert at_work.look()
    assert len(files.copies(stick)) == files.KEPT + 1  # old ones go before the next copy
    assert (stick / "tock-20250101T000000Z.zip").exists()
    assert files.newest(stick) == files.copies(stick)[-1]
    assert files.older(files.newest(stick)) == files.copies(stick)[-2]


def test_a_copy_of_many_plays_is_up_without_playing_them_again(
    good: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: dict[int, list[str]] = {}
    for most in (0, 10**6):
        monkeypatch.setattr(going_on, "MOST_PLAYS", most)
        settings.DATA = tmp_path / str(most)
        settings.DATA.mkdir()
        said[most] = []
        going_on.restore_newest(good, settings.DATA, say=said[most].append)
        assert (settings.DATA / "tock.sqlite3").exists()
    assert any("were not played again" in line for line in said[0])
    assert [most for most, lines in said.items() if any(line.startswith("games: good, ") for line in lines)] == [10**6]
