"""The shared cache in Redis, with a fallback to each process's memory while Redis does not answer.

Its content may be lost at any time: rates, throttles, the worker's pulse. It is never the only copy of a fact.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import redis
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.retry import Retry

from .breaker import Breaker

TIMEOUT_S = 0.25  # of one request; Redis on the same network answers in less than a millisecond
REST_S = 2.0  # between two attempts while Redis is away
AWAY = (redis.RedisError, OSError)

T = TypeVar("T")


class SharedCache(BaseCache):
    """Django's Redis cache with short timeouts, and this process's memory while Redis does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        # A connection that Redis has closed is reopened at once; a timeout is not retried.
        patience = {
            "socket_timeout": TIMEOUT_S,
            "socket_connect_timeout": TIMEOUT_S,
            "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        }
        self._shared = RedisCache(server, {**params, "OPTIONS": {**patience, **params.get("OPTIONS", {})}})
        self._own = LocMemCache(f"instead of {server}", params)

    @property
    def is_shared(self) -> bool:
        """Whether Redis answered the last request."""
        return not breaker.is_open

    def _through(self, work: Callable[[BaseCache], T]) -> T:
        if not breaker.allows():
            return work(self._own)
        try:
            done = work(self._shared)
        except AWAY as error:
            if breaker.failed(error):
                self._own.clear()  # values of an earlier outage are out of date
            return work(self._own)
        except ValueError:  # incr of a missing key: Redis did answer
            breaker.worked()
            raise
        breaker.worked()
        return done

    def add(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return self._through(lambda cache: cache.add(key, *args, **kwargs))

    def get(self, key: Any, *args: Any, **kwargs: Any) -> Any:
        return self._through(lambda cache: cache.get(key, *args, **kwargs))

    def set(self, key: Any, *args: Any, **kwargs: Any) -> None:
        self._through(lambda cache: cache.set(key, *args, **kwargs))

    def touch(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return self._through(lambda cache: cache.touch(key, *args, **kwargs))

    def delete(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return self._through(lambda cache: cache.delete(key, *args, **kwargs))

    def get_many(self, keys: Any, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        asked = list(keys)
        return self._through(lambda cache: cache.get_many(asked, *args, **kwargs))

    def has_key(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return self._through(lambda cache: cache.has_key(key, *args, **kwargs))

    def incr(self, key: Any, *args: Any, **kwargs: Any) -> int:
        return self._through(lambda cache: cache.incr(key, *args, **kwargs))

    def set_many(self, data: Any, *args: Any, **kwargs: Any) -> list[Any]:
        return self._through(lambda cache: cache.set_many(data, *args, **kwargs))

    def delete_many(self, keys: Any, *args: Any, **kwargs: Any) -> None:
        asked = list(keys)
        self._through(lambda cache: cache.delete_many(asked, *args, **kwargs))

    def clear(self) -> None:
        self._own.clear()
        self._through(lambda cache: cache.clear())


# One per process: Django makes a cache object for each thread, and each request has a thread of its own.
breaker = Breaker("Redis, as cache,", REST_S)
