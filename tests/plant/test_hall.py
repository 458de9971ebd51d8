"""A laptop that serves a hall without internet: its copies on another disk, and another laptop that goes on from them."""

import json
import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tock_league.common import room
from tock_league.upkeep import archive
from tock_league.upkeep.elsewhere import files

from .hall import a_hall, certified_in, kill_in_the_middle
from .serving import Served, serving

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
UP_S = 60.0  # in which another laptop is up from the copy


def holds(stick: Path, folder: Path) -> set[str]:
    """Return the matches with a result in the newest copy on the stick."""
    newest = files.newest(stick)
    raw = folder / f"{newest.stem}.sqlite3"
    archive.extract(newest, archive.manifest_of(newest), raw)
    return certified_in(raw)


def wait_for(true: Callable[[], bool], seconds: float = 45.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_killed_laptop_loses_nothing_certified_and_another_one_goes_on(
    seed: int, migrated_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_COPY_EVERY_S", "1")
    monkeypatch.setenv("NIGHTLY_BACKUP", "no")
    hall = a_hall(migrated_folder)
    place = tmp_path_factory.mktemp("second")
    stick = place / "stick"
    stick.mkdir()
    with serving(migrated_folder, "--no-demo", "--copy-to", str(stick)) as served:
        for match in hall.waiting[:3]:
            hall.certify(served.url, match)
        older = set(hall.certified)
        wait_for(lambda: bool(files.copies(stick)) and older <= holds_quietly(stick, place))
        kill_in_the_middle(hall, served, seed)
    acknowledged = set(hall.certified)
    assert len(acknowledged) > len(older)
    assert acknowledged <= certified_in(migrated_folder / "tock.sqlite3")
    assert older <= holds(stick, place)
    if seed > 1:
        return
    since = time.monotonic()
    with serving(place / "another", "--hall", "--from-copy", str(stick), seconds=UP_S) as again:
        assert time.monotonic() - since < UP_S
        if room.own_addresses():  # else the machine has no network
            assert again.wait_for("Others in the room reach it at http://").endswith(f":{again.port}/")
        assert older <= certified_in(place / "another" / "tock.sqlite3")
    filled = Served(place / "another", "--from-copy", str(stick))
    assert filled.ended() == 1
    assert "leave --from-copy out" in filled.lines[-1]


def holds_quietly(stick: Path, folder: Path) -> set[str]:
    """Return what `holds` does; nothing where the copier has just deleted that copy."""
    made = folder / "look"
    made.mkdir(exist_ok=True)
    try:
        return holds(stick, made)
    except archive.CannotDo:
        return set()
    finally:
        shutil.rmtree(made)


def test_a_broken_or_newer_copy_and_a_missing_stick_are_refused(
    migrated_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("refused")
    for name, sentence, change in (
        ("broken", "is damaged", broken),
        ("newer", "newer version of the site (games.9999_of_next_year)", newer),
    ):
        stick = place / name
        stick.mkdir()
        raw = migrated_folder / "tock.sqlite3"
        for second in (1, 2):
            written = {"vendor": "sqlite", "made_at": "", "journal_root": "", "standings": "", "ratings": ""}
            archive.write(
                stick / f"minute-20261128T00000{second}Z.zip",
                written | {"rows": {}, "journal": {}, "migrations": []},
                raw,
            )
        change(files.newest(stick))
        data = place / f"{name}-data"
        tried = Served(data, "--from-copy", str(stick))
        assert tried.ended() == 1
        assert sentence in tried.lines[-1]
        assert tried.lines[-1].endswith("minute-20261128T000001Z.zip")
        assert not (data / "tock.sqlite3").exists()
    for words in (("--copy-to", str(place / "none")), ("--from-copy", str(place / "none"))):
        tried = Served(place / "empty", *words)
        assert tried.ended() == 1
        assert str(place / "none") in tried.lines[-1]


def broken(path: Path) -> None:
    """Alter one byte in the middle of the copy."""
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)


def newer(path: Path) -> None:
    """Let the copy say that it holds a migration of next year."""
    with zipfile.ZipFile(path) as old:
        told, raw = json.loads(old.read(archive.MANIFEST)), old.read("tock.sqlite3")
    told["migrations"].append("games.9999_of_next_year")
    with zipfile.ZipFile(path, "w") as new:
        new.writestr(archive.MANIFEST, json.dumps(told))
        new.writestr("tock.sqlite3", raw)
