"""The database connections of one process: bounded, checked before use, made in the thread that asks.

psycopg's own pool connects in the background, with a wait between two attempts that doubles: while the database is away each
request waits for the whole timeout, and after 70 s without it the next attempt comes half a minute late. Here an attempt
that is refused fails at once, and the first request after the return finds the database.
"""

import logging
import selectors
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from psycopg import OperationalError
from psycopg.pq import TransactionStatus

from tock_league.common import clock
from tock_league.common.breaker import Breaker

log = logging.getLogger(__name__)

REST_S = 0.5  # between two attempts to connect while the database is away
LIFETIME_S = 1800.0  # of a connection
# Windows has no poll; its select has no limit that matters here.
Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


class NoneFree(OperationalError):
    """All connections are in use, and none came back in time."""


class Unreachable(OperationalError):
    """The last attempt to connect failed a moment ago."""


class Pool:
    """At most `size` connections; those that nobody uses are kept for the next taker.

    `patience`: seconds that `take` waits for one of them.
    """

    def __init__(self, size: int, patience: float) -> None:
        self.size, self.patience = size, patience
        self.breaker = Breaker("the database", REST_S)
        self._places = threading.BoundedSemaphore(size)
        self._resting: deque[tuple[Any, float]] = (
            deque()
        )  # connection, when it was made; the last one returned is on the right
        self._born: dict[int, float] = {}
        self._lock = threading.Lock()

    @property
    def used(self) -> int:
        """How many connections are taken."""
        return len(self._born)

    def take(self, connect: Callable[[], Any]) -> Any:
        """Return a live connection, made by `connect` if none is idle.

        Raises NoneFree after `patience` seconds, Unreachable while the breaker is open, and what `connect` raises.
        """
        if not self._places.acquire(timeout=self.patience):
            log.warning("no database connection is free: all %s are in use", self.size)
            raise NoneFree(f"no database connection is free: all {self.size} are in use")
        try:
            connection, born = self._rested() or (self._made(connect), clock.monotonic())
        except BaseException:
            self._places.release()
            raise
        with self._lock:
            self._born[id(connection)] = born
        return connection

    def _rested(self) -> tuple[Any, float] | None:
        """Return a live idle connection, or None; close dead ones found before it."""
        while True:
            with self._lock:
                if not self._resting:
                    return None
                connection, born = self._resting.pop()
            if clock.monotonic() - born < LIFETIME_S and alive(connection):
                return connection, born
            connection.close()

    def _made(self, connect: Callable[[], Any]) -> Any:
        if not self.breaker.allows():
            raise Unreachable("the database could not be reached a moment ago")
        try:
            connection = connect()
        except OperationalError as error:
            self.breaker.failed(error)
            raise
        self.breaker.worked()
        return connection

    def give(self, connection: Any) -> None:
        """Take a connection back. One that is broken, or in a transaction that cannot be undone, is closed."""
        with self._lock:
            born = self._born.pop(id(connection), None)
        if born is None:  # not ours, or given back already
            connection.close()
            return
        try:
            if clean(connection):
                with self._lock:
                    self._resting.append((connection, born))
            else:
                connection.close()
        finally:
            self._places.release()

    def close(self) -> None:
        """Close the idle connections."""
        while (found := self._rested()) is not None:
            found[0].close()


def alive(connection: Any) -> bool:
    """Return whether an idle connection is usable.

    No round trip: a server that ends a connection sends data or closes it.

    A server sends nothing on an idle connection, except to end it.
    """
    if connection.closed:
        return False
    with Selector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return not selector.select(timeout=0)


def clean(connection: Any) -> bool:
    """Return whether a connection can be reused; an open transaction is rolled back first."""
    if connection.closed:
        return False
    status = connection.info.transaction_status
    if status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
        try:
            connection.rollback()
        except OperationalError:
            return False
        status = connection.info.transaction_status
    return bool(status == TransactionStatus.IDLE)
