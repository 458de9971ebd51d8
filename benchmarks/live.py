"""Speed of the live table beside a bare `websockets` echo: `python benchmarks/live.py [--database ..] [--quick]
[--profile]`.

For SQLite (embedded settings) and PostgreSQL with Redis (production settings) it creates its own database, fills it
through services, starts the real server as a process and plays at N tables, six screens each (four seats, two
spectators), over plain `websockets` clients. A play is an acknowledged `cmd` (play or exchange). The bare peer is a
process with the same event loop that answers each frame by one ack and six frames of the same sizes; both are measured
in the same run by the same driver.

CPU is that of the server process (/proc, so Linux only). Latency is measured from the time at which a play was due to
its ack. The driver runs on the same machine: rates and latencies are those of an idle machine with two cores or more.
Only the server's rate limits of frames and commands are raised. Exits with an error when a goal is missed.
"""

import argparse
import asyncio
import gc
import os
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")

from benchmarks.table_load import report
from benchmarks.table_load.places import place
from benchmarks.table_load.run import Results, Run, Size
from tests.servers.programs import NotHere
from tock_league.embedded.server import config


def say(line: str) -> None:
    """Print the progress to standard error; the report goes to standard output."""
    print(f"  {line}", file=sys.stderr, flush=True)


def measure(database: str, size: Size, *, profile: bool) -> Results:
    """Return the figures of one database."""
    say(f"{database} ...")
    with place(database) as made:
        run = Run(made, size, say)
        run.furnish()
        gc.collect()
        gc.freeze()
        with asyncio.Runner(loop_factory=config().get_loop_factory()) as runner:
            return runner.run(run.everything(profile=profile))


def main() -> bool:
    """Measure, print, and return whether all goals are met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--quick", action="store_true", help="100 tables instead of 300 and short loads")
    parser.add_argument(
        "--profile", action="store_true", help="also print the statements and the functions that cost most"
    )
    given = parser.parse_args()
    size = Size().quick if given.quick else Size()
    fine = True
    loop = config().get_loop_factory()
    print(f"`python benchmarks/live.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, ", end="")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, ", end="")
    print(f"loop {getattr(loop, '__module__', loop)}")
    for database in ("sqlite", "postgresql") if given.database == "both" else (given.database,):
        try:
            found = measure(database, size, profile=given.profile)
        except NotHere as missing:
            print(f"\n{database}: {missing}")
            fine = False
            continue
        text, met = report.table(found)
        print(text, flush=True)
        fine &= met
        if given.profile:
            print(report.profile(found), report.statements(found), sep="\n", flush=True)
    return fine


if __name__ == "__main__":
    sys.exit(not main())
