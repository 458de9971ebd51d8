"""Database work of the live room: a bounded pool of threads of its own.

Channels' default is one thread for the whole process, shared with every synchronous view: one slow page would hold up every
table. Each thread of the pool keeps its database connection, and with it the statements that the database has compiled for
it; a connection on which the database reported an error is dropped.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from threading import Barrier
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.utils import translation

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=settings.LIVE_DB_THREADS, thread_name_prefix="table")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread of the pool and return what it returns.

    On cancellation, still await the thread: no work goes on unseen, with a connection, after its caller. The thread has the
    caller's context: the language of the request, and what its log lines are about.
    """

    language = translation.get_language()  # Django keeps it for one thread, whatever the context says

    def run() -> T:
        translation.activate(language or settings.LANGUAGE_CODE)
        try:
            return work(*args, **kwargs)
        finally:
            drop_broken()

    running = asyncio.get_running_loop().run_in_executor(_pool(), copy_context().run, run)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        if not running.cancelled():
            running.exception()  # the caller has gone; unread, the loop would report it as never retrieved
        raise


def drop_broken() -> None:
    """Close this thread's connections on which an error was seen, or a transaction was left open; the next use connects anew."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred or connection.in_atomic_block or connection.needs_rollback:
            connection.close()


def close() -> None:
    """Close the connections of all threads of the pool; the next use connects anew. Waits until each thread is idle."""
    threads = settings.LIVE_DB_THREADS
    together = Barrier(threads)

    def work() -> None:
        together.wait(10)
        connections.close_all()

    for done in [_pool().submit(work) for _ in range(threads)]:
        done.result()
