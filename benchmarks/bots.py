"""Bots at many tables of one process: `python benchmarks/bots.py [seconds] [club tables] [master tables] [pace]`.

A fresh SQLite file with so many tables of four bots each (by default 50 and 0), the scheduler of one web process, and
four people who play 20 times a second at tables of their own. Bots have no minimum thinking time unless `pace` gives
one (ms), so that the machine is measured and not the delay. Bots play and rest alternately, two seconds each, for
`seconds` of each kind (20), so that their cost to people is a ratio that does not depend on other work on the machine.

Prints, per level, plays a second and the seconds from one play of a table to its next (median and 95th percentile;
rests are not counted); how long a person's play takes from the service's call to its commit; how late a thread wakes up
that sleeps for 10 ms, like the thread that answers people, and how long it then takes for 20 reads of an in-memory
database, each of which releases the interpreter lock. All of this is measured while bots rest and while they play. Also
printed: the CPU of this process and of the search processes, and the memory of one of these. TOCK_BOT_PROCESSES=0 lets
bots search in threads.
"""

import os
import resource
import sqlite3
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

WARM_UP = 120.0  # seconds, at most, until every table has its first play: everybody is ready and has given a card
NAP = 0.01
PEOPLE_S = 0.05  # from one play of a person to the next
READS = 20
TURN_S = 2.0  # for which bots play, and rest


def prepare(folder: str, pace_ms: int) -> None:
    """Set Django up on a new database in `folder`."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tock_league.settings.embedded"
    os.environ["TOCK_DATA"] = folder
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.TOCK_BOT_PACE_MS = pace_ms
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


class Turns:
    """Let the scheduler's bots play and rest alternately; `bots`: whether they play now."""

    def __init__(self) -> None:
        from games.services import bots

        self.module, self.inner, self.bots = bots, bots.act_due, True
        bots.act_due = self.act_due

    def act_due(self, *due: Any, **more: Any) -> int:
        if self.bots:
            return int(self.inner(*due, **more))
        time.sleep(TURN_S / 10)  # the scheduler would poll again at once
        return 0

    def take(self, seconds: float) -> list[tuple[int, int]]:
        """Let them rest and play, for the given seconds of each; return when they played (ms)."""
        from tock_league.common import clock

        played = []
        for _ in range(max(1, round(seconds / TURN_S))):
            self.bots = False
            self.module.thinkers.settle()
            time.sleep(TURN_S)
            self.bots, began = True, clock.now_ms()
            time.sleep(TURN_S)
            played.append((began, clock.now_ms()))
        return played


class Sleeper(threading.Thread):
    """A thread that wakes up every NAP seconds and notes how late it was and how long its reads took (ms).

    Both are lists for the time when bots rest and for the time when they play.
    """

    def __init__(self, turns: "Turns") -> None:
        super().__init__(daemon=True)
        self.turns = turns
        self.late: tuple[list[float], list[float]] = [], []
        self.read: tuple[list[float], list[float]] = [], []
        self.going = True

    def run(self) -> None:
        memory = sqlite3.connect(":memory:")
        while self.going:
            began = time.perf_counter()
            time.sleep(NAP)
            woke = time.perf_counter()
            for _ in range(READS):
                memory.execute("SELECT 1").fetchone()
            self.late[self.turns.bots].append((woke - began - NAP) * 1000)
            self.read[self.turns.bots].append((time.perf_counter() - woke) * 1000)
        memory.close()


class People(threading.Thread):
    """A thread in which four people play one after another at their own tables; it notes how long each play took (ms).

    The times are separated as in `Sleeper`.
    """

    def __init__(self, turns: Turns, tables: int = 20) -> None:
        super().__init__(daemon=True)
        self.turns = turns
        from benchmarks.table_load import furnish

        self.furnish = furnish
        self.players = [player for player, _ in furnish.people(4)]
        self.games = [furnish.sit(number, self.players)[1] for number in range(tables)]
        self.took: tuple[list[float], list[float]] = [], []
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
        self.took[self.turns.bots].append((time.perf_counter() - began) * 1000)


def plays(tables: list[int], spans: list[tuple[int, int]]) -> list[list[int]]:
    """Return the moments (ms) of the bots' plays in each table and span, in order."""
    from games.models import GameEvent

    found: dict[tuple[int, int], list[int]] = {(table, begin): [] for table in tables for begin, _ in spans}
    rows = GameEvent.objects.filter(game__table__in=tables, kind="play", actor__startswith="seat")
    for table, at in rows.order_by("id").values_list("game__table_id", "at"):
        for begin, end in spans:
            if begin <= at < end:
                found[table, begin].append(at)
    return list(found.values())


def tell(level: str, tables: list[int], spans: list[tuple[int, int]]) -> int:
    """Print a level's line of the table; return the number of plays."""
    found = plays(tables, spans)
    count = sum(map(len, found))
    gaps = [(b - a) / 1000 for moments in found for a, b in pairwise(moments)]
    each = f"{median(gaps):.2f} / {quantiles(gaps, n=20)[-1]:.2f}" if len(gaps) > 1 else "-"
    seconds = sum(end - begin for begin, end in spans) / 1000
    print(f"| {level} | {len(tables)} | {count / seconds:.1f} | {each} | {min(map(len, found), default=0)} |")
    return count


def memory(pids: list[int]) -> str:
    """Return the private memory of a search process, where the system reports it."""
    found = []
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            return "?"
        found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")]
    return f"{max(found):.0f} MiB" if found else "none"


def spread(values: list[float]) -> str:
    """Return the median and the 95th and 99th percentiles."""
    cuts = quantiles(values, n=100)
    return f"{cuts[49]:.2f} / {cuts[94]:.1f} / {cuts[98]:.1f} ms"


def main(seconds: float = 20.0, club: int = 50, master: int = 0, pace_ms: int = 0) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prepare(folder, pace_ms)
        from games.services.bots import thinkers
        from tock_league.embedded.scheduler import Scheduler

        tables = {level: open_tables(level, count) for level, count in (("club", club), ("master", master)) if count}
        scheduler, turns = Scheduler(), Turns()
        sleeper, people = Sleeper(turns), People(turns)
        scheduler.start()
        until = time.monotonic() + WARM_UP
        every = [table for found in tables.values() for table in found]
        while time.monotonic() < until and not all(plays(every, [(0, 2**62)])):
            time.sleep(0.5)
        cpu, began = time.process_time(), time.perf_counter()
        sleeper.start()
        people.start()
        spans = turns.take(seconds)
        sleeper.going = people.going = False
        cpu, passed = time.process_time() - cpu, time.perf_counter() - began
        people.join()
        held = memory(thinkers.processes.pids()) if hasattr(thinkers, "processes") else "none"
        scheduler.stop(30)
        print("| level | tables | plays/s | s from play to play, median / 95 % | fewest plays of a table in 2 s |")
        print("|---|---|---|---|---|")
        total = sum(tell(level, found, spans) for level, found in tables.items()) + sum(map(len, people.took))
        print("\n| median / 95 % / 99 % | while bots rest | while they play |\n|---|---|---|")
        for what, (rest, play) in (
            ("a person's play", people.took),
            ("a thread wakes up late by", sleeper.late),
            (f"{READS} reads", sleeper.read),
        ):
            print(f"| {what} | {spread(rest)} | {spread(play)} |")
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"\nCPU {cpu / total * 1000:.1f} ms a play, {cpu / passed * 100:.0f} % of a core;", end=" ")
        print(f"processes that search: {children.ru_utime + children.ru_stime:.1f} s, memory of one: {held}")


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((float, int, int, int), sys.argv[1:], strict=False)))
