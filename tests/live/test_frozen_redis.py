"""Redis frozen or stopped: the tables of a process continue, lost hints do no harm, and later hints arrive again."""

import asyncio
import signal
import time
from typing import Any

import pytest

from games.live import hints
from games.live import hub as hub_room
from tests.common.test_cache import redis_of_ours
from tests.servers.redis import Redis
from tock_league.common.breaker import Breaker

from .sockets import Socket, off_loop

__all__ = ["redis_of_ours"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def layer_of_ours(redis_of_ours: Redis, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Redis:
    """Use that Redis as the channel layer, as the production settings do."""
    monkeypatch.setattr(hints, "breaker", Breaker("the channel layer", 0.2))
    host = {"address": redis_of_ours.url, "socket_timeout": 0.5, "socket_connect_timeout": 0.5}
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [host]}}
    }
    return redis_of_ours


@pytest.mark.parametrize("how", ["frozen", "killed"])
async def test_a_table_continues_without_redis_and_hints_arrive_again_afterwards(
    layer_of_ours: Redis, sat_table: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(hub_room, "LOOK_S", 60.0)  # only a hint can bring it
    first = await Socket.of(sat_table.table.slug, sat_table.players[0])
    second = await Socket.of(sat_table.table.slug, sat_table.players[1])
    try:
        if how == "frozen":
            layer_of_ours.freeze()
        else:
            layer_of_ours.stop(signal.SIGKILL)
        tasks = len(asyncio.all_tasks())
        for number in range(5):
            begun = time.monotonic()
            assert (await first.command("phrase", code="thanks"))["t"] == "ack"
            await second.reach(2 + number)
            assert time.monotonic() - begun < 1.0
        assert (await second.command("ready"))["t"] == "ack"
        await first.reach(7)
        assert len(asyncio.all_tasks()) <= tasks + 20
    finally:
        if how == "frozen":
            layer_of_ours.thaw()
        else:
            layer_of_ours.start()

    hears = asyncio.create_task(first.reach(8, timeout=20))
    while not hears.done():
        with monkeypatch.context() as elsewhere:  # as in another process: nothing listens there
            elsewhere.setattr(hints, "_ears", {})
            await off_loop(lambda: sat_table.send(2, "phrase", code="thanks"))()
        await asyncio.wait([hears], timeout=0.5)
    await hears
    await first.leave()
    await second.leave()
