"""Bots at many tables of one process: `python benchmarks/bots.py [seconds] [club tables] [master tables]`.

A fresh SQLite file with so many tables of four bots each (50 and 0 unless told otherwise), the scheduler of one web
process, and four people who play 20 times a second at tables of their own. Bots have no minimum thinking time, so that what
is measured is the machine. Prints, per level, plays a second and the seconds from one play of a table to its next (median, 95
in 100); how long a person's play takes from the service's call to its commit; how late a thread is that wakes up every 10 ms,
as the one that answers people does; and the CPU of this process and of those in which bots search.

What bots that search cost people: compare `10 0 0` with `10 0 4`. TOCK_BOT_PROCESSES=0 lets them search in threads.
"""

import os
import resource
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
PEOPLE_S = 0.05  # from one play of a person to the next


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


class People(threading.Thread):
    """Four people play one after another at tables of their own; notes how long each play took (ms)."""

    def __init__(self, tables: int = 8) -> None:
        super().__init__(daemon=True)
        from benchmarks.table_load import furnish

        self.furnish = furnish
        self.players = [player for player, _ in furnish.people(4)]
        self.games = [furnish.sit(number, self.players)[1] for number in range(tables)]
        self.took: list[float] = []
        self.going = True

    def run(self) -> None:
        from django.db import connection

        while self.going:
            for game in self.games:
                time.sleep(PEOPLE_S)
                self.play(game)
        connection.close()

    def play(self, game: int) -> None:
        from games.fold import Viewer, view

        state = self.furnish.state_of(game)
        if state.result is not None:
            return
        seat = min(state.to_act)
        line = view(state, Viewer(seat))["legal"][0]
        began = time.perf_counter()
        self.furnish.send(game, seat, state.decision_id, "play", {"play": line}, self.players[seat])
        self.took.append((time.perf_counter() - began) * 1000)


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


def spread(values: list[float]) -> str:
    """Return the median, and what 95 and 99 in 100 do not exceed."""
    cuts = quantiles(values, n=100)
    return f"{cuts[49]:.1f} / {cuts[94]:.1f} / {cuts[98]:.1f} ms"


def main(seconds: float = 20.0, club: int = 50, master: int = 0) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder)
        from tock_league.common import clock
        from tock_league.embedded.scheduler import Scheduler

        tables = {level: open_tables(level, count) for level, count in (("club", club), ("master", master)) if count}
        scheduler, sleeper, people = Scheduler(), Sleeper(), People()
        scheduler.start()
        until = time.monotonic() + WARM_UP
        every = [table for found in tables.values() for table in found]
        while time.monotonic() < until and len(plays(every, 0)) < len(every):
            time.sleep(0.5)
        since, cpu, began = clock.now_ms(), time.process_time(), time.perf_counter()
        sleeper.start()
        people.start()
        time.sleep(seconds)
        sleeper.going = people.going = False
        cpu, passed = time.process_time() - cpu, time.perf_counter() - began
        people.join()
        scheduler.stop(30)
        print("| level | tables | plays/s | s from play to play, median / 95 % | fewest plays of a table |")
        print("|---|---|---|---|---|")
        total = sum(tell(level, found, since, passed) for level, found in tables.items()) + len(people.took)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"\na person's play, median / 95 % / 99 %: {spread(people.took)} ({len(people.took)} plays)")
        print(f"a thread wakes up late by: {spread(sleeper.late)}")
        print(f"CPU {cpu / total * 1000:.1f} ms a play, {cpu / passed * 100:.0f} % of a core;", end=" ")
        print(f"processes that search: {children.ru_utime + children.ru_stime:.1f} s, {children.ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((float, int, int), sys.argv[1:], strict=False)))
