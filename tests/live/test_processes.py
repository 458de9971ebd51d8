"""Processes that share a Redis: hints and presence of one process reach the others."""

import asyncio
import threading
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games.live import hints, relay
from games.live import hub as hub_room
from games.live.feed import Elsewhere
from games.live.hints import Presence
from tock_league.common import clock

from .sockets import Socket, off_loop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis, pytest.mark.both_databases]


@pytest.fixture
def shared_layer(redis_server: Any, settings: Any) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [redis_server.url]}}
    }


async def test_a_hint_of_another_process_reaches_the_sockets_here(
    shared_layer: None, sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_room, "LOOK_S", 60.0)  # only the hint can bring it
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    await asyncio.sleep(0.3)

    monkeypatch.setattr(hints, "_ears", {})  # as in the other process: nothing listens there
    await off_loop(lambda: sat_table.send(1, "ready"))()
    await socket.reach(2)
    await socket.leave()


async def test_a_process_ignores_its_own_hints(
    shared_layer: None, sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the fixtures wrote is sent by a thread in its own time, as by another process: no loop was running then.
    sent = threading.Event()
    hints._aside.put(sent.set)
    assert await asyncio.to_thread(sent.wait, 10)
    hinted: list[int] = []
    monkeypatch.setattr(hub_room.Hub, "hint", lambda hub, table_id: hinted.append(table_id))
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    await asyncio.sleep(0.3)
    assert (await socket.command("ready"))["t"] == "ack"
    await hints.tell_presence(get_channel_layer(), "other", [Presence(sat_table.table.pk, [2], 3)])
    while (await socket.until("who"))["spectators"] != 3:
        pass  # what this process sent before has arrived by now
    assert hinted == []
    await socket.leave()


async def test_presence_includes_people_at_other_processes(shared_layer: None, sat_table: Any) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    await asyncio.sleep(0.3)
    layer = get_channel_layer()
    await hints.tell_presence(layer, "other", [Presence(0, [1], 9), Presence(sat_table.table.pk, [2], 3)])
    while (who := await socket.until("who"))["spectators"] != 3:
        pass
    assert [seat["online"] for seat in who["seats"]] == [True, False, True, False]
    feed = hub_room.hub().feeds[sat_table.table.pk]
    assert set(feed.elsewhere) == {"other"}
    feed.elsewhere["other"] = Elsewhere(frozenset({2}), 3, 0.0)
    feed.who_due = True
    assert (await socket.until("who"))["spectators"] == 0
    await socket.leave()


async def test_a_later_window_at_another_process_takes_the_seat(shared_layer: None, sat_table: Any) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    assert (await socket.command("ready"))["t"] == "ack"
    layer = get_channel_layer()
    later = [(0, clock.now_ms() + 1)]
    table_id = sat_table.table.pk
    noted = asyncio.create_task(socket.until("note", timeout=20))
    while not noted.done():  # until this process listens, what others send is lost
        await hints.tell_presence(layer, "other", [Presence(table_id, [0], playing=later)])
        await asyncio.wait([noted], timeout=0.1)
    assert noted.result()["code"] == "other_tab"
    assert (await socket.command("resign"))["code"] == "other_tab"
    await hints.tell_presence(layer, "other", [Presence(table_id)])
    while (await socket.command("resign"))["code"] == "other_tab":
        pass
    assert socket.frames[-1]["why"] == "not_dealt"
    await socket.leave()


async def test_a_process_does_not_count_its_own_presence_twice(shared_layer: None, sat_table: Any) -> None:
    socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
    spectator = Socket(sat_table.table.slug, role="spectator")
    await spectator.enter()
    await asyncio.sleep(2 * relay.LOOK_S + 0.5)
    assert not hub_room.hub().feeds[sat_table.table.pk].elsewhere
    assert (await socket.until("who", spectators=1))["seats"][0]["online"]
    await socket.leave()
    await spectator.leave()
