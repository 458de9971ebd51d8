"""One run on one database: every figure of the report, measured from outside the server."""

import asyncio
import gc
import json
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from . import statements
from .loads import Measured, closed, opened
from .places import Place, processes_of
from .process import Process, cpu_of, running
from .screens import SCREENS, BareScreens, Door, Screens, Traffic

Say = Callable[[str], None]
OLD_ROW = 600


@dataclass(frozen=True, slots=True)
class Size:
    """The size of the measurement."""

    tables: int = 300  # number of tables in total
    old: int = 4  # number of tables at row 600
    seconds: float = 15.0  # duration of each load
    row_plays: int = 200  # plays at row 10, and at row 600

    @property
    def quick(self) -> "Size":
        """Return a size that takes about a minute."""
        return replace(self, tables=100, old=2, seconds=5.0, row_plays=80)


@dataclass(slots=True)
class Results:
    """Figures of one database; times in seconds, memory in bytes, costs in CPU milliseconds a play."""

    name: str
    loads: dict[str, Measured] = field(default_factory=dict)
    bare: dict[str, Measured] = field(default_factory=dict)
    database_cost: float = 0.0
    idle: dict[str, float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    reconnect: dict[str, float] = field(default_factory=dict)
    statements: dict[str, Any] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    profile: list[list[Any]] = field(default_factory=list)
    profiled_plays: int = 0


class Run:
    """The real server and the bare peer beside it, and their measurements."""

    def __init__(self, place: Place, size: Size, say: Say) -> None:
        self.place, self.size, self.say = place, size, say
        self.results = Results(place.name)
        self.traffic, self.bare_traffic = Traffic(), Traffic()
        self.made: dict[str, Any] = {}

    def door(self, server: Process) -> Door:
        """Return how a browser connects to a server of this place."""
        return Door(server.port, self.place.cookie, self.place.host, self.place.origin)

    def furnish(self) -> None:
        """Fill the database."""
        begun = time.perf_counter()
        size = self.size
        self.made = json.loads(
            self.place.run("benchmarks.table_load", "furnish", str(size.tables), str(size.old), str(OLD_ROW))
        )
        self.say(f"{size.tables} tables made by services in {time.perf_counter() - begun:.0f} s")

    async def everything(self, *, profile: bool) -> Results:
        """Measure. The order matters, because tables grow and memory does not shrink."""
        self.results.statements = await statements.count(self.place, self.made["tables"][-1], self.door, 40)
        statements.silence(self.place)
        self.say("statements counted")
        place = self.place
        with (
            running("benchmarks.table_load.served", place.environment, place.folder / "served.log") as server,
            running("benchmarks.table_load.echo", place.environment, place.folder / "echo.log") as echo,
        ):
            await self._measure(server, echo)
        if profile:
            await self._profile()
        self.results.refused = dict(self.traffic.refused)
        return self.results

    async def _measure(self, server: Process, echo: Process) -> None:
        tables, old = self.screens("tables", server), self.screens("old", server)
        await asyncio.sleep(1.0)
        await self._rows(tables[: len(old)], old, server)
        bare = await self._costs(tables, server, echo)
        await self._rates(tables[:50], bare, server, echo)
        await self._many(tables, server)
        await self._all_at_once(tables, bare)

    def screens(self, which: str, server: Process) -> list[Screens]:
        """Return the screens of `tables` or `old`, not yet open."""
        return [Screens(made["slug"], made["sessions"], self.door(server), self.traffic) for made in self.made[which]]

    async def _rows(self, young: list[Screens], old: list[Screens], server: Process) -> None:
        """Compare plays at row 10 with plays at row 600, at as many tables."""
        for name, tables in (("row 10", young), ("row 600", old)):
            for table in tables:
                await table.enter_all()
            await asyncio.sleep(0.5)
            gc.collect()
            bound = 4 * self.size.seconds
            self.results.loads[name] = await closed(
                tables, server, at_once=len(tables), seconds=bound, plays=self.size.row_plays
            )
        for table in old:
            table.over = True
            await table.leave()
        self.say("rows compared")

    async def _costs(self, tables: list[Screens], server: Process, echo: Process) -> list[Screens]:
        """Take the cost of a play at ten tables, and that of the bare peer before and after; return the bare tables."""
        for table in tables[self.size.old : 10]:
            await table.enter_all()
        await closed(
            tables[:10], server, at_once=10, seconds=60, plays=300
        )  # more than one deal, so that spectators see plays by now
        self.traffic.frames.clear()
        self.traffic.bytes.clear()
        database = self._database_cpu()
        first = await closed(tables[:10], server, at_once=10, seconds=self.size.seconds / 2)
        self.results.sizes = {
            "cmd": self.traffic.size("cmd", 130),
            "ack": self.traffic.size("ack", 60),
            "seat": self.traffic.size("seat", 600),
            "spectator": self.traffic.size("spectator", 500),
        }
        door = Door(echo.port)
        bare: list[Screens] = [
            BareScreens(f"t{number}", door, self.bare_traffic, self.results.sizes) for number in range(50)
        ]
        for table in bare:
            await table.enter_all()
        echoed = await closed(bare[:10], echo, at_once=10, seconds=self.size.seconds)
        second = await closed(tables[:10], server, at_once=10, seconds=self.size.seconds / 2)
        both = Measured(first.seconds + second.seconds, first.cpu + second.cpu, first.plays + second.plays)
        self.results.loads["10 tables"], self.results.bare["10 tables"] = both, echoed
        if both.plays:
            self.results.database_cost = 1000 * (self._database_cpu() - database) / both.plays
        self.say("cost of a play taken")
        return bare

    def _database_cpu(self) -> float:
        if self.place.cluster is None:
            return 0.0
        return sum(cpu_of(pid) for pid in processes_of(self.place.cluster))

    async def _rates(self, tables: list[Screens], bare: list[Screens], server: Process, echo: Process) -> None:
        """Take plays a second at saturation, then latencies at 50 and 100 plays a second, over 50 tables."""
        for table in tables[10:]:
            await table.enter_all()
        await asyncio.sleep(1.0)
        seconds = self.size.seconds
        self.results.idle["50 tables"] = await self._idle(server)
        self.results.bare["saturated"] = await closed(bare, echo, at_once=50, seconds=seconds)
        self.results.loads["saturated"] = await closed(tables, server, at_once=50, seconds=seconds)
        for rate in (50, 100):
            self.results.bare[f"{rate}/s"] = await opened(bare, echo, rate=rate, seconds=seconds)
            self.results.loads[f"{rate}/s"] = await opened(tables, server, rate=rate, seconds=seconds)
        self.say("rates and latencies taken")

    async def _idle(self, server: Process) -> float:
        """Return CPU milliseconds a second while nobody plays."""
        cpu = server.cpu
        await asyncio.sleep(3.0)
        return 1000 * (server.cpu - cpu) / 3.0

    async def _many(self, tables: list[Screens], server: Process) -> None:
        """Open all other tables; take the memory of their sockets, and the cost of a play with ten in progress."""
        before = server.memory
        for table in tables[50:]:
            await table.enter_all()
        await asyncio.sleep(3.0)
        opened_now = (len(tables) - 50) * SCREENS
        self.results.memory = {"socket": (server.memory - before) / opened_now, "sockets": opened_now}
        self.results.memory |= {"resident": server.memory, "threads": server.threads}
        self.results.idle["all tables"] = await self._idle(server)
        await closed(tables, server, at_once=10, seconds=60, plays=len(tables))
        self.results.loads["all tables"] = await closed(tables, server, at_once=10, seconds=self.size.seconds)
        self.say(f"{len(tables)} tables measured")

    async def _all_at_once(self, tables: list[Screens], bare: list[Screens]) -> None:
        """Close everything, then let 300 sockets reconnect at once."""
        for table in tables:
            await table.leave()
        await asyncio.sleep(2.0)
        self.results.reconnect["real"] = await self._back(tables[:50])
        for table in bare:
            await table.leave()
        self.results.reconnect["bare"] = await self._back(bare)
        for table in [*tables[:50], *bare]:
            table.over = True
            await table.leave()

    async def _back(self, tables: list[Screens]) -> float:
        """Return the seconds until every socket has received the state of its table."""
        begun = time.perf_counter()
        await asyncio.gather(*(table.enter(number) for table in tables for number in range(SCREENS)))
        return time.perf_counter() - begun

    async def _profile(self) -> None:
        """Play at fifty tables under a profiler of CPU time."""
        path = self.place.folder / "profile.json"
        environment = self.place.environment | {"BENCHMARK_PROFILE": str(path)}
        with running("benchmarks.table_load.served", environment, self.place.folder / "profiled.log") as server:
            tables = self.screens("tables", server)[:50]
            for table in tables:
                await table.enter_all()
            await closed(tables, server, at_once=10, seconds=60, plays=100)
            server.tell(signal.SIGUSR1)
            await asyncio.sleep(0.3)
            measured = await closed(tables, server, at_once=10, seconds=2 * self.size.seconds)
            self.results.profiled_plays = measured.plays
            self.results.profile = server.written(path)
            for table in tables:
                table.over = True
                await table.leave()
