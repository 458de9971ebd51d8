"""Virtual threads: work sent to a thread runs in a greenlet, which may be interrupted before any statement.

One real thread runs all of them, one at a time; the order depends on timers, and so on the seed. Each has its own
database connection. SQLite allows one writer: a thread that begins a transaction waits until the other one has ended.
"""

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.db import connections
from greenlet import GreenletExit, getcurrent, greenlet

from . import database

if TYPE_CHECKING:
    from .process import Process

WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE")
POLL_S = 0.001  # between two checks whether the writer has ended


class Slot:
    """The thread-local data of a virtual thread: its database connections."""

    current: "Slot"

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def drop(self) -> None:
        """Drop the connections as a kill does."""
        for wrapper in self.held.values():
            database.drop(wrapper)
        self.held.clear()


Slot.current = OUTSIDE = Slot()


class PerThread:
    """Replacement of Django's thread-local store of connections."""

    def __getattr__(self, name: str) -> Any:
        try:
            return Slot.current.held[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        Slot.current.held[name] = value

    def __delattr__(self, name: str) -> None:
        del Slot.current.held[name]


def install() -> None:
    """Give every virtual thread its own connections."""
    connections._connections = PerThread()


class VirtualThread:
    """One piece of work of a process."""

    current: "VirtualThread | None" = None  # the running one
    writing: "VirtualThread | None" = None  # the one with an open transaction

    def __init__(
        self, process: "Process", work: Callable[[], Any], slot: Slot, ended: Callable[["VirtualThread"], None]
    ) -> None:
        self.process, self.slot, self._work, self._ended = process, slot, work, ended
        self.found: Any = None
        self.error: BaseException | None = None
        self._greenlet = greenlet(self._run)
        self._greenlet.gr_context = process.context.copy()

    def _run(self) -> None:
        try:
            self.found = self._work()
        except BaseException as error:
            self.error = error

    def go_on(self) -> None:
        """Run until the work ends or pauses."""
        VirtualThread.current, Slot.current = self, self.slot
        # A real thread has no running loop, and Django refuses database access where a loop runs.
        asyncio._set_running_loop(None)
        try:
            self._greenlet.switch()
        finally:
            VirtualThread.current, Slot.current = None, OUTSIDE
            asyncio._set_running_loop(self.process.simulation.loop)
        if self._greenlet.dead:
            self.release()
            self._ended(self)

    def pause(self, seconds: float) -> None:
        """Let other threads run for so many virtual seconds."""
        self.process.simulation.loop.call_later(seconds, self.go_on, context=self.process.context)
        getcurrent().parent.switch()

    def before(self, sql: str, roll: random.Random, chance: float) -> None:
        """Wait as long as the database would block this statement, and sometimes let other threads run first."""
        if chance and roll.random() < chance:
            self.pause(roll.expovariate(150.0))
        if VirtualThread.writing is self or not sql.startswith(WRITES):
            return
        while VirtualThread.writing is not None:
            self.pause(POLL_S)
        if sql.startswith("BEGIN"):
            VirtualThread.writing = self

    def release(self) -> None:
        """Mark the transaction of this thread as ended."""
        if VirtualThread.writing is self:
            VirtualThread.writing = None

    def end(self) -> None:
        """End a thread of a dead process without an error."""
        if not self._greenlet.dead:
            self._greenlet.throw(GreenletExit)
