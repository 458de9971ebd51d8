"""An event loop with virtual time: if no callback is ready it jumps to the next timer, so waiting takes no time."""

import asyncio
import contextvars
import heapq
from asyncio.events import Handle
from collections.abc import Callable
from typing import Any

# The process to which a callback belongs; None for the network and the clients.
OF: contextvars.ContextVar[Any] = contextvars.ContextVar("process", default=None)


class Stuck(Exception):
    """Deadlock: no callback is ready and no timer is set."""


class VirtualLoop(asyncio.BaseEventLoop):
    """The loop. Everything runs in one real thread, in an order that depends only on the timers.

    `run_handle` is called for every callback, so that callbacks of a dead process can be skipped. `executor` runs the
    work that is sent to a thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self._virtual = 0.0
        self.run_handle: Callable[[Handle], None] = Handle._run
        self.executor: Callable[[Callable[[], Any]], asyncio.Future[Any]] | None = None
        self.handled = 0

    def time(self) -> float:
        """Return the virtual time in seconds; it begins at 0."""
        return self._virtual

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Run `func` as a virtual thread."""
        assert self.executor is not None
        return self.executor(lambda: func(*args))

    def _run_once(self) -> None:
        ready, timers = self._ready, self._scheduled  # type: ignore[attr-defined]
        if not ready:
            while timers and timers[0]._cancelled:
                heapq.heappop(timers)._scheduled = False
            if not timers:
                raise Stuck
            self._virtual = max(self._virtual, timers[0]._when)
        while timers and timers[0]._when <= self._virtual:
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if not timer._cancelled:
                ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                self.handled += 1
                self.run_handle(handle)

    def _timer_handle_cancelled(self, handle: Any) -> None:
        """Do nothing: cancelled timers are skipped when they are due."""

    def _write_to_self(self) -> None:
        """Do nothing: the loop never sleeps."""

    def _process_events(self, event_list: Any) -> None:
        """Do nothing: the loop watches no files."""
