"""What the listeners of one loop get from one look at the facts, and a stream whose table cannot be read."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from django.db import OperationalError

from tock_league.feed.live import door
from tock_league.feed.live import watch as module
from tock_league.feed.live.tables import Spectating
from tock_league.feed.live.watch import Fact, Listener, Watch

LATEST = 10


class Written:
    """A stream that keeps what it is sent."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.has_ended = False

    def put(self, text: str) -> None:
        self.texts.append(text)

    def end(self) -> None:
        self.has_ended = True


def listener(competition: int, sent: int) -> Any:
    return Listener(Written(), competition, sent)  # type: ignore[arg-type]


def facts_after(wanted: Mapping[int, int]) -> tuple[list[Fact], Collection[int]]:
    """Return the facts up to LATEST as `read` does: every competition has each of them."""
    found = [
        Fact(pk, competition, "result.confirmed", "", "", str(pk))
        for competition, sent in wanted.items()
        for pk in range(sent + 1, LATEST + 1)
    ]
    return found, set(wanted)


def test_who_comes_while_facts_are_read_misses_none_and_is_not_sent_away(monkeypatch: Any) -> None:
    watch = Watch()
    early, resuming, elsewhere = listener(1, LATEST - 1), listener(1, LATEST - 3), listener(2, LATEST)
    watch.listeners.add(early)

    async def in_thread(_read: Any, wanted: Mapping[int, int]) -> Any:
        watch.listeners.update({resuming, elsewhere})
        return facts_after(dict(wanted))

    monkeypatch.setattr(module, "in_thread", in_thread)

    async def two_looks() -> None:
        await watch.look()
        await watch.look()

    asyncio.run(two_looks())
    assert early.stream.texts == ["10"]
    assert resuming.stream.texts == ["8", "9", "10"]
    assert not elsewhere.stream.has_ended


def test_who_leaves_while_facts_are_read_is_sent_nothing(monkeypatch: Any) -> None:
    watch = Watch()
    one = listener(1, 0)
    watch.listeners.add(one)

    async def in_thread(_read: Any, wanted: Mapping[int, int]) -> Any:
        watch.listeners.discard(one)
        return facts_after(dict(wanted))

    monkeypatch.setattr(module, "in_thread", in_thread)
    asyncio.run(watch.look())
    assert one.stream.texts == []


def test_a_stream_ends_that_cannot_join_the_table_of_its_match(monkeypatch: Any) -> None:
    """Its reader would wait for plays otherwise that never come."""

    async def in_thread(*_asked: Any) -> Any:
        raise OperationalError

    monkeypatch.setattr(door, "in_thread", in_thread)
    stream = Written()
    spectating = Spectating.__new__(Spectating)
    spectating.stream = stream  # type: ignore[assignment]
    asyncio.run(door._join(spectating, "abcd2345"))
    assert stream.has_ended
