"""The thread that processes deadlines and lets the built-in bots play; one in every web process.

Deadlines are rows, not timers: each round claims the rows that are due (`SKIP LOCKED` on PostgreSQL, the write lock on
SQLite), so several processes share the work, a restart loses nothing, and a stopped thread is only a delay. Between two
rounds the thread sleeps until the next of them is due, two seconds at most; a writer of an earlier deadline wakes it.
The same thread records every two seconds that tables are served here.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from functools import partial

from django.db import close_old_connections, connection

from games.services import bots, clocks
from games.services.alarm import Due, alarm, look
from games.services.pulse import EVERY_MS, heart
from tock_league.common import clock

log = logging.getLogger(__name__)

LOOK_MS = EVERY_MS  # between two looks, at most: for the games of other processes, and for alarms that were lost
AFTER_MS = 2  # a deadline has passed when its millisecond is over
BUSY_PERIOD = 0.02  # seconds between waking and looking: what is due at nearly the same time is found together
REST = 0.001  # seconds between two rounds while there is more to do
BOTS_S = 0.1  # seconds for which bots may play before deadlines are looked at again
CREDITS = 20  # games a round that are credited with an outage
SWITCH_S = 0.001  # the interpreter's switch interval, short so that threads that answer people are not delayed


class Scheduler(threading.Thread):
    """Runs rounds until it is stopped; a failing round is logged and the next one tries again."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self._stopping = threading.Event()
        self._owed: list[int] = []  # games that an outage has interrupted

    def run(self) -> None:
        sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
        heart.begin()
        try:
            while not self._stopping.is_set():
                next_at = self.round()
                if next_at:
                    alarm.wait(min(next_at + AFTER_MS, clock.now_ms() + LOOK_MS))
                self._stopping.wait(BUSY_PERIOD if next_at else REST)
        finally:
            bots.thinkers.stop()
            attempt(self._last_beat)
            connection.close()

    def round(self) -> int:
        """Say that tables are served, carry out what is due, let bots play; return when to look again (ms), 0 at once."""
        if heart.beat_due(clock.now_ms()):
            attempt(self._beat)
        attempt(self._give_back)
        due = self._look()
        attempt(partial(clocks.claim_due, due.deadlines))
        attempt(partial(bots.act_due, due.bots, until=clock.monotonic() + BOTS_S))
        if connection.vendor != "sqlite":
            close_old_connections()  # back to the pool; a SQLite file is this thread's own and stays open
        return 0 if due or self._owed else due.next_at

    def _look(self) -> Due:
        try:
            return look()
        except Exception:
            log.exception("what is due could not be read")
            connection.close()
            return Due()

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
        alarm.set(0)
        if self.is_alive():
            self.join(patience)

    async def stop_from_loop(self) -> None:
        """Stop without holding the event loop, for the round may be waiting for it to send a hint."""
        await asyncio.to_thread(self.stop)


def attempt(work: Callable[[], int]) -> int:
    """Return what `work` did (a count), 0 when it failed: then the connection is dropped, for it may be the cause."""
    try:
        return work() or 0
    except Exception:
        log.exception("%s failed", getattr(work, "func", work))
        connection.close()
        return 0
