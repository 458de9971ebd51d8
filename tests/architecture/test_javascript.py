"""The check "JavaScript" of check_all: it runs the locked versions, and says why it cannot run."""

import json
from pathlib import Path

import pytest

from tock_league.management import javascript
from tock_league.management.commands.check_all import Check, Command

LOCK = {"node_modules/linter": {"version": "2.0.0"}, "node_modules/linter-windows": {"version": "2.0.0"}}
UNABLE = Check("JavaScript", ("false",), lacking=lambda: "Node is not installed.")


def fill(folder: Path, installed: dict[str, dict[str, str]] | None) -> Path:
    """Write a lock file and npm's list of installed packages into `folder`, and return the folder."""
    (folder / "package-lock.json").write_text(json.dumps({"packages": {"": {}, **LOCK}}))
    if installed is not None:
        (folder / "node_modules").mkdir()
        (folder / "node_modules" / ".package-lock.json").write_text(json.dumps({"packages": installed}))
    return folder


@pytest.mark.parametrize(
    ("installed", "fine"),
    [
        (None, False),
        ({}, False),
        ({"node_modules/linter": {"version": "1.9.0"}}, False),
        ({"node_modules/other": {"version": "2.0.0"}}, False),
        ({"node_modules/linter": {"version": "2.0.0"}}, True),
    ],
)
def test_the_packages_are_those_of_the_lock(
    tmp_path: Path, installed: dict[str, dict[str, str]] | None, fine: bool
) -> None:
    assert javascript.installed(fill(tmp_path, installed)) is fine


def test_the_lock_names_no_address() -> None:
    assert "http" not in "".join(
        line
        for line in (javascript.FOLDER / "package-lock.json").read_text(encoding="utf-8").splitlines()
        if '"url"' not in line
    )


@pytest.mark.parametrize(("ci", "fine"), [("", True), ("true", False)])
def test_a_check_that_cannot_run_is_skipped_but_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, fine: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    assert Command().passes(UNABLE) is fine
    said = capsys.readouterr().out
    assert "JavaScript: Node is not installed." in said
    assert said.startswith("skipped" if fine else "FAILED")
