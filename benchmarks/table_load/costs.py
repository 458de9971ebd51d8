"""What one of each thing costs, on PostgreSQL with production settings: a play, a socket, a heartbeat, a bot's move, a page."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .counters import Counted, Counters, ask, sizes
from .loads import closed, opened
from .places import Place
from .process import Process, running
from .screens import SCREENS, BareScreens, Door, Screens, Traffic, held

IDLE_S = 6.0
FLUSHED_S = 11.0  # an idle session of PostgreSQL reports its commits within ten seconds
SPREAD = (0, 0, 1, 1, 0, 1)  # the process of each screen, when a table's people are at two processes


@dataclass(slots=True)
class Cost:
    """What `count` of something have cost, besides what the servers do anyway."""

    what: str
    count: int
    seconds: float
    spent: Counted
    more: dict[str, float] = field(default_factory=dict)

    def each(self, name: str) -> float:
        """Return one part for one of them, CPU in milliseconds."""
        return getattr(self.spent, name) / self.count * (1000 if name in ("web", "postgresql", "redis") else 1)


class Spread(Screens):
    """Screens of which some are at another process."""

    def __init__(self, made: dict[str, Any], doors: Sequence[Door], traffic: Traffic) -> None:
        super().__init__(made["slug"], made["sessions"], doors[0], traffic)
        self.doors = doors

    async def enter(self, number: int) -> None:
        self.door = self.doors[SPREAD[number]]
        await super().enter(number)


class Costs:
    """The measurements of one web process, some with a second one beside it."""

    def __init__(self, place: Place, made: dict[str, Any], seconds: float) -> None:
        self.place, self.made, self.seconds = place, made, seconds
        self.traffic = Traffic()
        self.found: list[Cost] = []
        self.facts: dict[str, float] = {}
        self.pages: list[Cost] = []

    def door(self, server: Process) -> Door:
        return Door(server.port, self.place.cookie, self.place.host, self.place.origin)

    def screens(self, made: dict[str, Any], server: Process) -> Screens:
        return Screens(made["slug"], made["sessions"], self.door(server), self.traffic)

    async def everything(self, pages: Sequence[tuple[str, str]]) -> None:
        """Measure. Bots play only at the end: their tables would disturb the others."""
        place, tables = self.place, self.made["tables"]
        with running("benchmarks.table_load.served", place.environment, place.folder / "served.log") as server:
            counters = Counters(place, server)
            await asyncio.sleep(2.0)
            await self._sockets([self.screens(each, server) for each in tables[:50]], server, counters)
            await self._bare(place)
            for name, path in pages:
                await self._page(name, path, server, counters)
            await self._apart(tables[50:], server)
        with running("benchmarks.table_load.served", place.environment, place.folder / "bots.log") as server:
            await self._bots(Counters(place, server))

    async def _idle(self, counters: Counters) -> Counted:
        """Return what the servers spend in a second by themselves."""
        await asyncio.sleep(FLUSHED_S)
        before = counters.read()
        await asyncio.sleep(IDLE_S)
        return (counters.read() - before) * (1 / IDLE_S)

    async def _sockets(self, tables: list[Screens], server: Process, counters: Counters) -> None:
        empty = server.memory
        nobody = await self._idle(counters)
        for table in tables[:10]:
            await table.enter_all()
        await closed(tables[:10], server, at_once=10, seconds=60, plays=200)  # spectators see plays by now
        before = server.memory
        for table in tables[10:]:
            await table.enter_all()
        await asyncio.sleep(2.0)
        self.facts["bytes of a socket"] = (server.memory - before) / (SCREENS * (len(tables) - 10))
        idle = await self._idle(counters)
        for name, spent in (("nobody", nobody), ("300 sockets", idle)):
            self.facts[f"CPU ms/s of web, {name}"] = 1000 * spent.web
            self.facts[f"CPU ms/s of PostgreSQL, {name}"] = 1000 * spent.postgresql
            self.facts[f"commits/s, {name}"] = spent.commits
            self.facts[f"commands/s of Redis, {name}"] = spent.commands
        await self._beats(tables, counters, idle)
        await closed(tables, server, at_once=10, seconds=60, plays=len(tables) * 4)
        self.traffic.frames.clear()
        self.traffic.bytes.clear()
        for name, rate in (("a play, 25/s", 25.0), ("a play, 50/s", 50.0)):
            await self._plays(name, tables, server, counters, idle, rate)
        self.facts["bytes in of a play"] = self.traffic.bytes["cmd"] / self.traffic.frames["cmd"]
        told = sum(self.traffic.bytes[kind] for kind in ("ack", "seat", "spectator", "who", "hb"))
        self.facts["bytes out of a play"] = told / self.traffic.frames["cmd"]
        self.facts["frames out of a play"] = (
            sum(self.traffic.frames[kind] for kind in ("ack", "seat", "spectator")) / self.traffic.frames["cmd"]
        )
        before_rows, rows = counters.read(), self._rows()
        measured = await closed(tables, server, at_once=50, seconds=self.seconds)
        self.found.append(
            Cost("a play, saturated", measured.plays, measured.seconds, counters.read() - before_rows,
                 {"rows": self._rows() - rows, "rate": measured.rate})
        )  # fmt: skip
        self.facts["bytes resident, 300 sockets"] = server.memory
        self.facts["bytes resident, nobody"] = empty
        for table in tables:
            table.over = True
            await table.leave()

    def _rows(self) -> int:
        return int(ask(self.place, "SELECT sum(last_seq) FROM games_game")[0][0])

    async def _plays(
        self, name: str, tables: list[Screens], server: Process, counters: Counters, idle: Counted, rate: float
    ) -> None:
        before, rows = counters.read(), self._rows()
        measured = await opened(tables, server, rate=rate, seconds=self.seconds)
        spent = counters.read() - before - idle * measured.seconds
        more = {"rows": self._rows() - rows, "rate": measured.rate}
        self.found.append(Cost(name, measured.plays, measured.seconds, spent, more))

    async def _beats(self, tables: list[Screens], counters: Counters, idle: Counted) -> None:
        """Let every screen send heartbeats, as a page does every five seconds."""
        frames, size = self.traffic.frames["hb"], self.traffic.bytes["hb"]
        before, begun, sent, sent_bytes = counters.read(), time.perf_counter(), 0, 0
        while (passed := time.perf_counter() - begun) < self.seconds:
            for table in tables:
                for number, socket in enumerate(table.sockets):
                    assert socket is not None
                    known = held(table.last[number])
                    frame = {"t": "hb", "n": sent, "have": known["since"], "hash": known["hash"]}
                    text = json.dumps(frame, separators=(",", ":"))
                    await socket.send(text)
                    sent, sent_bytes = sent + 1, sent_bytes + len(text)
                await asyncio.sleep(0)
            await asyncio.sleep(max(0.0, 1.0 - (time.perf_counter() - begun - passed)))
        await asyncio.sleep(0.5)
        seconds = time.perf_counter() - begun
        spent = counters.read() - before - idle * seconds
        self.found.append(Cost("a heartbeat", sent, seconds, spent))
        self.facts["bytes in of a heartbeat"] = sent_bytes / sent
        answered = self.traffic.frames["hb"] - frames
        self.facts["bytes out of a heartbeat"] = (self.traffic.bytes["hb"] - size) / answered
        self.facts["heartbeats answered"] = answered / sent

    async def _bare(self, place: Place) -> None:
        """The reference of the run: the same frames from a process that does nothing else."""
        sizes_ = {kind: self.traffic.size(kind, 400) for kind in ("cmd", "ack", "seat", "spectator")}
        with running("benchmarks.table_load.echo", place.environment, place.folder / "echo.log") as echo:
            traffic, door = Traffic(), Door(echo.port)
            bare: list[Screens] = [BareScreens(f"t{number}", door, traffic, sizes_) for number in range(50)]
            for table in bare:
                await table.enter_all()
            measured = await opened(bare, echo, rate=50.0, seconds=self.seconds)
            self.facts["CPU ms of a bare play, 50/s"] = measured.cost
            for table in bare:
                table.over = True
                await table.leave()

    async def _page(self, name: str, path: str, server: Process, counters: Counters, times: int = 12) -> None:
        """Ask for a page again and again, one at a time, as a visitor."""
        door = self.door(server)

        async def get() -> tuple[int, int]:
            reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
            head = f"GET {path} HTTP/1.1\r\nHost: {door.host}\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
            writer.write(head.encode())
            answer = await reader.read()
            writer.close()
            return int(answer.split(b" ", 2)[1]), len(answer)

        status, size = await get()
        if status != 200:
            raise RuntimeError(f"{path} is answered {status}")
        await get()
        before, begun = counters.read(), time.perf_counter()
        for _ in range(times):
            await get()
        seconds = time.perf_counter() - begun
        self.pages.append(Cost(name, times, seconds, counters.read() - before, {"bytes": size}))

    async def _apart(self, made: list[dict[str, Any]], server: Process) -> None:
        """The same tables with half of their people at another process: it reads what it has not written."""
        place = self.place
        with running("benchmarks.table_load.served", place.environment, place.folder / "second.log") as second:
            first, other = Counters(place, server), Counters(place, second)
            await self._hints(made, server, second, other)
            tables: list[Screens] = [
                Spread(each, [self.door(server), self.door(second)], self.traffic) for each in made
            ]
            for table in tables:
                await table.enter_all()
            await closed(tables, server, at_once=10, seconds=60, plays=len(tables) * 8)
            idle_first, idle_other = await self._idle(first), await self._idle(other)
            before, before_other, rows = first.read(), other.read(), self._rows()
            measured = await opened(tables, server, rate=25.0, seconds=self.seconds)
            here = first.read() - before - idle_first * measured.seconds
            there = other.read() - before_other - idle_other * measured.seconds
            more = {"rows": self._rows() - rows, "both": 1000 * (here.web + there.web) / max(1, measured.plays)}
            self.found.append(Cost("a play, people at two processes", measured.plays, measured.seconds, here, more))
            for table in tables:
                table.over = True
                await table.leave()

    async def _hints(self, made: list[dict[str, Any]], server: Process, second: Process, other: Counters) -> None:
        """What a play costs a process that has people, but none at that table: it hears that there is something to read."""
        watched, played = self.screens(made[0], second), [self.screens(each, server) for each in made[1:11]]
        for table in (watched, *played):
            await table.enter_all()
        await closed(played, server, at_once=5, seconds=60, plays=100)
        idle, before = await self._idle(other), other.read()
        measured = await closed(played, server, at_once=5, seconds=self.seconds)
        spent = other.read() - before - idle * measured.seconds
        self.found.append(Cost("a play at a table of another process", measured.plays, measured.seconds, spent))
        for table in (watched, *played):
            await table.leave()

    async def _bots(self, counters: Counters) -> None:
        """Tables with four bots of level club and nobody who looks on."""
        await asyncio.sleep(2.0)
        idle = await self._idle(counters)
        self.place.run("benchmarks.table_load", "bots", "40")
        await asyncio.sleep(8.0)
        before, rows, begun = counters.read(), self._rows(), time.perf_counter()
        await asyncio.sleep(self.seconds)
        seconds = time.perf_counter() - begun
        spent = counters.read() - before - idle * seconds
        self.found.append(Cost("a row of a bot's move", self._rows() - rows, seconds, spent))

    def stored(self) -> None:
        """Note the bytes of the rows that are stored."""
        for table, (rows, heap, indexes) in sizes(self.place).items():
            if rows:
                self.facts[f"bytes of a row of {table}"] = heap / rows
                self.facts[f"bytes of its index entries, {table}"] = indexes / rows
                self.facts[f"rows of {table}"] = rows
