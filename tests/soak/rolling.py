"""Restarts one after the other: `python -m tests.soak.rolling [--runs 4] [--seed 1]`.

Two web processes behind a proxy, two workers and a beat, with production settings. In each run people play at three tables, by
socket and by HTTP, and others look at pages, while every web process is stopped by SIGTERM and replaced, then a worker in the
middle of a task, then the beat; a migration that only expands runs in between. The checker of the simulation compares what
everybody was told with the rows. Besides, nothing may be answered with a server's error, sockets must come back in time, no
clock may be charged, and no outage may be stored.
"""

import argparse
import asyncio
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

BACK_S = 6.0  # until a socket that a restart has closed shows its table again; the page spreads its attempts over three seconds
STOPPED_S = 15.0  # stop_grace_period of docker-compose.yml
CHARGED_MS = 2_000  # by which a bank of time may be below its start: a decision of over five seconds on a busy machine
WORKERS = ("worker", "worker2")
PAGES = ("/", "/clubs/", "/practice/", "/leaderboards/", "/competitions/", "/tonight/", "/health/ready")
# What the code after the migration would have: a column that may be null, one whose default the database knows, an index.
EXPAND = (
    "ALTER TABLE games_game ADD COLUMN soak_{n} varchar(20) NULL",
    "ALTER TABLE games_gameevent ADD COLUMN soak_{n} integer DEFAULT 0 NOT NULL",
    "CREATE INDEX CONCURRENTLY soak_{n} ON games_gameevent (soak_{n}) WHERE soak_{n} > 0",
    "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9{n:03}_soak', now())",
)


def make_run(house: Any, seed: int) -> Any:
    """Return the run of a seed; Django must be set up."""
    from tests.soak import hold
    from tests.soak.faults.kinds import Broken
    from tests.soak.faults.opening import Opened, guest_table, match_table
    from tests.soak.faults.run import Run
    from tests.soak.faults.witness import Witness
    from tests.soak.hosts.run import CREDITS, OUTAGES

    class Rolling(Run):
        """A run whose only fault is a deployment. `away`: how long each socket was away, in seconds."""

        def __init__(self, tables: Sequence[Opened], witness: Witness) -> None:
            super().__init__(house, seed, tables, witness, "rolling")
            self.away: list[float] = []
            self.stops: dict[str, float] = {}
            self.statuses: Counter[int] = Counter()
            self.known = self._counted()
            self.deployed = False

        def _counted(self) -> list[int]:
            return [self.witness.ask(each)[0][0] for each in (OUTAGES, CREDITS)]

        async def _meet(self, kind: str) -> None:
            looking = [asyncio.ensure_future(self._look(name)) for name in ("one", "two")]
            watching = asyncio.ensure_future(self._watch())
            try:
                await self._replace("web")
                await self.aio.run_in_executor(None, self._migrate)
                await self._replace("web2")
                self.resigning = True  # a game ends, and is rated
                first, _ = await hold.caught(self.house, WORKERS)
                await self._replace(first)
                await self._replace("beat")
                await self._replace(next(name for name in WORKERS if name != first))
                await asyncio.sleep(1.0)
            finally:
                for task in (*looking, watching):
                    task.cancel()

        async def _replace(self, name: str) -> None:
            """Stop a process by SIGTERM and start another one, as a deployment does; go on when it is ready."""
            self.note(f"SIGTERM to {name}")
            begun = time.monotonic()
            code = await self.aio.run_in_executor(None, self.house.stop, name)
            self.stops[name] = time.monotonic() - begun
            if code or self.stops[name] > STOPPED_S:
                self.wrong(f"{name} ended with {code} after {self.stops[name]:.1f} s")
            await self.aio.run_in_executor(None, self.house.start, name)
            if name in self.house.webs:
                await self.aio.run_in_executor(None, self.house.wait_until_up)
            self.note(f"{name} is replaced after {time.monotonic() - begun:.1f} s")
            await asyncio.sleep(self.stream(name).uniform(2.0, 3.0))  # the proxy asks every two seconds

        def _migrate(self) -> None:
            number = len(self.house.asked("SELECT 1 FROM django_migrations WHERE name LIKE '%%soak'"))
            for statement in EXPAND:
                self.house.asked(statement.format(n=number))
            for name in self.house.webs:
                if not self.house.is_up(name):
                    raise Broken(f"{name} is not ready with a database that is ahead of it")

        async def _look(self, name: str) -> None:
            """Look at pages all the time, through the proxy."""
            roll = self.stream(name)
            client = self.house.client()
            while True:
                page = roll.choice(PAGES)
                status = await self.aio.run_in_executor(None, self._seen, client, page)
                self.statuses[status] += 1
                if status != 200:
                    self.wrong(f"{page} is answered {status}")
                await asyncio.sleep(roll.uniform(0.05, 0.2))

        def _seen(self, client: Any, page: str) -> int:
            try:
                return int(client.request("GET", page)[0])
            except OSError as error:
                self.wrong(f"{page} is not answered: {error!r}")
                return 0

        async def _watch(self) -> None:
            """Measure for how long each person's socket is away."""
            left: dict[str, float] = {}
            while True:
                await asyncio.sleep(0.05)
                for client in self.clients:
                    is_here = client.polls or (client.link is not None and client.settled >= 0)
                    if is_here and client.name in left:
                        self.away.append(time.monotonic() - left.pop(client.name))
                    elif not is_here:
                        left.setdefault(client.name, time.monotonic())

        def judge(self) -> None:
            """Compare as ever, and hold a deployment to its promises."""
            super().judge()
            if max(self.away, default=0.0) > BACK_S:
                self.wrong(f"a socket was away for {max(self.away):.1f} s")
            new = [now - before for now, before in zip(self._counted(), self.known, strict=True)]
            if any(new):
                self.wrong(f"{new[0]} outages and {new[1]} credits are stored, though a process always served")
            if self.charged > CHARGED_MS:
                self.wrong(f"a bank of time was charged {self.charged / 1000:.1f} s")
            self.statuses.update(self.network.statuses)
            # A process that ends refuses commands with 503, and the page sends them again, with the same id.
            for status in self.network.statuses:
                if status >= 500 and status != 503:
                    self.wrong(f"{self.network.statuses[status]} requests of people at tables are answered {status}")

        @property
        def charged(self) -> int:
            """The most that a bank of time was below its start, in milliseconds."""
            banks = [bank for game in self.games for state in game.states if state.clocks for bank in state.clocks.bank]
            return max((60_000 - bank for bank in banks), default=0)

    witness = Witness(str(house.database.folder), house.name)
    tables = [match_table(house, ends=True), match_table(house, ends=False), guest_table(house, witness)]
    return Rolling(tables, witness)


