"""What a thread has committed reaches its own loop with one wake-up, every other loop at once, and no listener twice."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import OperationalError

from games.announcements import PlaysRecorded
from games.live import hints
from games.live import hub as hub_room
from games.services import play

from .sockets import Socket

pytestmark = pytest.mark.both_databases


def news(seq: int) -> PlaysRecorded:
    return PlaysRecorded(table_id=1, game_id=1, seq=seq, steps=())


async def test_hints_kept_for_a_loop_are_delivered_when_the_loop_asks() -> None:
    heard: list[int] = []
    number = hints.listen(lambda said: heard.append(said.seq))
    kept: list[PlaysRecorded] = []

    def work(loop: asyncio.AbstractEventLoop) -> None:
        with hints.kept_for(loop, kept):
            hints.tell(news(1))
            hints.tell(news(2))

    loop = asyncio.get_running_loop()
    try:
        await loop.run_in_executor(None, work, loop)
        await asyncio.sleep(0)
        assert heard == []
        hints.tell_kept(kept)
        assert heard == [1, 2]
        hints.tell(news(3))  # after the block the loop is woken as usual
        while heard != [1, 2, 3]:
            await asyncio.sleep(0)
    finally:
        hints.forget(number)


async def test_a_thread_can_deliver_its_kept_hints_before_it_ends() -> None:
    heard: list[int] = []
    number = hints.listen(lambda said: heard.append(said.seq))
    kept: list[PlaysRecorded] = []
    go = threading.Event()

    def work(loop: asyncio.AbstractEventLoop) -> None:
        with hints.kept_for(loop, kept) as wake:
            hints.tell(news(1))
            wake()
            go.wait(10)
            hints.tell(news(2))

    loop = asyncio.get_running_loop()
    try:
        working = loop.run_in_executor(None, work, loop)
        async with asyncio.timeout(10):
            while heard != [1]:
                await asyncio.sleep(0)
        assert not working.done()
        go.set()
        await working
        hints.tell_kept(kept)
        assert heard == [1, 2]
    finally:
        hints.forget(number)


async def test_a_listener_that_fails_does_not_affect_the_others(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []

    def fail(said: PlaysRecorded) -> None:
        raise ValueError("a fault of one hub")

    numbers = [hints.listen(fail), hints.listen(lambda said: heard.append(said.seq))]
    try:
        hints.tell_kept([news(1), news(2)])
        assert heard == [1, 2]
        assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    finally:
        for number in numbers:
            hints.forget(number)


async def test_another_loop_gets_at_once_what_a_thread_keeps_for_its_own_loop() -> None:
    heard, listening, go = threading.Event(), threading.Event(), threading.Event()

    async def elsewhere() -> None:
        number = hints.listen(lambda said: heard.set())
        listening.set()
        while not go.is_set():
            await asyncio.sleep(0.005)
        hints.forget(number)

    other = threading.Thread(target=lambda: asyncio.run(elsewhere()))
    other.start()
    kept: list[PlaysRecorded] = []
    try:
        assert listening.wait(10)
        with hints.kept_for(asyncio.get_running_loop(), kept):
            hints.tell(news(1))
        assert heard.wait(10)
        assert [said.seq for said in kept] == [1]
    finally:
        go.set()
        other.join()


@pytest.mark.django_db(transaction=True)
async def test_rows_committed_before_an_error_are_broadcast(sat_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_room, "LOOK_S", 60.0)  # only what the writer sends
    real = play.submit_group

    def break_off(requests: Sequence[play.Request], **more: Any) -> Any:
        real(requests, **more)
        raise OperationalError("the connection was lost behind the first commit")

    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    monkeypatch.setattr(play, "submit_group", break_off)
    assert (await socket.command("ready"))["code"] == "internal"
    await socket.reach(2)
    await socket.leave()
