"""What happens to the hosts. Each kind is a coroutine that cuts, waits, and mends; then every host reaches every other."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.soak import hold

from .house import ON

if TYPE_CHECKING:
    from .run import HostRun

CUT_S = (13.0, 16.0)  # a cut lasts so long: longer than a page needs to notice that its socket is dead
MOVED_S = 24.0  # after so long, nobody's socket is at a host without a database
FREED_S = 8.0  # after so long, what a host that was cut off had locked must be free
Kind = Callable[["HostRun"], Awaitable[None]]


async def _waits(run: "HostRun", seconds: tuple[float, float] = CUT_S) -> None:
    await asyncio.sleep(run.stream("cut").uniform(*seconds))


def _web(run: "HostRun") -> str:
    return run.stream("which").choice(sorted(run.house.webs))


async def cut_web(run: "HostRun") -> None:
    """A web host loses its cable, while people play on over the other one."""
    name = _web(run)
    run.note(f"{name} is cut off")
    run.house.net.cut(name)
    await _waits(run)


async def deaf_web(run: "HostRun") -> None:
    """A web host gets no answers from the database's host; what it sends arrives, commits too."""
    name = _web(run)
    run.note(f"{name} does not hear the database")
    run.house.net.deafen(name, "db")
    await _waits(run)


async def mute_web(run: "HostRun") -> None:
    """What a web host sends to the database's host is lost, while people still reach it."""
    name = _web(run)
    run.note(f"{name} is not heard by the database")
    run.house.net.deafen("db", name)
    await _waits(run)


async def parted_web(run: "HostRun") -> None:
    """A web host and the database's host lose each other, while people still reach both web hosts.

    After a while everybody must have moved to the other one.
    """
    name = _web(run)
    run.note(f"{name} and the database are apart")
    run.house.net.part(name, "db")
    await asyncio.sleep(MOVED_S)
    known = dict(run.house.asked("SELECT slug, last_seq FROM games_game"))
    await asyncio.sleep(3.0)
    for client in run.clients:
        if client.seat is not None and client.held.seq < int(str(known.get(client.held.game, 0))):
            run.wrong(f"{client.name} still sees row {client.held.seq} of {known[client.held.game]}, as {name} does")


async def flapping_web(run: "HostRun") -> None:
    """A web host comes and goes, in turns of a few seconds."""
    name, roll = _web(run), run.stream("flapping")
    for _ in range(4):
        run.note(f"{name} is cut off")
        run.house.net.cut(name)
        await asyncio.sleep(roll.uniform(0.3, 4.0))
        run.house.net.mend()
        await asyncio.sleep(roll.uniform(0.1, 2.0))


async def cut_within(run: "HostRun", processes: Sequence[str]) -> None:
    """A host is cut off in the middle of a transaction that holds rows locked; the others must not wait for it long."""
    run.resigning = True  # a game ends, and is rated
    process, backend = await hold.caught(run.house, processes)
    name = ON[process]
    run.note(f"{name} is cut off in the middle of a transaction")
    run.house.net.cut(name)
    cut = time.monotonic()
    while run.house.asked("SELECT 1 FROM pg_stat_activity WHERE pid = %s AND state <> 'idle'", backend):
        if time.monotonic() - cut > FREED_S + CUT_S[1]:
            break
        await asyncio.sleep(0.1)
    held = time.monotonic() - cut
    run.held.append(held)
    run.note(f"its rows were locked for {held:.1f} s")
    if held > FREED_S:
        run.wrong(f"rows that {name} had locked were free only {held:.1f} s after it was cut off")
    await _waits(run, (8.0, 10.0))


async def cut_work(run: "HostRun", name: str) -> None:
    """A worker's host is cut off; with work1 the beat is too."""
    run.resigning = True
    run.note(f"{name} is cut off")
    run.house.net.cut(name)
    await _waits(run, (8.0, 12.0))


async def cut_both(run: "HostRun") -> None:
    """Both web hosts lose the database: nobody serves the tables, and the time is credited."""
    for name in sorted(run.house.webs):
        run.house.net.part(name, "db")
    run.outage = True
    run.note("both web hosts and the database are apart")
    await _waits(run, (7.0, 9.0))


KINDS: dict[str, Kind] = {
    "web-cut": cut_web,
    "web-deaf": deaf_web,
    "web-mute": mute_web,
    "web-parted": parted_web,
    "web-flapping": flapping_web,
    "web-locking": partial(cut_within, processes=("web1", "web2")),
    "worker-rating": partial(cut_within, processes=("worker1", "worker2")),
    "beat-cut": partial(cut_work, name="work1"),
    "worker-cut": partial(cut_work, name="work2"),
    "both-parted": cut_both,
}


async def meet(run: "HostRun", kind: str) -> Any:
    """Make a kind of cut and mend it, whatever happens meanwhile."""
    try:
        await KINDS[kind](run)
    finally:
        run.house.net.mend()