def main() -> int:
    from tests.soak.faults.__main__ import house, recomputed

    parser = argparse.ArgumentParser(prog="python -m tests.soak.rolling", description=__doc__)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(10_000), help="the first seed")
    asked = parser.parse_args()
    begun, failed, counts, statuses = time.monotonic(), [], Counter[str](), Counter[int]()
    away, stops, charged = [0.0], Counter[str](), [0]
    with house(WORKERS, front=True) as running:
        from django.db import connections

        from tests.soak import hold

        hold.install(running, (hold.RATINGS,))
        print(f"the processes run after {time.monotonic() - begun:.0f} s", flush=True)
        for seed in range(asked.seed, asked.seed + asked.runs):
            since = time.monotonic()
            connections.close_all()
            run = make_run(running, seed)
            try:
                asyncio.run(run.play())
            finally:
                run.witness.close()
            counts += run.counts
            statuses.update(run.statuses)
            away, charged = [*away, *run.away], [*charged, run.charged]
            for name, seconds in run.stops.items():
                stops[name] = max(stops[name], seconds)  # type: ignore[assignment]
            words = ", ".join(f"{name} {count}" for name, count in sorted(run.counts.items()))
            print(
                f"seed {seed}: {words}, {sum(run.statuses.values())} answers by HTTP, {len(run.away)} sockets came back, "
                f"the last after {max(run.away, default=0):.1f} s, {time.monotonic() - since:.0f} s",
                flush=True,
            )
            if run.faults:
                failed.append(seed)
                for line in run.faults[:10]:
                    print(f"  WRONG {line}", flush=True)
        running.asked(hold.REMOVE)
        running.production.stop("balancer", signal.SIGTERM)
        print(f"proxy: {running.production.logs['balancer'].read_text().strip()}")
        different = recomputed()
    for line in different:
        print(f"WRONG {line}")
    print("commands: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print("answers by HTTP: " + ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items())))
    print("longest stops: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in stops.items()))
    print(f"sockets back after at most {max(away):.1f} s, banks charged at most {max(charged) / 1000:.1f} s")
    print(f"{asked.runs} runs, {len(failed)} failed{f': {failed}' if failed else ''}, {time.monotonic() - begun:.0f} s")
    return 1 if failed or different else 0


if __name__ == "__main__":
    sys.exit(main())
