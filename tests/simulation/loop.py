"""An event loop with virtual time: when nothing is ready it jumps to the next timer, so an hour costs what happens in it."""

import asyncio
import contextvars
import heapq
from asyncio.events import Handle
from collections.abc import Callable
from typing import Any

# The process to which a callback belongs; None: it is outside, in the network or with a client.
OF: contextvars.ContextVar[Any] = contextvars.ContextVar("process", default=None)


class Stuck(Exception):
    """Nothing is ready and no timer is set: whoever waits would wait for ever."""


class VirtualLoop(asyncio.BaseEventLoop):
    """`run_handle` is called for every callback, so that a dead process's callbacks can be passed over.

    `executor` runs what is sent to a thread. Everything happens in the one real thread, in an order that only the timers decide.
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
        """Cancelled timers are passed over when their time comes."""

    def _write_to_self(self) -> None:
        """Nobody sleeps, so nobody has to be woken."""

    def _process_events(self, event_list: Any) -> None:
        """There are no files to watch."""
