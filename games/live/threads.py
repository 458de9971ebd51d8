"""Threads for the database work of the live room: LIVE_DB_THREADS, and at least one besides the lanes.

Channels' default is one thread for the whole process, shared with every synchronous view: one slow page would delay
every table. Each thread keeps its database connection, and with it the prepared statements; a connection on which the
database reported an error is closed.

Commands are written by dedicated threads, the lanes. An SQLite connection caches the pages that it has read until
another connection writes. With a single writing thread, most pages that a play needs are in its cache.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from threading import Barrier
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.utils import translation

P = ParamSpec("P")
T = TypeVar("T")


# SQLite has one writer; PostgreSQL overlaps a commit with the statements of the next group.
LANES = {"sqlite": 1, "postgresql": 2}


def lanes() -> int:
    """Return how many threads write commands."""
    return LANES[connections["default"].vendor]


@cache
def _lane(number: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"lane {number}")


def _readers() -> int:
    return max(1, settings.LIVE_DB_THREADS - lanes())


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=_readers(), thread_name_prefix="table")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread of the pool and return its result.

    On cancellation, still await the thread, so that it does not go on with a connection after its caller has gone. The
    thread has the caller's context: the language of the request, and the fields of its log lines.
    """
    return await _run(_pool(), partial(work, *args, **kwargs))


async def in_lane(number: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in the thread of lane `number`, from 0 to `lanes() - 1`; otherwise as `in_thread`."""
    return await _run(_lane(number), partial(work, *args, **kwargs))


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    language = translation.get_language()  # Django keeps it per thread, whatever the context says

    def run() -> T:
        translation.activate(language or settings.LANGUAGE_CODE)
        try:
            return work()
        finally:
            drop_broken()

    running = asyncio.get_running_loop().run_in_executor(threads, copy_context().run, run)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        if not running.cancelled():
            # the caller has gone; without this the loop would report an exception that was never retrieved
            running.exception()
        raise


def drop_broken() -> None:
    """Close this thread's connections that had an error or have an open transaction; the next use reconnects."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred or connection.in_atomic_block or connection.needs_rollback:
            connection.close()


def close() -> None:
    """Close the connections of all threads; the next use reconnects. Waits until each thread is idle."""
    together = Barrier(_readers())

    def work() -> None:
        together.wait(10)
        connections.close_all()

    closing = [_pool().submit(work) for _ in range(_readers())]
    closing += [_lane(number).submit(connections.close_all) for number in range(lanes())]
    for done in closing:
        done.result()
