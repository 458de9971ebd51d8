"""Commands that read a data folder refuse one without a database, and write nothing there."""

import os
from pathlib import Path

import pytest

from tock_league import bootstrap


@pytest.fixture
def run(monkeypatch):
    """Run a command as `manage.py` does, up to where Django takes over; return the umask that it would have."""

    def start(*words: str) -> int:
        seen = []

        class Django:
            @staticmethod
            def execute_from_command_line(_argv: list[str]) -> None:
                seen.append(os.umask(0o022))

        monkeypatch.setattr(bootstrap.importlib, "import_module", lambda _name: Django)
        bootstrap.run(["manage.py", *words], words[0])
        return seen[0]

    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", bootstrap.EMBEDDED)
    monkeypatch.setenv("TOCK_DATA", "")
    before = os.umask(0o022)
    yield start
    os.umask(before)


@pytest.mark.parametrize("command", ["backup", "verify_all", "restore_drill", "move_to"])
def test_a_mistyped_folder_is_named_and_not_made(run, tmp_path: Path, command):
    typo = tmp_path / "typo"
    with pytest.raises(bootstrap.Stop, match=r"There is no database in .*typo; name the data folder with --data\."):
        run(command, "--data", str(typo))
    assert not typo.exists()


def test_what_commands_write_is_their_owners_alone(run, tmp_path: Path):
    (tmp_path / "tock.sqlite3").write_bytes(b"not empty")
    assert run("backup", "--data", str(tmp_path)) == 0o077
    assert run("restore", "copy.zip", "--data", str(tmp_path / "new")) == 0o077
