"""Copies: whole, private, of one moment, while others write; restored, they are proved equal."""

import errno
import json
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from tock_league.common.transactions import snapshot
from tock_league.embedded import datalock
from tock_league.upkeep import archive, databases, figures, postgresql
from tock_league.upkeep.backup import backup
from tock_league.upkeep.drill import drill
from tock_league.upkeep.errors import CannotDo
from tock_league.upkeep.restore import load_dump, restore
from tock_league.upkeep.verification import PARTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def target(tmp_path: Path, settings: Any) -> Path:
    """An empty data folder to restore into."""
    folder = tmp_path / "target"
    folder.mkdir()
    settings.DATA = folder
    return folder


def restored(path: Path, **more: Any) -> list[str]:
    said: list[str] = []
    restore(path, say=said.append, **more)
    return said


def changed(path: Path, made: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Return `made`, a copy of an archive with another manifest."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        told = json.loads(old.read(archive.MANIFEST))
        change(told)
        new.writestr(archive.MANIFEST, json.dumps(told))
        member = archive.MEMBERS[told["vendor"]]
        new.writestr(member, old.read("tock.sqlite3"))
    return made


def forged(path: Path, folder: Path, *statements: str) -> Path:
    """Return an archive whose database was changed, with a manifest to match."""
    made, raw = folder / "forged.zip", folder / "forged.sqlite3"
    manifest = archive.manifest_of(path)
    archive.extract(path, manifest, raw)
    with sqlite3.connect(raw) as database:
        for sql in statements:
            database.execute(sql)
    database.close()
    archive.write(made, manifest, raw)
    return made


@pytest.mark.both_databases
def test_the_drill_proves_a_copy_equal(home: dict[str, Any]) -> None:
    said: list[str] = []
    drill(say=said.append)
    assert said[0].startswith("copied in ")
    wanted = figures.figures()
    assert f"journal root {wanted['journal_root']}" in said
    assert f"standings    {wanted['standings']}" in said
    assert f"ratings      {wanted['ratings']}" in said
    assert [line.split(":")[0] for line in said if ": good, " in line][1:] == [part.name for part in PARTS]
    assert said[-1].startswith("restored and verified in ")
    assert said[-1].endswith(" is good")


@pytest.mark.both_databases
def test_a_copy_is_private_whole_and_says_what_it_is(home: dict[str, Any], tmp_path: Path) -> None:
    made = backup(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tock-20260903T160000Z.zip"]
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    told = archive.manifest_of(made.path)
    assert told["vendor"] == connection.vendor
    assert told["rows"]["games_game"] == 4
    assert "django_session" not in told["rows"]
    assert "ratings.0001_initial" in told["migrations"]
    assert len(told["journal"]) == 2
    with pytest.raises(CannotDo, match="exists already"):
        backup(made.path)


def test_a_snapshot_sees_one_moment_and_cannot_be_written_in(home: dict[str, Any]) -> None:
    writer = sqlite3.connect(home["NAME"], isolation_level=None)
    try:
        with snapshot():
            before = figures.raw()
            writer.execute("INSERT INTO games_outage (since, until) VALUES (1, 2)")
            assert figures.raw() == before
            with pytest.raises(OperationalError, match="readonly"), connection.cursor() as cursor:
                cursor.execute("DELETE FROM games_outage")
        assert figures.raw()["rows"]["games_outage"] == 1
    finally:
        writer.execute("DELETE FROM games_outage")
        writer.close()


def test_a_folder_without_a_database_is_not_given_an_empty_one(home: dict[str, Any], tmp_path: Path) -> None:
    missing = tmp_path / "tock.sqlite3"
    with databases.as_default(databases.opened(databases.here(NAME=missing))):
        for words in (["backup", str(tmp_path / "copy.zip")], ["verify_all"], ["restore_drill"]):
            with pytest.raises(CommandError, match="There is no database in"):
                call_command(*words)
    assert list(tmp_path.iterdir()) == []


def test_a_copy_is_made_while_somebody_writes_and_holds_what_is_committed(
    home: dict[str, Any], target: Path, tmp_path: Path
) -> None:
    writer = sqlite3.connect(home["NAME"], isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO games_outage (since, until) VALUES (1, 2)")
    try:
        made = backup(tmp_path / "copy.zip")
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert made.manifest["rows"]["games_outage"] == 0
    restored(made.path)
    with databases.as_default(databases.opened(databases.here(NAME=target / "tock.sqlite3"))):
        assert figures.raw() == {key: made.manifest[key] for key in figures.raw()}


def test_sessions_stay_where_they_are(home: dict[str, Any], target: Path, tmp_path: Path) -> None:
    secret = "a-session-that-nobody-else-may-have"
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_session VALUES (%s, 'x', '2030-01-01')", [secret])
    made = backup(tmp_path / "copy.zip")
    restored(made.path)
    assert secret.encode() not in (target / "tock.sqlite3").read_bytes()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_session")


def test_a_restored_folder_is_private_and_never_written_over(good: Path, target: Path) -> None:
    (target / "tock.sqlite3.restoring").write_bytes(b"of a restore that was killed")
    call_command("restore", str(good))
    assert sorted(path.name for path in target.iterdir()) == ["serve.lock", "tock.sqlite3"]
    assert stat.S_IMODE((target / "tock.sqlite3").stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="never writes over one"):
        call_command("restore", str(good))


def test_a_folder_that_is_served_is_refused(good: Path, target: Path) -> None:
    with datalock.hold(target), pytest.raises(CommandError, match="stop it first"):
        call_command("restore", str(good))
    assert not (target / "tock.sqlite3").exists()


def test_damaged_and_foreign_files_are_refused_and_leave_nothing(good: Path, target: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    cut, text = tmp_path / "cut.zip", tmp_path / "text.zip"
    cut.write_bytes(whole[: len(whole) // 2])
    text.write_text("no zip at all")
    flipped = tmp_path / "flipped.zip"
    middle = len(whole) // 2
    flipped.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    refusals = {
        tmp_path / "none.zip": "There is no file",
        cut: "no whole copy",
        text: "no whole copy",
        flipped: "damaged",
        changed(good, tmp_path / "poor.zip", lambda told: told.update(migrations=[7])): "no whole copy",
        changed(good, tmp_path / "format.zip", lambda told: told.update(format="tock-backup/2")): "no whole copy",
    }
    for path, sentence in refusals.items():
        with pytest.raises(CannotDo, match=sentence):
            restored(path)
        assert list(target.iterdir()) == [], path


def test_a_copy_of_a_newer_version_and_of_the_other_database_are_refused(
    good: Path, target: Path, tmp_path: Path
) -> None:
    newer = changed(good, tmp_path / "newer.zip", lambda told: told["migrations"].append("games.9999_of_next_year"))
    with pytest.raises(CannotDo, match=r"newer version of the site \(games.9999_of_next_year\)"):
        restored(newer)
    other = changed(good, tmp_path / "other.zip", lambda told: told.update(vendor="postgresql"))
    with pytest.raises(CannotDo, match="copy of a PostgreSQL database"):
        restored(other)
    assert list(target.iterdir()) == []


def test_a_copy_that_does_not_hold_what_its_manifest_says_is_refused(good: Path, target: Path, tmp_path: Path) -> None:
    said: list[str] = []
    poorer = forged(good, tmp_path, "DELETE FROM ratings_ratingchange WHERE id = 1")
    with pytest.raises(CannotDo, match="Nothing was restored: differences in manifest, ratings"):
        restore(poorer, say=said.append)
    assert any("table ratings_ratingchange" in line for line in said)
    assert any("ratings: " in line and "difference" in line for line in said)
    assert list(target.iterdir()) == []


def test_the_last_copy_there_is_can_be_kept_despite_differences(good: Path, target: Path, tmp_path: Path) -> None:
    worse = forged(good, tmp_path, "UPDATE games_game SET epoch = 7 WHERE id = 1")
    said = restored(worse, keep_anyway=True)
    assert any("games_game" in line and "epoch" in line for line in said)
    assert said[-1] == "Kept despite differences in games."
    assert (target / "tock.sqlite3").exists()


def test_a_copy_of_an_older_version_is_migrated(good: Path, target: Path, tmp_path: Path) -> None:
    raw = forged(
        good,
        tmp_path,
        "DROP TABLE axes_accessattemptexpiration",
        "DELETE FROM django_migrations WHERE app = 'axes' AND name = '0010_accessattemptexpiration'",
    )

    def as_it_was(told: dict[str, Any]) -> None:
        told["migrations"].remove("axes.0010_accessattemptexpiration")
        del told["rows"]["axes_accessattemptexpiration"]
        told["rows"]["django_migrations"] -= 1

    said = restored(changed(raw, tmp_path / "old.zip", as_it_was))
    assert said[0] == "The copy is of an older version of the site; it is migrated."
    assert "database: good" in " ".join(said)


def test_a_full_disk_leaves_nothing_behind(
    home: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archive, "write", full)
    with pytest.raises(CannotDo, match=r"cannot be written to .*: No space left on device"):
        backup(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_while_a_copy_is_restored_is_not_blamed_on_the_copy(
    home: dict[str, Any], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1")  # no page more than there are
            cursor.execute("CREATE TABLE more AS SELECT * FROM games_gameevent")

    monkeypatch.setattr(figures, "raw", full)
    with pytest.raises(CannotDo, match="the disk is full; make free space"):
        drill(good, say=lambda line: None, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.postgresql
def test_a_restore_that_fails_leaves_postgresql_empty(home: dict[str, Any], tmp_path: Path) -> None:
    made = backup(tmp_path / "copy.zip")
    wrong = made.manifest | {"standings": "0" * 64}
    with postgresql.another(databases.here()) as empty:
        told = archive.manifest_of(made.path) | wrong
        with pytest.raises(CannotDo, match="Nothing was restored"):
            load_dump(made.path, told, empty, keep_anyway=False, say=lambda line: None)
        with databases.as_default(databases.opened(empty)):
            assert connection.introspection.table_names() == []
    with pytest.raises(CannotDo, match="is not empty"):
        restore(made.path, say=lambda line: None)


def drills() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'tock_drill_%%'")
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.postgresql
def test_a_drill_removes_the_database_of_a_killed_one_and_not_that_of_a_running_one(home: dict[str, Any]) -> None:
    with postgresql.another(databases.here()) as running:
        left = running["NAME"].rpartition("_")[0] + "_0000002a"
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{left}" TEMPLATE template0')
        with (
            databases.as_default(databases.opened(home)),  # as another process
            postgresql.another(databases.here()) as own,
        ):
            assert drills() >= {running["NAME"], own["NAME"]}
            assert left not in drills()
    assert drills().isdisjoint({running["NAME"], own["NAME"]})


@pytest.mark.postgresql
def test_a_drill_unpacks_the_copy_in_its_folder_and_not_in_the_systems_one(
    home: dict[str, Any], good: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[Path] = []
    monkeypatch.setattr(postgresql, "load", lambda source, target: places.append(source))
    for folder in (tmp_path / "drill", tmp_path / "copies"):
        folder.mkdir()
    with pytest.raises(CannotDo):
        drill(good, say=lambda line: None, folder=tmp_path / "drill")
    settings.BACKUP_DIR = tmp_path / "copies"
    with pytest.raises(CommandError):
        call_command("restore_drill", str(good))
    assert [place.relative_to(tmp_path).parts[0] for place in places] == ["drill", "copies"]
