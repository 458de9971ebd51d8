"""`python -m tests.mutants`: change the pure rooms in a seeded sample of places and count what the tests notice.

Needs cosmic-ray, which the tests themselves do not (`pip install cosmic-ray`), and one run of the tests that says which
test executes which line and how long each takes:

    COVERAGE_FILE=/tmp/contexts python -m pytest -m "not browser and not postgresql" -n 2 --cov --cov-branch \\
        --cov-context=test --cov-report= --junitxml=/tmp/times.xml
    python -m tests.mutants --coverage /tmp/contexts --times /tmp/times.xml --sample 400 --seed 1 --jobs 2

Prints each survivor with its change, and the share that was killed. A line that no test executes is a survivor.
"""

import argparse
import difflib
import queue
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from .killing import Witnesses, survives
from .population import Mutant, sample

ROOT = Path(__file__).resolve().parent.parent.parent


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--coverage", type=Path, required=True, help="coverage file with a context for each test")
    parser.add_argument("--times", type=Path, required=True, help="JUnit report of the same run")
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout to measure")
    given = parser.parse_args(words)
    root = given.root.resolve()
    mutants, witnesses = sample(root, given.sample, given.seed), Witnesses(given.coverage, given.times)
    tests = {mutant: witnesses.of(mutant) for mutant in mutants}
    with tempfile.TemporaryDirectory(prefix="tock-mutants-") as folder:
        copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(given.jobs):
            copies.put(copy_of(root, Path(folder) / str(number)))

        def tried(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                return survives(mutant, tests[mutant], copy)
            finally:
                copies.put(copy)

        survivors = []
        with ThreadPoolExecutor(given.jobs) as jobs:
            running = {jobs.submit(tried, mutant): mutant for mutant in mutants}
            for at, done in enumerate(as_completed(running), start=1):
                mutant = running[done]
                if done.result():
                    survivors.append(mutant)
                    print(f"survivor ({len(tests[mutant])} tests run it): {told(mutant, root)}", flush=True)
                if at % 20 == 0:
                    print(f"... {at} of {len(mutants)}, {len(survivors)} survive", flush=True)
    killed = len(mutants) - len(survivors)
    print(f"{killed} of {len(mutants)} mutants killed: {100 * killed / len(mutants):.1f} %")
    return 0


def copy_of(root: Path, place: Path) -> Path:
    """Copy the files that git knows, as they are now; return the place."""
    names = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in names:
        if (root / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, place / name)
    return place


def told(mutant: Mutant, root: Path) -> str:
    """Return the place and the changed lines."""
    before = (root / mutant.path).read_text("utf-8").splitlines()
    after = mutant.code(root).splitlines()
    changed = [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if line[:3] not in ("---", "+++")]
    return "\n".join([f"{mutant.path}:{mutant.line} {mutant.operator}", *changed[1:]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
