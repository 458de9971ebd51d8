"""The thread that watches deadlines and lets the built-in bots play; one in every web process.

Deadlines are rows, not timers: each round claims the rows that are due (`SKIP LOCKED` on PostgreSQL, the write lock on
SQLite), so several processes share the work, a restart loses nothing, and a stopped thread is only a delay.
"""

import asyncio
import logging
import threading
from collections.abc import Callable

from django.db import close_old_connections, connection

from games.services import bots, clocks

log = logging.getLogger(__name__)

PERIOD = 0.25  # seconds between two looks at the deadlines
BUSY_PERIOD = 0.02  # seconds when the last round found something: bots at a table without a human need no rest


class Scheduler(threading.Thread):
    """Runs rounds until it is stopped; a failing round is logged and the next one tries again."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self._stopping = threading.Event()

    def run(self) -> None:
        try:
            while not self._stopping.wait(BUSY_PERIOD if self.round() else PERIOD):
                pass
        finally:
            bots.thinkers.stop()
            connection.close()

    def round(self) -> int:
        """Claim what is due, let bots play; answer how many games were touched."""
        done = sum(attempt(work) for work in (clocks.claim_due, bots.act_due))
        if connection.vendor != "sqlite":
            close_old_connections()  # back to the pool; a SQLite file is this thread's own and stays open
        return done

    def stop(self, patience: float = 5.0) -> None:
        """Ask the thread to end and wait for its round, at most `patience` seconds."""
        self._stopping.set()
        if self.is_alive():
            self.join(patience)

    async def stop_from_loop(self) -> None:
        """Stop without holding the event loop, for the round may be waiting for it to send a hint."""
        await asyncio.to_thread(self.stop)


def attempt(work: Callable[[], int]) -> int:
    """Answer what `work` did (a count), 0 when it failed: then the connection is dropped, for it may be the cause."""
    try:
        return work() or 0
    except Exception:
        log.exception("%s failed", work.__module__)
        connection.close()
        return 0
