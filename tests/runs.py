"""The parts of the whole suite, and the summary line. Used by `manage.py test`."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .servers import postgres
from .servers.programs import NotHere

ROOT = Path(__file__).resolve().parent.parent
SQLITE, POSTGRESQL = "sqlite", "postgresql"
NOTHING_COLLECTED = 5  # pytest's exit code


@dataclass(frozen=True)
class Part:
    """One run of pytest: its name, its database, its arguments. `marks`: only files that use one of these marks are
    collected."""

    name: str
    database: str
    arguments: tuple[str, ...]
    marks: tuple[str, ...] = ()

    @property
    def files(self) -> list[str]:
        """Return the files to collect, none for all files: most of the time of a collection is importing."""
        if not self.marks:
            return []
        paths = sorted((ROOT / "tests").rglob("test_*.py"))
        wanted = re.compile(rf"\bmark\.({'|'.join(self.marks)})\b")
        return [str(path.relative_to(ROOT)) for path in paths if wanted.search(path.read_text("utf-8"))]


# Tests wait for servers, processes and browsers during a third of their time, so three processes keep two cores busy. A
# process that has no tests left takes tests over from the others.
THREE = ("-n", "3", "--dist", "worksteal")
PARTS = (
    Part("SQLite", SQLITE, ("-m", "not browser and not postgresql", *THREE)),
    Part(
        "PostgreSQL", POSTGRESQL, ("-m", "both_databases or postgresql", *THREE), marks=("both_databases", "postgresql")
    ),
    Part("browsers", SQLITE, ("-m", "browser", *THREE), marks=("browser",)),
)


@dataclass
class Tally:
    """The result of a part: counts by outcome, pytest's exit code, seconds."""

    counts: Counter[str]
    code: int
    seconds: float

    @property
    def summary(self) -> str:
        """Return the counts for the summary line; an error in a fixture is a failure."""
        failed = self.counts["failed"] + self.counts["error"] + self.counts["xpassed"]
        return f"{self.counts['passed']} passed, {failed} failed, {self.counts['skipped'] + self.counts['xfailed']} skipped"


def whole_or_named(words: Sequence[str]) -> int:
    """Run the suite or the paths among `words`, print the summary line, return the exit code: 0 only if all tests
    passed."""
    # When this process is terminated, it stops its pytest and its cluster too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    database, arguments = split_database(words)
    if any(names_a_path(word) for word in arguments):
        parts: Sequence[Part] = (Part("named paths", database or SQLITE, ()),)
    else:
        parts = [part for part in PARTS if database in (None, part.database)]
    # Arguments such as -k may leave a part empty; without arguments an empty part is a mistake of the suite.
    may_be_empty = bool(arguments) and len(parts) > 1
    with tempfile.TemporaryDirectory(prefix="tock-migrated-") as templates:
        # A whole run migrates again; a run with paths uses the cached database.
        more = {"TOCK_TEST_TEMPLATES": templates} if len(parts) > 1 else {}
        tallies = [run(part, arguments, more, may_be_empty=may_be_empty) for part in parts]
    for part, tally in zip(parts, tallies, strict=True):
        print(
            f"{part.name}: {tally.summary} in {tally.seconds:.0f} s"
            + (f", exit code {tally.code}" if tally.code else "")
        )
    total = Tally(sum((tally.counts for tally in tallies), Counter()), max(tally.code for tally in tallies), 0)
    if total.code == 0 and not sum(total.counts[word] for word in ("passed", "skipped", "xfailed")):
        print("No test was run.")
        total.code = NOTHING_COLLECTED
    if total.counts["skipped"]:
        print(
            f"ATTENTION: {total.counts['skipped']} skipped; the reasons stand above. TOCK_REQUIRE turns them into failures."
        )
    print(total.summary, flush=True)
    return total.code


def split_database(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the value of `--db` (None without it) and the remaining words. Raises SystemExit for another database."""
    database, left = None, []
    waiting = iter(words)
    for word in waiting:
        if word == "--db" or word.startswith("--db="):
            database = word.partition("=")[2] or next(waiting, "")
            if database not in (SQLITE, POSTGRESQL):
                raise SystemExit(f"--db takes {SQLITE} or {POSTGRESQL}, not {database!r}.")
        else:
            left.append(word)
    return database, left


def names_a_path(word: str) -> bool:
    """Return whether a pytest argument is a file, a folder or a test in a file."""
    return not word.startswith("-") and (ROOT / word.split("::")[0]).exists()


def run(part: Part, arguments: Sequence[str], more: Mapping[str, str], *, may_be_empty: bool) -> Tally:
    """Run one part and count; `more`: additional environment. A pytest process that dies without counts is one
    failure."""
    print(f"=== {part.name}", flush=True)
    since = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tock-tally-") as folder, database_of(part) as environment:
        path = Path(folder) / "counts.json"
        command = [sys.executable, "-m", "pytest", *part.arguments, *arguments, *part.files]
        code = subprocess.call(command, cwd=ROOT, env={**environment, **more, "TOCK_TEST_TALLY": str(path)})
        counts = Counter(json.loads(path.read_text(encoding="ascii"))) if path.exists() else Counter()
    if code == NOTHING_COLLECTED and may_be_empty:
        code = 0
    if code and not counts["failed"] + counts["error"]:
        counts["error"] += 1
    return Tally(counts, code, time.monotonic() - since)


@contextlib.contextmanager
def database_of(part: Part) -> Iterator[dict[str, str]]:
    """Give the environment of a part; its cluster runs as long as the part."""
    environment = {k: v for k, v in os.environ.items() if k not in ("TOCK_TEST_DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    if part.database == SQLITE:
        yield environment
        return
    with contextlib.ExitStack() as stack:
        try:
            running = stack.enter_context(postgres.cluster())
        except NotHere as reason:
            yield environment | {"TOCK_NO_POSTGRESQL": str(reason)}
            return
        yield environment | {"TOCK_TEST_DATABASE_URL": running.url, "TOCK_THROWAWAY": "1"}
