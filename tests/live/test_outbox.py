"""The outbox of a socket is bounded; a slow reader is repaired by one snap, a stuck one is closed."""

import asyncio

import pytest

from games.live.limits import Rate
from games.live.outbox import MAX_BYTES, MAX_MESSAGES, Outbox
from tock_league.common import clock


class Reader:
    """A socket that only reads while `open`."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.got: list[str] = []
        self.drained = self.stuck = 0
        self.outbox = Outbox(self._send, on_drained=self._drained, on_stuck=self._stuck)

    async def _send(self, text: str) -> None:
        await self.open.wait()
        self.got.append(text)

    def _drained(self) -> None:
        self.drained += 1

    def _stuck(self) -> None:
        self.stuck += 1


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_frames_arrive_in_order() -> None:
    reader = Reader()
    reader.open.set()
    assert all(reader.outbox.put(str(n)) for n in range(20))
    await settle()
    assert reader.got == [str(n) for n in range(20)]
    assert reader.drained == 0
    await reader.outbox.stop()


async def test_too_many_frames_are_dropped_and_one_resync_follows() -> None:
    reader = Reader()
    reader.outbox.put("first")
    await settle()
    assert all(reader.outbox.put("x") for _ in range(MAX_MESSAGES))
    assert not reader.outbox.put("one more")
    assert not reader.outbox.put("and more")
    reader.open.set()
    await settle()
    assert reader.got == ["first"]
    assert (reader.drained, reader.stuck) == (1, 0)
    assert reader.outbox.put("snap")
    await settle()
    assert reader.got == ["first", "snap"]
    await reader.outbox.stop()


async def test_too_many_bytes_are_dropped_as_well() -> None:
    reader = Reader()
    reader.outbox.put("first")
    await settle()
    assert reader.outbox.put("x" * (MAX_BYTES - 10))
    assert not reader.outbox.put("y" * 20)
    reader.open.set()
    await settle()
    assert reader.drained == 1
    await reader.outbox.stop()


async def test_a_second_overflow_soon_after_closes_the_socket() -> None:
    reader = Reader()
    for _ in range(2):
        reader.open.clear()
        reader.outbox.put("first")
        await settle()
        for _ in range(MAX_MESSAGES + 1):
            reader.outbox.put("x")
        reader.open.set()
        await settle()
    assert (reader.drained, reader.stuck) == (1, 1)
    assert not reader.outbox.put("too late")
    await reader.outbox.stop()


def test_a_rate_counts_in_a_sliding_window(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((1000.0, 1030.0, 1040.0, 1050.0, 1059.0, 1061.0, 1062.0, 1091.0))
    monkeypatch.setattr(clock, "monotonic", times.__next__)
    rate = Rate(3, 60.0)
    allowed = [rate.allows() for _ in range(8)]
    assert allowed == [True, True, True, False, False, True, False, True]
