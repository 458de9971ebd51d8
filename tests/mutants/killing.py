"""Run the tests that execute a mutated line against the mutant, quickest first, in a copy of the project."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

from .population import Mutant

STEPS = (0, 12, 80, 1500)  # a mutant that survives the first twelve tests meets the next ones
SECONDS = 240
# Rooms whose tests need no database come first: most mutants die there.
PURE = ("tests/engine", "tests/rules", "tests/competitions/core", "tests/ratings/core", "tests/arbitration/core")


class Witnesses:
    """Which tests execute a line: from a coverage file with a context for each test (pytest-cov, `--cov-context=test`)."""

    def __init__(self, data: Path, times: Path) -> None:
        self.seconds = _seconds(times)
        self.data = CoverageData(str(data))
        self.data.read()
        self.files = {path.removeprefix(_root_of(self.data)): path for path in self.data.measured_files()}

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests, quick ones first, the test files taking turns. Of a line run at import: of its whole file."""
        lines = self.data.contexts_by_lineno(self.files[mutant.path]) if mutant.path in self.files else {}
        here = {name for line in range(mutant.line, mutant.last + 1) for name in lines.get(line, ())}
        if here <= {""}:
            here = {name for names in lines.values() for name in names}
        tests = {name.rpartition("|")[0] for name in here if name}
        return _in_turns(sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test)))


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
    path.write_text(mutant.code(copy), "utf-8")
    try:
        return all(_passes(part, copy) for start, end in pairwise(STEPS) if (part := tests[start:end]))
    finally:
        path.write_text(whole, "utf-8")


def _passes(tests: Sequence[str], copy: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:randomly", *tests]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
