"""Bots at many tables of one process: `python benchmarks/bots.py [seconds] [club tables] [master tables]`.

A fresh SQLite file with so many tables of four bots each (50 and 0 unless told otherwise), the scheduler of one web
process, and nobody else; bots have no minimum thinking time, so that what is measured is the machine. Prints, per level,
plays a second and the seconds from one play of a table to its next (median, 95 in 100); the CPU a play costs; and how late
a thread is that wakes up every 10 ms, as the one that answers people does.
"""

import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

WARM_UP = 120.0  # seconds, at most, until every table has its first play: everybody is ready and gives a card
NAP = 0.01


def prepare(folder: str) -> None:
    """Set Django up on a new database in `folder`."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tock_league.settings.embedded"
    os.environ["TOCK_DATA"] = folder
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.TOCK_BOT_PACE_MS = 0
    call_command("migrate", verbosity=0, interactive=False)


def open_tables(level: str, count: int) -> list[int]:
    """Open tables of four bots; return their ids."""
    from games.services.tables import SeatPlan, open_match_table

    names = ["A", "B"]
    return [
        open_match_table(
            rules="shawinigan/1",
            name=f"{level} {number}",
            seat_plan=[SeatPlan(seat, bot=level) for seat in range(4)],
            team_names=names,
            bots_allowed=True,
            rated=False,
            best_of=99,
        ).pk
        for number in range(count)
    ]


class Sleeper(threading.Thread):
    """Wakes up every NAP seconds and notes how late it was (ms)."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.late: list[float] = []
        self.going = True

    def run(self) -> None:
        while self.going:
            began = time.perf_counter()
            time.sleep(NAP)
            self.late.append((time.perf_counter() - began - NAP) * 1000)


def plays(tables: list[int], since: int) -> dict[int, list[int]]:
    """Return the moments (ms) of the bots' plays per table since then, in order."""
    from games.models import GameEvent

    found: dict[int, list[int]] = defaultdict(list)
    rows = GameEvent.objects.filter(game__table__in=tables, kind="play", actor__startswith="seat", at__gte=since)
    for table, at in rows.order_by("id").values_list("game__table_id", "at"):
        found[table].append(at)
    return found


def tell(level: str, tables: list[int], since: int, seconds: float) -> int:
    """Print a level's line of the table; return how many plays there were."""
    found = plays(tables, since)
    count = sum(map(len, found.values()))
    gaps = [(b - a) / 1000 for moments in found.values() for a, b in pairwise(moments)]
    each = f"{median(gaps):.2f} / {quantiles(gaps, n=20)[-1]:.2f}" if len(gaps) > 1 else "-"
    print(f"| {level} | {len(tables)} | {count / seconds:.1f} | {each} | {min(map(len, found.values()), default=0)} |")
    return count


def main(seconds: float = 20.0, club: int = 50, master: int = 0) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder)
        from tock_league.common import clock
        from tock_league.embedded.scheduler import Scheduler

        tables = {level: open_tables(level, count) for level, count in (("club", club), ("master", master)) if count}
        scheduler, sleeper = Scheduler(), Sleeper()
        scheduler.start()
        until = time.monotonic() + WARM_UP
        every = [table for found in tables.values() for table in found]
        while time.monotonic() < until and len(plays(every, 0)) < len(every):
            time.sleep(0.5)
        since, cpu, began = clock.now_ms(), time.process_time(), time.perf_counter()
        sleeper.start()
        time.sleep(seconds)
        sleeper.going = False
        cpu, passed = time.process_time() - cpu, time.perf_counter() - began
        scheduler.stop(30)
        print("| level | tables | plays/s | s from play to play, median / 95 % | fewest plays of a table |")
        print("|---|---|---|---|---|")
        total = sum(tell(level, found, since, passed) for level, found in tables.items())
        late = quantiles(sleeper.late, n=100)
        print(f"\nCPU {cpu / max(1, total) * 1000:.1f} ms a play, {cpu / passed * 100:.0f} % of a core;", end=" ")
        print(f"a thread wakes up late by {late[49]:.1f} ms (median), {late[98]:.1f} ms (99 %)")


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((float, int, int), sys.argv[1:], strict=False)))
