"""Threads in which a bot may think for long: without a transaction or a row lock, and without delaying the scheduler.

The threads only wait: the search itself runs in a process of the pool, see `games.services.search_pool`. Without a
process the thread searches, and shares the interpreter with the requests.

A matter (a game) has one thought (a callable) at a time. After each it goes to the end of the queue, so that tables
take turns. Nothing is stored: the result of a thread is a command like any other, and a stale one is refused. The
thinking process has claimed the game, see `games.services.bots`; when it dies, the claim expires and the next round of
any process thinks again.
"""

import logging
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from django.db import connection

from tock_league.common import clock

from .search_pool import SearchPool, wanted

log = logging.getLogger(__name__)
THREADS = 2  # threads that search in this process, when there is no other
BUDGET_S = 1.0  # seconds of one decision, when no other matter waits
LEAST_S = 0.1


class Turn:
    """The time of a thought. Calling it returns whether time is up; a search calls it often."""

    def __init__(self, seconds: float, stopping: threading.Event) -> None:
        self._until = clock.monotonic() + seconds
        self._stopping = stopping

    def __call__(self) -> bool:
        clock.pause(0)  # let the event loop run first: it shares the interpreter
        return self.left() == 0.0

    def left(self) -> float:
        """Return the seconds that are left."""
        return 0.0 if self._stopping.is_set() else max(0.0, self._until - clock.monotonic())

    def rest(self, more: float) -> None:
        """Wait until the time is over and `more` seconds longer, however early the thought ended; a stop ends the wait."""
        self._stopping.wait(max(0.0, self._until + more - clock.monotonic()))


Thought = Callable[[Turn], object]


class Thinkers:
    """A few threads, their search processes, and the matters that they think about, each with one thought at a time."""

    def __init__(self) -> None:
        self.processes = SearchPool()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: dict[Hashable, Future[None]] = {}
        self._stopping = threading.Event()
        self._here = threading.BoundedSemaphore(THREADS)

    @contextmanager
    def in_this_process(self) -> Iterator[None]:
        """Let at most THREADS search in this process at a time: they share the interpreter with the requests."""
        with self._here:
            yield

    def ask(self, matter: Hashable, thoughts: Sequence[Thought], *, failed: Callable[[], object]) -> bool:
        """Let a thread run the thoughts one after another, each in its turn; return whether they were queued.

        False: the matter has thoughts already, the threads are being stopped, or `thoughts` is empty.

        A thought receives its turn, which says how much time is left. `failed` is called in the thread when one raises;
        the remaining thoughts are then dropped.
        """
        with self._lock:
            if matter in self._tasks or self._stopping.is_set() or not thoughts:
                return False
            if self._pool is None:
                self._pool = ThreadPoolExecutor(wanted() or THREADS, thread_name_prefix="thinker")
            self._tasks[matter] = self._pool.submit(self._run, matter, tuple(thoughts), failed)
            return True

    def matters(self) -> set[Hashable]:
        """Return the matters that are being thought about or wait for their turn."""
        with self._lock:
            return set(self._tasks)

    def settle(self, patience: float = 10.0) -> bool:
        """Wait until nothing is left to think about, at most `patience` seconds; return whether that is so."""
        until = clock.monotonic() + patience
        while clock.monotonic() < until:
            with self._lock:
                running = list(self._tasks.values())
            if not running:
                return True
            wait(running, timeout=until - clock.monotonic())
        return not self.matters()

    def stop(self) -> None:
        """Tell all threads that time is up, wait for their answers, and end threads and processes."""
        self._stopping.set()
        self.processes.hurry()
        try:
            with self._lock:
                pool, self._pool = self._pool, None
            if pool is not None:
                pool.shutdown(wait=True)
        finally:
            self.processes.close()
            with self._lock:
                self._tasks.clear()
            self._stopping.clear()

    def _run(self, matter: Hashable, thoughts: Sequence[Thought], failed: Callable[[], object]) -> None:
        with self._lock:
            share = len(self._tasks) / (wanted() or THREADS)
        first, *rest = thoughts
        try:
            first(Turn(max(LEAST_S, BUDGET_S / max(1.0, share)), self._stopping))
        except Exception:
            log.exception("a bot thinking about %s", matter)
            rest = []
            failed()
        finally:
            connection.close()
            self._next(matter, rest, failed)

    def _next(self, matter: Hashable, rest: Sequence[Thought], failed: Callable[[], object]) -> None:
        """Queue the remaining thoughts behind those of other matters, or end the matter if there are none."""
        with self._lock:
            if rest and self._pool is not None and not self._stopping.is_set():
                self._tasks[matter] = self._pool.submit(self._run, matter, rest, failed)
            else:
                self._tasks.pop(matter, None)
