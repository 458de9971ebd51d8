"""The shared cache on a real Redis that is frozen and killed: pages and limits fall back to the process's memory."""

import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.test import RequestFactory

from tests.conftest import absent
from tests.servers.programs import NotHere
from tests.servers.redis import Redis, own_server
from tests.servers.site import eventually
from tock_league.common import cache as room
from tock_league.common import limits
from tock_league.common.breaker import Breaker
from tock_league.common.cache import SharedCache
from tock_league.common.clock import Frozen
from tock_league.common.errors import Refused

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def redis_of_ours() -> Iterator[Redis]:
    """Give a Redis that the tests may freeze and kill."""
    try:
        with own_server() as running:
            yield running
    except NotHere as reason:
        absent("redis", reason)


@pytest.fixture
def cache(redis_of_ours: Redis, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[SharedCache]:
    """Give the site's cache on that Redis, running and empty."""
    monkeypatch.setattr(room, "breaker", Breaker("Redis", 0.1))
    settings.CACHES = {"default": {"BACKEND": "tock_league.common.cache.SharedCache", "LOCATION": redis_of_ours.url}}
    found: Any = caches["default"]
    found.clear()
    yield found
    redis_of_ours.thaw()
    if redis_of_ours.process is None or redis_of_ours.process.poll() is not None:
        redis_of_ours.start()


def away(server: Redis, how: str) -> None:
    if how == "frozen":
        server.freeze()
    else:
        server.stop(signal.SIGKILL)


def test_two_processes_see_the_same(cache: SharedCache, redis_of_ours: Redis) -> None:
    cache.set("pulse", 7)
    assert SharedCache(redis_of_ours.url, {}).get("pulse") == 7
    assert cache.is_shared


@pytest.mark.parametrize("how", ["frozen", "killed"])
def test_without_redis_nothing_raises_and_only_one_call_waits_for_the_timeout(
    cache: SharedCache, redis_of_ours: Redis, how: str
) -> None:
    cache.set("before", 1)
    away(redis_of_ours, how)
    begun = time.monotonic()
    assert cache.get("before", "forgotten") == "forgotten"
    cache.set("mine", 2, timeout=60)
    assert cache.get("mine") == 2
    assert cache.add("mine", 3) is False
    assert cache.get_or_set("other", lambda: 4) == 4
    assert cache.get_many(["mine", "other", "none"]) == {"mine": 2, "other": 4}
    assert cache.incr("mine") == 3
    with pytest.raises(ValueError, match="nothing"):
        cache.incr("nothing")
    assert cache.touch("mine", 60)
    assert cache.has_key("mine")
    assert cache.set_many({"a": 1, "b": 2}) == []
    cache.delete_many(["a", "b"])
    assert cache.delete("mine")
    assert time.monotonic() - begun < 1.0
    assert not cache.is_shared


@pytest.mark.parametrize("how", ["frozen", "killed"])
def test_limits_count_in_the_process_while_redis_is_away_and_together_afterwards(
    cache: SharedCache, redis_of_ours: Redis, frozen_clock: Frozen, how: str
) -> None:
    def spend() -> None:
        limits.spend(RequestFactory(REMOTE_ADDR="10.0.0.9").get("/"), "tables", count=3, seconds=600)

    spend()
    away(redis_of_ours, how)
    for _ in range(3):
        spend()
    with pytest.raises(Refused):
        spend()
    redis_of_ours.thaw() if how == "frozen" else redis_of_ours.start()

    def shared_again() -> bool:
        cache.set("again", 1)
        return cache.is_shared

    eventually(shared_again, every=0.02)
    assert SharedCache(redis_of_ours.url, {}).get("again") == 1
