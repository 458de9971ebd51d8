"""The faults. Each is a coroutine that makes the fault, waits, and mends it; then every process runs again."""

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import redis

from .house import House
from .stepped import set_step

NOTICED_S = 30.0  # a full disk is noticed when a table or index has to grow
Fault = Callable[[House, random.Random, Callable[[str], None]], Awaitable[None]]


class Broken(Exception):
    """What a fault found wrong while it lasted."""


async def _done(work: Callable[..., Any], *args: Any) -> Any:
    """Do something that blocks without stopping the people."""
    return await asyncio.get_running_loop().run_in_executor(None, work, *args)


async def kill(which: str, house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """`kill -9`, and a new process after a moment."""
    name = roll.choice(list(house.webs)) if which == "web" else which
    say(f"kill -9 of {name}")
    await _done(house.kill, name)
    await asyncio.sleep(roll.uniform(0.0, 1.0))
    await _done(house.start, name)


async def flush(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """`FLUSHALL`, one to three times."""
    for _ in range(roll.randint(1, 3)):
        say("FLUSHALL")
        await _done(_flushall, house.redis.url)
        await asyncio.sleep(roll.uniform(0.1, 0.8))


def _flushall(url: str) -> None:
    with redis.Redis.from_url(url) as client:
        client.flushall()


async def freeze_redis(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """Redis answers nothing for some seconds, with its connections open."""
    seconds = roll.uniform(1.0, 4.0)
    say(f"Redis frozen for {seconds:.1f} s")
    house.redis.freeze()
    try:
        await asyncio.sleep(seconds)
    finally:
        house.redis.thaw()


async def kill_redis(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """Redis is killed and starts empty."""
    say("kill -9 of Redis")
    await _done(house.redis.stop, signal.SIGKILL)
    await asyncio.sleep(roll.uniform(0.2, 2.0))
    await _done(house.redis.start)


async def stop_database(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """PostgreSQL stops at once, as in a crash, and starts again."""
    seconds = roll.uniform(0.2, 3.0)
    say(f"PostgreSQL stopped at once, away for {seconds:.1f} s")
    await _done(house.stop_database)
    await asyncio.sleep(seconds)
    await _done(house.database.start)


async def step_clock(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """The system clock of all processes is set forward, back, and right again."""
    assert house.step_file is not None
    for seconds in roll.sample((3600.0, -3600.0, 1.0, -1.0, 86400.0), 3):
        say(f"clocks {seconds:+.0f} s")
        set_step(house.step_file, seconds)
        await asyncio.sleep(roll.uniform(0.4, 1.2))
    set_step(house.step_file, 0.0)


async def cut_off(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """Half of the processes stand still for some seconds: one web process, and the worker if there is one."""
    seconds = roll.uniform(1.0, 4.0)
    names = [roll.choice(list(house.webs)), *({"worker"} & set(house.commands))]
    say(f"{' and '.join(names)} stopped for {seconds:.1f} s")
    for name in names:
        house.signal(name, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        for name in names:
            house.signal(name, signal.SIGCONT)


async def fill_disk(house: House, roll: random.Random, say: Callable[[str], None]) -> None:
    """The disk of the tables is full until the readiness of a web process says so, as it must once a write has failed."""
    assert house.ballast is not None
    say("disk full")
    await _done(_fill, house)
    until = time.monotonic() + NOTICED_S
    try:
        while not await _done(_is_noticed, house):
            if time.monotonic() > until:
                raise Broken(f"no web process has said within {NOTICED_S:.0f} s that the disk is full")
            await asyncio.sleep(0.2)
        say("a web process says so")
        await asyncio.sleep(roll.uniform(0.5, 1.5))
    finally:
        house.ballast.unlink()


def _is_noticed(house: House) -> bool:
    return any(
        status == 503 and body.get("missing") == ["disk"] for status, body in (house.ready(name) for name in house.webs)
    )


def _fill(house: House) -> None:
    assert house.ballast is not None
    with open(house.ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while file.write(b"\0" * size):
                    pass
            except OSError:
                continue


KINDS: dict[str, Fault] = {
    "kill-web": partial(kill, "web"),
    "kill-worker": partial(kill, "worker"),
    "kill-beat": partial(kill, "beat"),
    "flush": flush,
    "redis-frozen": freeze_redis,
    "redis-killed": kill_redis,
    "database": stop_database,
    "clocks": step_clock,
    "cut-off": cut_off,
    "disk": fill_disk,
}


def possible(house: House) -> list[str]:
    """Return the kinds of fault that this house can have."""
    without = {
        "kill-worker": "worker" not in house.commands,
        "kill-beat": "beat" not in house.commands,
        "clocks": house.step_file is None,
        "disk": house.ballast is None,
    }
    return [kind for kind in KINDS if not without.get(kind)]
