"""The thread that watches deadlines and lets the built-in bots play; one in every web process.

Deadlines are rows, not timers: each round claims the rows that are due (`SKIP LOCKED` on PostgreSQL, the write lock on
SQLite), so several processes share the work, a restart loses nothing, and a stopped thread is only a delay.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from functools import partial

from django.db import close_old_connections, connection

from games.services import bots, clocks
from games.services.pulse import heart
from tock_league.common import clock

log = logging.getLogger(__name__)

PERIOD = 0.25  # seconds between two looks at the deadlines
CREDITS = 20  # games a round that are credited with an outage
BUSY_PERIOD = 0.02  # seconds when the last round found something: bots at a table without a human need no rest


class Scheduler(threading.Thread):
    """Runs rounds until it is stopped; a failing round is logged and the next one tries again."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self._stopping = threading.Event()
        self._owed: list[int] = []  # games that an outage has interrupted

    def run(self) -> None:
        heart.begin()
        try:
            while not self._stopping.wait(BUSY_PERIOD if self.round() else PERIOD):
                pass
        finally:
            bots.thinkers.stop()
            attempt(self._last_beat)
            connection.close()

    def round(self) -> int:
        """Say that tables are served, claim what is due, let bots play; return how many games were touched."""
        if heart.beat_due(clock.now_ms()):
            attempt(self._beat)
        done = sum(attempt(work) for work in (self._give_back, clocks.claim_due, bots.act_due))
        if connection.vendor != "sqlite":
            close_old_connections()  # back to the pool; a SQLite file is this thread's own and stays open
        return done

    def _beat(self) -> int:
        gap = heart.beat()
        if gap:
            self._owed = clocks.running()
        return gap

    def _last_beat(self) -> int:
        heart.stop()
        return 0

    def _give_back(self) -> int:
        """Credit some of the games that ran during the outage that has just ended: a few a round, so that others are served
        meanwhile. What is not reached is credited by the next command or deadline."""
        some, self._owed = self._owed[:CREDITS], self._owed[CREDITS:]
        return sum(attempt(partial(clocks.give_back, game)) for game in some)

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
        log.exception("%s failed", getattr(work, "__module__", work))
        connection.close()
        return 0
