"""One run: tables, people who play, a fault, a time without faults, and the verdict on the histories."""

import asyncio
import random
import re
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from tests.simulation import checker
from tests.simulation.client import Client
from tests.simulation.record import Stored
from tests.simulation.seams import BEGIN

from .house import House
from .kinds import KINDS, Broken, possible
from .network import Network
from .opening import Opened
from .witness import Witness

BEFORE_S, AFTER_S = 0.8, 0.8  # seconds of play before the fault and after it
CONTINUED_S = (
    15.0  # after all processes are back, every table must acknowledge within this time; the machine may be busy
)
SETTLED_S = (
    30.0  # and after the last play, everybody is up to date and every row of the outbox is done within this time
)
# What Celery logs, with a stack, while its broker is away; it tries again by itself. A task that fails is not among it.
EXPECTED = re.compile(r'"logger": "celery\.(beat|bootsteps|worker\.consumer)')
SKEW_S = 0.25  # by which the clock of a process may be ahead of ours, as after a step of its system clock
TIMED_OUT = {"timeout", "no_show", "forfeit"}  # codes of rows that a deadline writes; everybody here plays in time


class Run:
    """A run of one seed. It is the `Simulation` of the clients and of the checker."""

    skew_s = SKEW_S

    def __init__(self, house: House, seed: int, tables: Sequence[Opened], witness: Witness, kind: str = "") -> None:
        self.house, self.seed, self.tables, self.witness = house, seed, tables, witness
        roll = self.stream("kind")
        kinds = self._possible()
        # Every kind comes as often as any other; a quarter of the runs has two faults, one after the other.
        self.kinds = [kind or kinds[seed % len(kinds)]]
        self.kinds += [roll.choice(kinds)] if not kind and roll.random() < 0.25 else []
        self.faults: list[str] = []
        self.notes: list[str] = []
        self.clients: list[Client] = []
        self.games: list[Stored] = []
        self.lost: dict[Client, float] = {}
        self.losing: dict[Client, float] = {}
        self.loop = SimpleNamespace(time=lambda: time.time() - BEGIN + self.skew_s)
        self.scenario = SimpleNamespace(touch=True, calls=False, loss="", trouble=0.05, kills=1)
        self.over = self.closed = self.resigning = False
        self.over_at = 0.0
        self._numbers = Counter[str]()

    # --- what clients and checker ask of a simulation

    def stream(self, name: str) -> random.Random:
        return random.Random(f"{self.seed}:{name}")

    def note(self, line: str) -> None:
        self.notes.append(f"{self.loop.time() - self.began:.3f} {line}" if hasattr(self, "began") else line)

    def wrong(self, line: str) -> None:
        self.note(f"WRONG {line}")
        self.faults.append(line)

    def next_link(self) -> int:
        self._numbers["link"] += 1
        return self._numbers["link"]

    def next_address(self) -> int:
        self._numbers["address"] += 1
        return self._numbers["address"]

    @staticmethod
    def new_id(_roll: random.Random) -> uuid.UUID:
        return uuid.uuid4()  # a seed may be run twice against the same database

    def is_out(self, _client: Client) -> bool:
        return False

    def resigns(self, client: Client) -> bool:
        return self.resigning and any(table.ends and table.pk == client.table_id for table in self.tables)

    # --- the run

    async def play(self) -> None:
        """Play, meet the faults, recover, and judge."""
        self.aio = asyncio.get_running_loop()
        self.aio.set_exception_handler(self._raised)
        self.began = self.loop.time()
        self.network = Network(self, trouble=0.05)
        self._seat_everybody()
        try:
            await asyncio.sleep(BEFORE_S)
            for kind in self.kinds:
                try:
                    await self._meet(kind)
                except Broken as reason:
                    self.wrong(str(reason))
            await self.aio.run_in_executor(None, self.house.wait_until_up)
            self.network.trouble = 0.0
            self.over_at = self.loop.time()
            self.note("all is mended")
            await self._plays_on()
            await asyncio.sleep(AFTER_S)
            await self._end()
        finally:
            self.closed = True
            await self.network.close()
        self.judge()

    def _possible(self) -> list[str]:
        return possible(self.house)

    async def _meet(self, kind: str) -> None:
        await KINDS[kind](self.house, self.stream(kind), self.note)

    def _raised(self, _loop: Any, context: dict[str, Any]) -> None:
        self.wrong(f"{context.get('message')}: {context.get('exception')!r}")

    def _seat_everybody(self) -> None:
        for number, table in enumerate(self.tables):
            for seat, key in table.keys.items():
                polls = self.stream(f"polls {number} {seat}").random() < 0.25
                self._sits(f"t{number}s{seat}", table, seat, key, polls=polls)
            self._sits(f"t{number}w", table, None, "", polls=False)

    def _sits(self, name: str, table: Opened, seat: int | None, key: str, *, polls: bool) -> None:
        client = Client(self, name=name, table=table, seat=seat, user=None, key=key, polls=polls)  # type: ignore[arg-type]
        client.habits.withheld = 0.0  # the table would wait for that share
        self.clients.append(client)

    async def _plays_on(self) -> None:
        """Report every table at which nothing is acknowledged or shown in time after the faults."""
        waiting = {table.pk for table in self.tables if not self._is_over(table)}
        until = time.monotonic() + CONTINUED_S
        while waiting and time.monotonic() < until:
            await asyncio.sleep(0.1)
            waiting -= {client.table_id for client in self.clients if self._has_continued(client)}
        for table in self.tables:
            if table.pk in waiting:
                self.wrong(f"nothing goes on at {table.slug} {CONTINUED_S:.0f} s after the faults")
        self.note("every table has continued")

    def _has_continued(self, client: Client) -> bool:
        last = next((entry for entry in reversed(client.history) if entry.frame.get("t") in ("ack", "ev")), None)
        return last is not None and last.at > self.over_at

    async def _end(self) -> None:
        """Let the games end that are to end; then nobody plays, and everybody must come to hold the same."""
        self.resigning = True
        await self._until(self._ended, "the games have not ended")
        self.over = True
        behind: list[str] = []

        def up_to_date() -> bool:
            behind[:] = checker.behind(self)  # type: ignore[arg-type]
            return not behind

        # One look decides: a deadline may write a row at any time, and the next look would come before it is heard.
        await self._until(up_to_date, "")
        for line in behind:
            self.wrong(line)
        if "worker" in self.house.commands:
            await self._until(self._settled, "rows of the outbox are not done")

    def _ended(self) -> bool:
        return all(self._is_over(table) for table in self.tables if table.ends)

    def _is_over(self, table: Opened) -> bool:
        over = "SELECT COUNT(*) FROM games_game WHERE state = 'over' AND table_id = ?"
        return bool(self.witness.ask(over, table.pk)[0][0])

    def _settled(self) -> bool:
        return not self.witness.ask("SELECT COUNT(*) FROM common_outboxrow WHERE done_at IS NULL")[0][0]

    async def _until(self, true: Callable[[], bool], failure: str) -> None:
        until = time.monotonic() + SETTLED_S
        while not true():
            if time.monotonic() > until:
                if failure:
                    self.wrong(f"{failure} {SETTLED_S:.0f} s after the faults")
                return
            await asyncio.sleep(0.1)

    # --- the verdict

    def judge(self) -> None:
        """Compare all histories with the committed rows, and read the logs."""
        checker.judge(self)  # type: ignore[arg-type]
        for game in self.games:
            for row in game.rows:
                if row.code in TIMED_OUT:
                    self.wrong(f"{game.slug}: row {row.seq} is a false {row.code}")
        for client in self.clients:
            for entry in client.history:
                if entry.frame.get("t") == "nak" and entry.frame["code"] in ("auth", "seat_lost"):
                    self.wrong(f"{client.name} is told {entry.frame['code']}, and has lost nothing")
        for line in self.house.new_lines():
            if "Traceback" in line and not self.expected(line):
                self.wrong(f"a traceback in a log: {line[:2000]}")
        for name in self.house.ended():
            self.wrong(f"the process {name} has ended by itself")

    def expected(self, line: str) -> bool:
        """Return whether a traceback is what the fault must cause."""
        return bool(EXPECTED.search(line))

    @property
    def counts(self) -> Counter[str]:
        """Return how many commands were sent, and how each was answered."""
        found: Counter[str] = Counter()
        for client in self.clients:
            ids: dict[str, str] = {}
            for entry in client.history:
                frame = entry.frame
                if entry.what == "posted" or frame.get("t") == "cmd":
                    ids.setdefault(frame["id"], "unknown")
                elif frame.get("t") in ("ack", "nak") and frame["id"] in ids and ids[frame["id"]] != "ack":
                    ids[frame["id"]] = "ack" if frame["t"] == "ack" else "fail"
            found.update(ids.values())
        found["rows"] = sum(len(game.rows) for game in self.games)
        return found
