"""Work on the database never outlives who asked for it: no connection is left behind when a table is left."""

import asyncio
import gc
import threading
import time
from typing import Any

import pytest
from django.utils import translation

from games.live.feed import Feed
from games.live.hub import hub
from games.live.threads import in_thread

from .sockets import Socket

pytestmark = pytest.mark.both_databases


async def test_who_is_cancelled_waits_for_the_thread() -> None:
    begun, done = threading.Event(), []

    def work() -> None:
        begun.set()
        time.sleep(0.2)
        done.append(True)

    task = asyncio.create_task(in_thread(work))
    while not begun.is_set():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == [True]


async def test_an_error_behind_a_cancelled_caller_is_not_reported_later() -> None:
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    begun, go = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(10)
        raise ValueError("nobody is left who could be told")

    task = asyncio.create_task(in_thread(work))
    while not begun.is_set():
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0)
    go.set()
    await asyncio.wait([task])
    assert task.cancelled()
    del task
    gc.collect()
    assert reported == []


@pytest.mark.django_db(transaction=True)
async def test_when_the_last_one_has_left_nothing_reads_the_table_any_more(
    sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    reading: list[bool] = []
    real = Feed.fetch

    def slow(feed: Feed) -> Any:
        reading.append(True)
        try:
            time.sleep(0.3)
            return real(feed)
        finally:
            reading.pop()

    monkeypatch.setattr(Feed, "fetch", slow)
    hub().hint(sat_table.table.pk)
    while not reading:
        await asyncio.sleep(0.01)
    await socket.leave()
    assert not reading
    assert not hub().feeds


async def test_a_thread_speaks_the_language_of_its_caller() -> None:
    with translation.override("en"):
        assert await in_thread(translation.get_language) == "en"
    with translation.override("fr-ca"):
        assert await in_thread(translation.get_language) == "fr-ca"
