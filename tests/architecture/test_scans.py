"""The dependency audit and the secret scan fail when they find something, and when they could not look."""

import json
import subprocess
from pathlib import Path

import pytest

from tock_league.management import secret_scan
from tock_league.management.commands.check_all import AUDIT, FAST

KEYS = {
    "AWS Access Key": "AKIA" + "IOSFODNN7EXAMPLQ",
    "Private Key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "GitHub Token": "ghp_" + "a1B2" * 9,
    "Stripe Access Key": "sk_live_" + "a1B2" * 6,
    "Basic Auth Credentials": "https://martine:" + "gelinas1951@example.org/",
}


def done(code: int, told: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.CompletedProcess([], code, told if isinstance(told, str) else json.dumps(told), "")


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_in_any_file_is_found(tmp_path: Path, kind: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "notes.md").write_text(f"first line\nremember: {KEYS[kind]}\n")
    assert f"docs/notes.md:2: {kind}" in list(secret_scan.found_in(["docs/notes.md"], tmp_path))


def test_a_password_in_the_sites_code_is_found_and_one_in_a_test_is_not(tmp_path: Path) -> None:
    for folder in ("tock_league", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.py").write_text('password = "hunter2-and-more"\n')
    names = ["tock_league/one.py", "tests/one.py"]
    assert list(secret_scan.found_in(names, tmp_path)) == ["tock_league/one.py:1: Secret Keyword"]


def test_a_scan_without_files_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(secret_scan, "ROOT", tmp_path)  # no repository
    assert secret_scan.main() == 1
    monkeypatch.setattr(secret_scan, "files", lambda: ["one.py"])
    assert secret_scan.main() == 1


def test_the_scan_is_part_of_the_fast_checks() -> None:
    assert "secret scan" in {check.name for check in FAST}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (1, {"dependencies": [{"name": "django", "version": "5.2.19", "vulns": []}]}),
        (0, ""),
        (0, "no network"),
        (0, {}),
        (0, {"dependencies": []}),
        (0, {"dependencies": [{"name": "django", "skip_reason": "the service did not answer"}]}),
    ],
)
def test_an_audit_that_found_something_or_could_not_look_fails(code: int, told: object) -> None:
    assert AUDIT.verdict(done(code, told)) is False


def test_an_audit_that_looked_and_found_nothing_passes() -> None:
    assert AUDIT.verdict(done(0, {"dependencies": [{"name": "django", "version": "5.2.19", "vulns": []}]})) is True
