"""Database work of the live room: a bounded pool of threads of its own.

Channels' default is one thread for the whole process, shared with every synchronous view: one slow page would hold up every
table. The pool is as large as the database pool, so a thread never waits for a connection.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=settings.LIVE_DB_THREADS, thread_name_prefix="table")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread of the pool and answer what it answers; its connection goes back afterwards.

    Whoever is cancelled waits for the thread nevertheless: no work goes on unseen, with a connection, after its caller.
    """

    def run() -> T:
        close_old_connections()
        try:
            return work(*args, **kwargs)
        finally:
            close_old_connections()

    running = asyncio.get_running_loop().run_in_executor(_pool(), run)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
