"""Two kinds of load. Closed: a fixed number of plays is in progress at any time. Open: a fixed number of plays a second
is requested."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from .process import Process
from .screens import Screens, Traffic

PATIENCE = 10.0  # seconds to wait for plays that were requested in time


@dataclass(slots=True)
class Measured:
    """The result of a load."""

    seconds: float  # duration
    cpu: float  # CPU seconds of the server process
    plays: int  # acknowledged ones
    latencies: list[float] = field(default_factory=list)  # in seconds, from the request of a play to its ack
    unanswered: int = 0  # plays requested and not acknowledged

    @property
    def rate(self) -> float:
        """Return acknowledged plays a second."""
        return self.plays / self.seconds

    @property
    def cost(self) -> float:
        """Return CPU milliseconds per play; NaN without plays."""
        return 1000 * self.cpu / self.plays if self.plays else float("nan")

    def percentile(self, share: float) -> float:
        """Return the percentile `share` of the latencies, in milliseconds.

        Unanswered plays count as slower than all others.
        """
        ordered = sorted(self.latencies) + [float("inf")] * self.unanswered
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Stopwatch:
    """Measures a server over a period: CPU, plays, latencies."""

    def __init__(self, server: Process, traffic: Traffic) -> None:
        self._server, self._traffic = server, traffic
        self._plays = len(traffic.latencies)
        self._cpu, self._begun = server.cpu, time.perf_counter()

    def stop(self, *, unanswered: int = 0) -> Measured:
        """Return the figures since the start."""
        told = self._traffic.latencies[self._plays :]
        seconds = time.perf_counter() - self._begun
        return Measured(seconds, self._server.cpu - self._cpu, len(told), told, unanswered)


async def closed(
    tables: Sequence[Screens], server: Process, *, at_once: int, seconds: float, plays: int = 0
) -> Measured:
    """Keep `at_once` plays in progress, the tables in rotation, for `seconds` or until `plays` are done (0: no
    limit)."""
    traffic, rest = tables[0].traffic, deque(tables)
    enough, count = asyncio.Event(), 0

    def next_one(played: Screens | None = None) -> None:
        nonlocal count
        count += played is not None
        if plays and count >= plays:
            enough.set()
        if played is not None:
            rest.append(played)
        while not enough.is_set() and rest:
            chosen = rest.popleft()
            if not chosen.over:
                chosen.want()
                soon(chosen)
                return

    for table in tables:
        table.on_play = next_one
    watch = Stopwatch(server, traffic)
    for _ in range(min(at_once, len(tables))):
        next_one()
    try:
        await asyncio.wait_for(enough.wait(), seconds)
    except TimeoutError:
        enough.set()
    measured = watch.stop()
    await settle(tables)
    return measured


async def opened(tables: Sequence[Screens], server: Process, *, rate: float, seconds: float) -> Measured:
    """Request `rate` plays a second at the tables in rotation. A play waits while its table has an older one in
    progress."""
    for table in tables:
        table.on_play = lambda played: None
    watch = Stopwatch(server, tables[0].traffic)
    begun, asked = time.perf_counter(), 0
    while (now := time.perf_counter() - begun) < seconds:
        while asked < rate * now:
            table = tables[asked % len(tables)]
            table.wanted.append(begun + asked / rate)
            await table.try_to_play()
            asked += 1
        await asyncio.sleep(max(0.0, begun + asked / rate - time.perf_counter()))
    measured = watch.stop()
    until = time.perf_counter() + PATIENCE
    while any(table.pending or (table.wanted and not table.over) for table in tables) and time.perf_counter() < until:
        await asyncio.sleep(0.02)
    late = watch.stop()
    measured.latencies = late.latencies
    measured.unanswered = sum(len(table.wanted) + bool(table.pending) for table in tables if not table.over)
    await settle(tables)
    return measured


async def settle(tables: Sequence[Screens]) -> None:
    """Let the plays in progress end, and request no more."""
    for table in tables:
        table.on_play = lambda played: None
        table.wanted.clear()
    until = time.perf_counter() + PATIENCE
    while any(table.pending for table in tables) and time.perf_counter() < until:
        await asyncio.sleep(0.02)


def soon(table: Screens) -> None:
    """Let the table try to play as soon as the loop is free."""
    task = asyncio.create_task(table.try_to_play())
    table.tasks.add(task)
    task.add_done_callback(table.tasks.discard)
