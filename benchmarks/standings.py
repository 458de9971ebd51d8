"""What standings and brackets cost each reader: `python benchmarks/standings.py [--database ..] [--before COMMIT] [--data ..]`.

Makes a league of 20 teams, Swiss tournaments and knockouts of 20, 128 and 256, decides their first rounds, and requests the pages
that show standings or a bracket, as a visitor. Prints for each page the CPU time of the first request after a change and
the median of those that follow, the size of the HTML and the number of queries. With `--before`, the same requests are made
of that commit, on the same database in the same run.
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SIZES = (20, 128, 256)  # the form allows 128 teams; the pages must stand more
MOST = 256
ROUNDS = 7  # of a Swiss tournament, the last one under way
TIMES = 7  # requests of a page
TARGET_MS, TARGET_KB = 100, 150
BUILD, MEASURE = "--build", "--measure"
EMBEDDED = "tock_league.settings.embedded"


def build() -> None:
    """Make the competitions in an empty database."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from tests.competitions.world import START, a_league, a_plan, a_tournament, decide, play_on
    from tock_league.accounts.permissions import SITE
    from tock_league.common import clock
    from tock_league.competitions.services.seasons import creation, tournaments

    tournaments.MAX_SIZE = MOST
    with clock.frozen(START):
        creation.create_season(by=SITE, name="2026", starts_on=date(2026, 9, 1), ends_on=date(2027, 8, 31))
        league = a_league(20)
        for match in league.matches.order_by("round__number", "number")[:195]:
            decide(match, match.pk % 3 % 2)
        for size in SIZES:
            breaks = ("buchholz", "sonneborn_berger", "wins", "margin", "lots")
            made = a_tournament(size, plan=a_plan("swiss", rounds=ROUNDS), tiebreaks=breaks)
            play_on(made, wins=lambda match: match.pk % 3 % 2, matches=size // 2 * (ROUNDS - 1) + size // 8)
        for size in SIZES:
            play_on(a_tournament(size), matches=size // 2 + size // 8)


def measure() -> list[dict[str, Any]]:
    """Return the figures of each page, in a database that `build` has filled."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from tock_league.competitions.models import Competition

    settings.ALLOWED_HOSTS = ["*"]
    told = []
    for made in Competition.objects.order_by("pk"):
        kind = "league" if not made.is_planned else str(made.plan["kind"])
        address = reverse("competitions:competition", args=[made.slug])
        client, seconds = Client(headers={"accept-language": "en"}), []
        client.get(reverse("competitions:list"), secure=True)
        for _ in range(TIMES):
            begin = time.process_time()
            answer = client.get(address, secure=True)
            seconds.append(time.process_time() - begin)
            assert answer.status_code == 200, (address, answer.status_code)
        with CaptureQueriesContext(connection) as queries:
            client.get(address, secure=True)
        told.append(
            {
                "page": f"{kind} of {made.entries.count()}",
                "first": 1000 * seconds[0],
                "median": 1000 * statistics.median(seconds[1:]),
                "kb": len(answer.content) / 1000,
                "queries": len(queries),
            }
        )
    return told


@contextmanager
def tree(commit: str) -> Iterator[Path]:
    """Give a folder with the code of a commit, and this file in it."""
    with tempfile.TemporaryDirectory(prefix="tlb") as folder:
        where = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(where), commit], check=True)
        try:
            (where / "benchmarks" / "standings.py").write_bytes(Path(__file__).read_bytes())
            yield where
        finally:
            subprocess.run([*git, "remove", "--force", str(where)], check=True)


def inside(where: Path, environment: dict[str, str], what: str) -> str:
    """Run this file with the code in `where`; return the last line that it prints."""
    command = [sys.executable, "-m", "benchmarks.standings", what]
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-4000:])
    return done.stdout.rstrip().rpartition("\n")[2]


def both(environment: dict[str, str], commit: str | None) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """Return the figures of a commit by page, none without one, and those of this code."""
    before: dict[str, dict[str, Any]] = {}
    if commit:
        with tree(commit) as where:
            before = {row["page"]: row for row in json.loads(inside(where, environment, MEASURE))}
    return before, json.loads(inside(ROOT, environment, MEASURE))


def main() -> None:
    from benchmarks.table_load.places import place
    from tests.plant.serving import environment as plain_environment

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--before", metavar="COMMIT", help="compare with this commit")
    parser.add_argument(
        "--data", metavar="FOLDER", help="keep the SQLite database there, and use what another run has made"
    )
    given = parser.parse_args()
    if given.data:
        environment = plain_environment() | {"DJANGO_SETTINGS_MODULE": EMBEDDED, "TOCK_DATA": given.data}
        if not (Path(given.data) / "tock.sqlite3").exists():
            inside(ROOT, environment, BUILD)
        before, now = both(environment, given.before)
    else:
        with place(given.database) as made:
            inside(ROOT, made.environment, BUILD)
            before, now = both(made.environment, given.before)
    print(f"{given.database}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}, CPU time.\n")
    print("| page | first ms | each ms | kB | queries | of the target | before: each ms | kB | queries |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in now:
        share = max(row["median"] / TARGET_MS, row["kb"] / TARGET_KB)
        old = before.get(row["page"])
        cells = [f"{row['first']:.0f}", f"{row['median']:.0f}", f"{row['kb']:.0f}", str(row["queries"]), f"{share:.2f}"]
        cells += [f"{old['median']:.0f}", f"{old['kb']:.0f}", str(old["queries"])] if old else ["", "", ""]
        print(f"| {row['page']} | {' | '.join(cells)} |")


if __name__ == "__main__":
    if BUILD in sys.argv or MEASURE in sys.argv:
        import django

        django.setup()
        if BUILD in sys.argv:
            build()
        else:
            print(json.dumps(measure()))
    else:
        main()
