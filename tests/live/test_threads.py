"""Database work always ends before its caller: no connection is left when a table is left."""

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.utils import translation

from games.live.feed import Feed
from games.live.hub import hub
from games.live.threads import in_thread
from tock_league.accounts.models import Player

from .sockets import Socket

pytestmark = pytest.mark.both_databases


async def test_a_cancelled_caller_waits_for_the_thread() -> None:
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


async def test_an_error_after_the_caller_was_cancelled_is_not_reported() -> None:
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
async def test_after_the_last_socket_has_left_nothing_reads_the_table(
    sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    reading: list[bool] = []
    real = Feed.fetch

    def slow(feed: Feed, **who_looks: bool) -> Any:
        reading.append(True)
        try:
            time.sleep(0.3)
            return real(feed, **who_looks)
        finally:
            reading.pop()

    monkeypatch.setattr(Feed, "fetch", slow)
    hub().hint(sat_table.table.pk)
    while not reading:
        await asyncio.sleep(0.01)
    await socket.leave()
    assert not reading
    assert not hub().feeds


class OnlyOnItsLoop(set[Any]):
    """A set of clients that must only be iterated on the loop that changes it."""

    def __init__(self, clients: set[Any]) -> None:
        super().__init__(clients)
        self.thread = threading.get_ident()

    def __iter__(self) -> Iterator[Any]:
        assert threading.get_ident() == self.thread, "another thread walks through the clients"
        return super().__iter__()


@pytest.mark.django_db(transaction=True)
async def test_clients_may_come_and_go_while_the_table_is_read(sat_table: Any) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    (feed,) = hub().feeds.values()
    feed.clients = OnlyOnItsLoop(feed.clients)
    await hub().refresh(feed)
    assert not feed.stale  # it was read
    await socket.leave()


@pytest.mark.django_db(transaction=True)
async def test_if_the_read_of_a_join_fails_the_view_follows_with_the_next_look(
    sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tries = Feed.fetch, count()

    def fails_once(feed: Feed, **who_looks: bool) -> Any:
        if next(tries) == 0:
            raise RuntimeError("once")
        return real(feed, **who_looks)

    monkeypatch.setattr(Feed, "fetch", fails_once)
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    assert (socket.frames[0]["t"], socket.frames[0]["code"]) == ("note", "delay")
    assert (await socket.until("snap"))["you"]["seat"] == 0
    await socket.leave()


@pytest.mark.django_db(transaction=True)
async def test_a_pseudonym_reaches_a_table_that_is_open(sat_table: Any) -> None:
    player = sat_table.players[0]
    socket = await Socket.of(sat_table.table.slug, player)
    assert (await socket.until("who"))["seats"][0]["name"] == player.display_name
    await in_thread(Player.objects.filter(pk=player.pk).update, display_name="Joueur 8F3K")
    await hub()._look_at_names()
    while (await socket.until("who"))["seats"][0]["name"] == player.display_name:
        pass
    await socket.leave()


async def test_a_thread_has_the_language_of_its_caller() -> None:
    with translation.override("en"):
        assert await in_thread(translation.get_language) == "en"
    with translation.override("fr-ca"):
        assert await in_thread(translation.get_language) == "fr-ca"
