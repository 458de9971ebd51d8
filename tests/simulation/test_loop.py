"""Tests of the event loop with virtual time."""

import asyncio
import time

import pytest

from .loop import Stuck, VirtualLoop


def test_a_day_of_sleep_takes_no_real_time() -> None:
    loop, begin = VirtualLoop(), time.monotonic()
    loop.run_until_complete(asyncio.wait_for(asyncio.sleep(86_400), 100_000))
    assert loop.time() == 86_400
    assert time.monotonic() - begin < 10
    loop.close()


def test_timers_run_in_the_order_of_their_times() -> None:
    loop, seen = VirtualLoop(), []
    for name, when in (("c", 3.0), ("a", 1.0), ("b", 2.0)):
        loop.call_at(when, seen.append, name)
    dropped = loop.call_at(1.5, seen.append, "cancelled")
    dropped.cancel()
    loop.run_until_complete(asyncio.sleep(4))
    assert seen == ["a", "b", "c"]
    loop.close()


def test_a_deadlock_raises_stuck() -> None:
    loop = VirtualLoop()
    with pytest.raises(Stuck):
        loop.run_until_complete(loop.create_future())
    loop.close()
