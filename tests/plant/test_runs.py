"""The `test` command: what it runs, what it counts, what it returns."""

from collections import Counter
from pathlib import Path

import pytest

from tests import runs
from tests.runs import POSTGRESQL, SQLITE, Part, Tally


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with its own suite: one test passes, one fails, one is skipped, one has a failing fixture."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # loading the plugins takes longer than these tests
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(
        "import json, os, pathlib\n"
        "def pytest_terminal_summary(terminalreporter):\n"
        "    counts = {k: len(v) for k, v in terminalreporter.stats.items() if k}\n"
        "    pathlib.Path(os.environ['TOCK_TEST_TALLY']).write_text(json.dumps(counts))\n"
    )
    (tmp_path / "test_fine.py").write_text("def test_one(): pass\n")
    (tmp_path / "test_mixed.py").write_text(
        "import pytest\ndef test_one(): pass\ndef test_two(): assert False\n"
        "def test_three(): pytest.skip('for want of a server')\ndef test_four(no_such_fixture): pass\n"
    )
    (tmp_path / "test_dies.py").write_text("import os\ndef test_one(): os._exit(3)\n")
    monkeypatch.setattr(runs, "ROOT", tmp_path)
    return tmp_path


def last_line(capfd: pytest.CaptureFixture[str]) -> str:
    return capfd.readouterr().out.splitlines()[-1]


def test_a_named_path_runs_once_and_is_counted(suite: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert runs.whole_or_named(["test_fine.py"]) == 0
    assert last_line(capfd) == "1 passed, 0 failed, 0 skipped"


def test_failures_errors_and_skips_are_counted_and_end_with_a_code(
    suite: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert runs.whole_or_named(["test_mixed.py"]) == 1
    assert last_line(capfd) == "1 passed, 2 failed, 1 skipped"


def test_a_run_that_dies_is_a_failure(suite: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert runs.whole_or_named(["test_dies.py"]) == 3
    assert last_line(capfd) == "0 passed, 1 failed, 0 skipped"


def test_a_path_without_tests_is_no_success(suite: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (suite / "test_empty.py").write_text("")
    assert runs.whole_or_named(["test_empty.py"]) != 0
    assert "0 passed" in last_line(capfd)


def test_without_paths_every_part_runs_and_the_counts_are_added(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = (Part("one", SQLITE, ("test_fine.py",)), Part("two", SQLITE, ("-k", "one", "test_mixed.py")))
    monkeypatch.setattr(runs, "PARTS", parts)
    assert runs.whole_or_named([]) == 0
    assert last_line(capfd) == "2 passed, 0 failed, 0 skipped"


def test_the_suite_runs_on_both_databases_and_with_browsers() -> None:
    assert [(part.database, part.arguments[1]) for part in runs.PARTS] == [
        (SQLITE, "not browser and not postgresql"),
        (POSTGRESQL, "both_databases or postgresql"),
        (SQLITE, "browser"),
    ]
    races, browsers = "tests/games/test_races.py", "tests/e2e/test_evening.py"
    assert [(races in part.files, browsers in part.files) for part in runs.PARTS[1:]] == [(True, False), (False, True)]


def test_the_database_is_taken_out_of_pytests_arguments() -> None:
    assert runs.split_database(["-x", "--db", "postgresql", "tests/games"]) == ("postgresql", ["-x", "tests/games"])
    assert runs.split_database(["--db=sqlite"]) == ("sqlite", [])
    assert runs.split_database(["-k", "db"]) == (None, ["-k", "db"])
    with pytest.raises(SystemExit, match="not 'oracle'"):
        runs.split_database(["--db", "oracle"])


def test_an_error_while_setting_up_is_a_failure() -> None:
    assert Tally(Counter(passed=3, error=1, failed=1, skipped=2), 1, 0.5).summary == "3 passed, 2 failed, 2 skipped"
