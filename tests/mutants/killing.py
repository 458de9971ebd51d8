"""Run the tests that execute a mutated line against the mutant, quickest first, in a copy of the project."""

import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, count, pairwise
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

from .population import Mutant

STEPS = (0, 12, 80, 1500)  # a mutant that survives the first twelve tests meets the next ones
QUICK = 0.2  # seconds; slower tests come last
OVERHEAD = 0.02
AT_MOST = 60.0  # seconds, by the report, of all tests tried on a mutant; a mutant that only later tests kill survives
TIMEOUT = 240  # seconds after which a mutant counts as an infinite loop
_seconds_of_writing = count(int(time.time()) + 86_400)  # no file of a fresh copy has such a time
# The room's own tests, in order, run after the tests that execute the line: a value that is cached is computed only in
# the first test that needs it, and constants when a module is imported.
OWN = {
    "games/engine": ("tests/rules/", "tests/engine/"),
    "games/fold": ("tests/games/",),
    "tock_league/competitions/core": ("tests/competitions/core/", "tests/competitions/"),
    "ratings/core": ("tests/ratings/",),
    "tock_league/arbitration/core": ("tests/arbitration/core/",),
    "tock_league/journal": ("tests/journal/",),
}
# Rooms whose tests need no database come first: most mutants die there.
PURE = ("tests/engine", "tests/rules", "tests/competitions/core", "tests/arbitration/core")


class Witnesses:
    """Which tests execute a line: from a coverage file with a context for each test (pytest-cov, `--cov-context=test`)."""

    def __init__(self, data: Path, times: Path) -> None:
        self.seconds = _seconds(times)
        self.data = CoverageData(str(data))
        self.data.read()
        self.tests = sorted({name.rpartition("|")[0] for name in self.data.measured_contexts() if name})
        self.files = {path.removeprefix(_root_of(self.data)): path for path in self.data.measured_files()}

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the line, quick ones first, then those of the room, the test files taking turns."""
        lines = self.data.contexts_by_lineno(self.files[mutant.path]) if mutant.path in self.files else {}
        here = {name for line in range(mutant.line, mutant.last + 1) for name in lines.get(line, ())}
        tests = {name.rpartition("|")[0] for name in here if name}
        own = next(folder for room, folder in OWN.items() if mutant.path.startswith(room))
        others = [test for test in self.tests if test.startswith(own) and test not in tests]
        chosen = [*self._in_order(tests), *self._in_order(others)]
        spent = accumulate(self.seconds.get(test, 0.0) + OVERHEAD for test in chosen)
        return [test for test, seconds in zip(chosen, spent, strict=True) if seconds <= AT_MOST]

    def _in_order(self, tests: Iterable[str]) -> list[str]:
        order = sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test))
        quick = [test for test in order if self.seconds.get(test, 0.0) < QUICK]
        return [*_in_turns(quick), *_in_turns(order[len(quick) :])]


def _root_of(data: CoverageData) -> str:
    place = next(path for path in data.measured_files() if path.endswith("games/engine/cards.py"))
    return place.removesuffix("games/engine/cards.py")


def _seconds(times: Path) -> dict[str, float]:
    """Return how long each test took, by its name as pytest takes it, from a report in JUnit's form."""
    found = {}
    for case in ElementTree.parse(times).iter("testcase"):
        words = case.attrib["classname"].split(".")
        depth = next(at for at, word in enumerate(words) if word.startswith("test_"))
        file = "/".join(words[: depth + 1]) + ".py"
        found["::".join([file, *words[depth + 1 :], case.attrib["name"]])] = float(case.attrib["time"])
    return found


def _in_turns(tests: Sequence[str]) -> list[str]:
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    order = sorted(files, key=lambda name: (not name.startswith(PURE), name))
    turns = [[files[name][at] for name in order if at < len(files[name])] for at in range(len(tests))]
    return [test for turn in turns for test in turn]


def survives(mutant: Mutant, tests: Sequence[str], copy: Path) -> bool:
    """Return whether every test passes on the mutant, which stands in `copy` meanwhile. A timeout kills it."""
    path = copy / mutant.path
    whole = path.read_text("utf-8")
    _write(path, mutant.code(copy))
    try:
        return all(_passes(part, copy) for start, end in pairwise(STEPS) if (part := tests[start:end]))
    finally:
        _write(path, whole)


def _write(path: Path, text: str) -> None:
    """Write a file under a time of its own, so that Python never takes the bytecode of another version for it."""
    path.write_text(text, "utf-8")
    second = next(_seconds_of_writing)
    os.utime(path, (second, second))


def _passes(tests: Sequence[str], copy: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:randomly", *tests]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(copy / "bytecode")
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
