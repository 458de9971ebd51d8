"""A day of virtual time at many tables, embedded settings: `python -m tests.soak.day [--tables 200] [--hours 24]`.

Half of the tables are matches of four people with clocks, half practice tables of one person and three bots. Each
person has a socket and keeps its current view; after a game a new table is opened. Time is virtual: it advances between
plays, and the scheduler's rounds are called as its thread would do. Prints memory, threads, open files, tasks and plays
of each virtual hour. Fails if the last quarter of the day uses more than the second one.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

STEP_S = 20  # virtual seconds between two steps of a person
ROUND_S = 2  # virtual seconds between two rounds of the scheduler
BEGIN = datetime(2026, 11, 21, 12, tzinfo=UTC)
GROWTH = 1.1  # maximum factor of the memory from the second quarter to the last


@dataclass(frozen=True, slots=True)
class Figures:
    """The resources of the process at the end of a virtual hour."""

    hour: int
    memory: float  # resident, in MB
    threads: int
    files: int  # open ones
    tasks: int
    plays: int  # since the start
    games: int  # ended since the start
    seconds: float  # real time that the hour took

    def line(self) -> str:
        """Return the row of the table that is printed."""
        return (
            f"{self.hour:>4} h {self.memory:>8.1f} MB {self.threads:>3} threads {self.files:>4} files"
            f" {self.tasks:>5} tasks {self.plays:>8} plays {self.games:>5} games {self.seconds:>6.0f} s"
        )


def figures(hour: int, plays: int, games: int, since: float) -> Figures:
    """Return the current figures of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Figures(
        hour=hour,
        memory=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        threads=threading.active_count(),
        files=len(os.listdir("/proc/self/fd")),
        tasks=len(asyncio.all_tasks()),
        plays=plays,
        games=games,
        seconds=time.monotonic() - since,
    )


def flat(hours: list[Figures]) -> bool:
    """Return whether the last quarter uses no more than the second one, with a tolerance of a tenth."""
    quarter = max(1, len(hours) // 4)
    then, now = hours[quarter : 2 * quarter] or hours[:1], hours[-quarter:]
    return (
        mean(each.memory for each in now) <= GROWTH * mean(each.memory for each in then)
        and max(each.threads for each in now) <= max(each.threads for each in then)
        and max(each.files for each in now) <= 1.1 * max(each.files for each in then)
        and max(each.tasks for each in now) <= 1.1 * max(each.tasks for each in then)
    )


async def day(tables: int, hours: int) -> bool:
    """Play, print, and return whether everything stayed flat."""
    from games.live import limits
    from games.live.threads import in_thread
    from tests.soak.tables import open_tables
    from tock_league.common import clock
    from tock_league.embedded.scheduler import Scheduler
    from tock_league.embedded.server import spare_collections

    limits.frames = limits.commands = lambda: limits.Rate(100_000, 1.0)
    roll, scheduler, found = random.Random(1), Scheduler(), []
    with clock.frozen(BEGIN) as hand:
        await in_thread(scheduler.round)
        played = await open_tables(tables)
        spare_collections()  # garbage collection as rare as in a server
        for hour in range(1, hours + 1):
            since = time.monotonic()
            for _ in range(3600 // STEP_S):
                for _ in range(STEP_S // ROUND_S):
                    hand.advance(seconds=ROUND_S)
                    await in_thread(scheduler.round)
                await asyncio.gather(*(table.step(roll) for table in played))
            plays, games = sum(table.plays for table in played), sum(table.games for table in played)
            found.append(figures(hour, plays, games, since))
            print(found[-1].line(), flush=True)
        for table in played:
            await table.leave()
    return flat(found)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.day", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--hours", type=int, default=24)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tock-day-") as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "tock_league.settings.embedded", "TOCK_DATA": folder}
        import django

        django.setup()
        logging.getLogger("games.live.traces").setLevel(logging.ERROR)  # all act at once: every command is slow
        from tock_league.embedded.process import migrate

        migrate(print)
        fine = asyncio.run(day(given.tables, given.hours))
    print("flat" if fine else "NOT flat: see the last hours")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
