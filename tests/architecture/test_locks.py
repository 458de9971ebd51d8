"""The lock files name versions and hashes, and no package index."""

from pathlib import Path

import pytest

from .source import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


def test_there_are_locks_for_running_and_for_testing() -> None:
    assert {"runtime.lock", "test.lock"} <= {path.name for path in LOCKS}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_a_lock_names_no_host(path: Path) -> None:
    assert [line for line in path.read_text(encoding="utf-8").splitlines() if "://" in line] == []


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_every_package_of_a_lock_is_pinned_and_hashed(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert entries
    assert [entry.split()[0] for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_what_the_site_runs_with_is_what_the_tests_run_with() -> None:
    def versions(name: str) -> dict[str, str]:
        lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
        return dict(line.split()[0].split("==") for line in lines if "==" in line.split(" ")[0])

    runtime, test = versions("runtime.lock"), versions("test.lock")
    assert runtime.items() <= test.items()
