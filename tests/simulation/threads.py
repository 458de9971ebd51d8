"""Virtual threads: work that a process sends to a thread runs in a greenlet, which may be interrupted before any statement.

One real thread runs all of them, one at a time; who goes on is decided by timers, hence by the seed. Each has a database
connection of its own. SQLite lets one of them write: who begins a transaction waits until the one before has ended.
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
POLL_S = 0.001  # between two looks whether the writer has ended


class Slot:
    """What a real thread would keep: its database connections."""

    current: "Slot"

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def drop(self) -> None:
        """Lose the connections as a killed process does."""
        for wrapper in self.held.values():
            database.drop(wrapper)
        self.held.clear()


Slot.current = OUTSIDE = Slot()


class PerThread:
    """In the place of Django's thread-local store of connections."""

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
    """Give every virtual thread connections of its own."""
    connections._connections = PerThread()


class VirtualThread:
    """One piece of work of a process. `current`: the one that runs now."""

    current: "VirtualThread | None" = None
    writing: "VirtualThread | None" = None  # the one whose transaction is open

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
        # In a real thread no loop runs; Django refuses the database where one does.
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
        """Let others run for so many virtual seconds."""
        self.process.simulation.loop.call_later(seconds, self.go_on, context=self.process.context)
        getcurrent().parent.switch()

    def before(self, sql: str, roll: random.Random, chance: float) -> None:
        """Wait where the database would let this thread wait, and sometimes let others run first."""
        if chance and roll.random() < chance:
            self.pause(roll.expovariate(150.0))
        if VirtualThread.writing is self or not sql.startswith(WRITES):
            return
        while VirtualThread.writing is not None:
            self.pause(POLL_S)
        if sql.startswith("BEGIN"):
            VirtualThread.writing = self

    def release(self) -> None:
        """Note that no transaction of this thread is open any more."""
        if VirtualThread.writing is self:
            VirtualThread.writing = None

    def end(self) -> None:
        """End a thread whose process has died, quietly."""
        if not self._greenlet.dead:
            self._greenlet.throw(GreenletExit)
