"""The data folder: its owner's alone, one server at a time, and a sentence instead of a traceback when it is damaged."""

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import migrated
from tock_league.embedded import datalock, folder, process
from tock_league.upkeep import databases

from .serving import environment

ROOT = Path(__file__).resolve().parent.parent.parent
HOLDER = "import sys; from pathlib import Path; from tock_league.embedded import datalock\n"
HOLDER += "with datalock.hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the data folder, as a running `serve` does."""
    (tmp_path / "club").mkdir()
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "club")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    yield other
    other.kill()
    other.communicate()


def refused(path: Path) -> str:
    with pytest.raises(datalock.Taken) as taken, datalock.hold(path):
        pass
    return str(taken.value)


def test_a_second_server_is_refused_also_after_its_lock_file_was_deleted(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    club = tmp_path / "club"
    assert refused(club) == str(holder.pid)
    (club / "serve.lock").unlink()
    assert refused(club) == ""
    (club / "serve.lock").write_text("")
    assert refused(club) == ""


def test_the_same_folder_or_database_by_another_name_is_refused_too(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "by link").symlink_to(tmp_path / "club")
    assert refused(tmp_path / "by link") == str(holder.pid)
    (tmp_path / "club" / "tock.sqlite3").write_bytes(b"")
    other = tmp_path / "other"
    other.mkdir()
    (other / "tock.sqlite3").symlink_to(tmp_path / "club" / "tock.sqlite3")
    assert refused(other) == ""
    (tmp_path / "club").rename(tmp_path / "moved")
    (tmp_path / "moved" / "serve.lock").unlink()
    assert refused(tmp_path / "moved") == ""


def test_a_killed_server_leaves_the_folder_free(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with datalock.hold(tmp_path / "club"):
        pass


def test_an_empty_or_damaged_key_is_a_sentence(tmp_path: Path) -> None:
    key = folder.secret_key(tmp_path)
    assert len(key) >= 50
    assert folder.secret_key(tmp_path) == key
    for content in (b"", b"\n", b"short", b"\xff\xfe\x00" * 20, b"two words " * 6):
        (tmp_path / "secret_key").write_bytes(content)
        with pytest.raises(folder.Unusable, match=r"The key in .*secret_key is empty or damaged\. Delete the file"):
            folder.secret_key(tmp_path)


def test_a_folder_that_cannot_be_made_or_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "club"):
        with pytest.raises(folder.Unusable, match=r"cannot be used as the data folder: .*\. Choose another"):
            folder.prepare(path)

    def full(*args: Any, **more: Any) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(folder.Unusable, match="cannot be used as the data folder: Read-only file system"):
        folder.secret_key(tmp_path)
    with pytest.raises(folder.Unusable, match="Read-only file system"), datalock.hold(tmp_path):
        pass


def test_the_files_of_an_existing_folder_become_the_owners_alone(tmp_path: Path) -> None:
    club = tmp_path / "club"
    for path in (
        "mail/reset.log",
        "backups/tock-20260101T000000Z.zip",
        "tock.sqlite3",
        "tock.sqlite3-wal",
        "secret_key",
    ):
        (club / path).parent.mkdir(parents=True, exist_ok=True)
        (club / path).write_text("")
    outside = tmp_path / "outside"
    outside.write_text("")
    outside.chmod(0o644)
    (club / "tock.sqlite3-shm").symlink_to(outside)
    for path in (club, *club.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o777)
    folder.make_private(club)
    modes = {
        path.name: stat.S_IMODE(path.lstat().st_mode) for path in (club, *club.rglob("*")) if not path.is_symlink()
    }
    assert {name: mode for name, mode in modes.items() if mode & 0o077} == {}
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644

    (club / "holiday.jpg").write_text("somebody keeps other things here")
    club.chmod(0o755)
    folder.make_private(club)
    assert stat.S_IMODE(club.stat().st_mode) == 0o755


# --- what serve says -------------------------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path, db: None, monkeypatch: pytest.MonkeyPatch, migrated_database: bool) -> Iterator[Path]:
    """A data folder whose database is the default one; `serve` cannot get further than its preparation."""

    def too_far(*args: Any) -> None:
        raise AssertionError("the site was served")

    monkeypatch.setattr(process, "run", too_far)
    monkeypatch.setattr(process.signal, "signal", lambda number, handler: None)
    migrated.seed(tmp_path)
    with databases.as_default(databases.opened(databases.here(NAME=tmp_path / "tock.sqlite3"))):
        before = os.umask(0o022)
        yield tmp_path
        os.umask(before)


def served(path: Path) -> str:
    with pytest.raises(process.CannotServe) as reason:
        process.serve(data=path, host="127.0.0.1", port=0, demo=False, say=lambda line: None)
    return str(reason.value)


def test_a_damaged_database_is_a_sentence_that_says_what_to_do(club: Path) -> None:
    database = club / "tock.sqlite3"
    whole = database.read_bytes()
    page = 4096
    damages = {
        "no database": b"This is no database at all. " * 1000,
        "cut off": whole[: len(whole) // 3],
        "empty pages": whole[:page] + bytes(page * 40) + whole[page * 41 :],
        "a wrong page in the middle": whole[: page * 200] + os.urandom(page * 20) + whole[page * 220 :],
    }
    for name, content in damages.items():
        database.write_bytes(content)
        said = served(club)
        assert "is damaged" in said, (name, said)
        assert "manage.py restore" in said, (name, said)
        assert database.read_bytes() == content, name
        databases.connection.close()


def test_a_wrong_list_of_proxies_is_a_sentence_before_anything_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1,proxy.example")
    monkeypatch.setattr(process, "run", lambda *_words: pytest.fail("it goes on to serve"))
    monkeypatch.setattr(process.datalock, "hold", lambda _path: pytest.fail("it takes the folder"))
    monkeypatch.setattr(process.signal, "signal", lambda number, handler: None)
    said = served(tmp_path / "new")
    assert "FORWARDED_ALLOW_IPS" in said
    assert "'proxy.example' is no address" in said
    assert not (tmp_path / "new").exists()


def test_a_full_disk_at_the_first_start_is_a_sentence(club: Path) -> None:
    """The limit of a process's files stands for the disk: both end a write, with different numbers."""
    import resource

    for path in club.glob("tock.sqlite3*"):
        path.unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        said = served(club)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        databases.connection.close()
    assert "disk" in said
    assert "free space" in said.lower()


def test_a_database_that_another_program_holds_is_a_sentence(club: Path) -> None:
    import sqlite3

    databases.connection.settings_dict["OPTIONS"] = databases.connection.settings_dict["OPTIONS"] | {"timeout": 0.1}
    with sqlite3.connect(club / "tock.sqlite3", isolation_level=None) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        said = served(club)
        other.execute("ROLLBACK")
    other.close()
    assert "Another program uses the database" in said


def test_serve_says_it_and_shows_no_traceback(tmp_path: Path) -> None:
    """Through manage.py, as a person starts it."""
    (tmp_path / "secret_key").write_text("")
    command = [sys.executable, "manage.py", "serve", "--no-demo", "--data", str(tmp_path), "--port", "0"]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stdout + done.stderr == (
        f"The key in {tmp_path / 'secret_key'} is empty or damaged. Delete the file: a new key is made at the next start,"
        " and everybody signs in again. Authenticator apps and recovery codes need the former key: put it, if it is kept,"
        " into SECRET_KEY_FALLBACKS.\n"
    )
    shutil.rmtree(tmp_path)
