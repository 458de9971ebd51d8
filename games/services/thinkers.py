"""Threads on which a bot may think for long: no transaction is open, no row is locked, and no round of the scheduler waits.

Nothing is kept: what a thread finds is a command like any other, and a stale one is refused. Who thinks has claimed the
game, see `games.services.bots`; when its process dies, the claim ends by itself and the next round of any process thinks
anew.
"""

import logging
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from django.db import connection

from tock_league.common import clock

log = logging.getLogger(__name__)
THREADS = 2
BUDGET_S = 1.0  # of one decision, when nobody else waits
LEAST_S = 0.1
TimeUp = Callable[[], bool]


class Thinkers:
    """A few threads and what they think about, each matter once at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: dict[Hashable, Future[None]] = {}
        self._stopping = threading.Event()

    def ask(self, matter: Hashable, work: Callable[[TimeUp], object], *, failed: Callable[[], object]) -> bool:
        """Let a thread do `work`, which asks its argument often whether time is up; answer False when it is at it already.

        `failed` is called in the thread when the work raises.
        """
        with self._lock:
            if matter in self._tasks or self._stopping.is_set():
                return False
            if self._pool is None:
                self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="thinker")
            self._tasks[matter] = self._pool.submit(self._run, matter, work, failed)
            return True

    def matters(self) -> set[Hashable]:
        """Answer what is thought about now."""
        with self._lock:
            return set(self._tasks)

    def settle(self, patience: float = 10.0) -> bool:
        """Wait until nobody thinks any more, at most `patience` seconds; answer whether that is so."""
        with self._lock:
            running = list(self._tasks.values())
        wait(running, timeout=patience)
        return not self.matters()

    def stop(self) -> None:
        """Tell everybody that time is up, wait for their last words, and let the threads go."""
        self._stopping.set()
        try:
            with self._lock:
                pool, self._pool = self._pool, None
            if pool is not None:
                pool.shutdown(wait=True)
        finally:
            self._stopping.clear()

    def _run(self, matter: Hashable, work: Callable[[TimeUp], object], failed: Callable[[], object]) -> None:
        with self._lock:
            share = len(self._tasks) / THREADS
        until = clock.monotonic() + max(LEAST_S, BUDGET_S / max(1.0, share))

        def time_up() -> bool:
            clock.pause(0)  # the event loop goes first: it shares one interpreter with whoever thinks
            return self._stopping.is_set() or clock.monotonic() > until

        try:
            work(time_up)
        except Exception:
            log.exception("a bot thinking about %s", matter)
            failed()
        finally:
            connection.close()
            with self._lock:
                self._tasks.pop(matter, None)
