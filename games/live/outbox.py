"""The frames that wait for one socket: bounded, so that a slow reader affects nobody else."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from tock_league.common import clock
from tock_league.common.metrics import OUTBOX_OVERFLOWS

log = logging.getLogger(__name__)
MAX_MESSAGES = 64
MAX_BYTES = 256 * 1024
SECOND_OVERFLOW_S = 10.0

Sending = Coroutine[Any, Any, None]


class Outbox:
    """The outbox of one socket. A frame is sent at once while the socket accepts it, without a task; else it is queued.

    An overflow drops the queue; `on_drained` is called once the reader has caught up, to send one snap. A second
    overflow within 10 s calls `on_stuck`, which closes the socket.
    """

    def __init__(
        self,
        send: Callable[[str], Sending],
        *,
        on_drained: Callable[[], None],
        on_stuck: Callable[[], None],
    ) -> None:
        self._send = send
        self._on_drained, self._on_stuck = on_drained, on_stuck
        self._waiting: deque[str] | None = None  # created when the socket first blocks: most sockets never do
        self._bytes = 0
        self._overflowed_at: float | None = None
        self.dropped = False  # an overflow has dropped the queue, and the reader has not caught up yet
        self._closing = False  # nothing more is sent
        self._task: asyncio.Task[None] | None = None  # while the socket blocks

    def put(self, text: str) -> bool:
        """Send or queue a frame; return False when it was dropped with the whole queue."""
        if self.dropped or self._closing:
            return False
        if self._task is None:
            return self._send_now(text)
        if self._waiting is None:
            self._waiting = deque()
        if len(self._waiting) >= MAX_MESSAGES or self._bytes + len(text) > MAX_BYTES:
            self._overflow()
            return False
        self._waiting.append(text)
        self._bytes += len(text)
        return True

    def _send_now(self, text: str) -> bool:
        """Run the sending as far as it goes without waiting; a task does the rest if there is any."""
        sending = self._send(text)
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return True
        except Exception as error:  # the other end has closed; its disconnect event will follow
            log.debug("send: %s", type(error).__name__)
            self._closing = True
            return False
        self._task = asyncio.create_task(self._go_on(_Begun(sending, waits_for)))
        return True

    def _overflow(self) -> None:
        OUTBOX_OVERFLOWS.inc()
        self._waiting = None
        self._bytes = 0
        self.dropped = True
        now = clock.monotonic()
        if self._overflowed_at is not None and now - self._overflowed_at < SECOND_OVERFLOW_S:
            self._closing = True
            self._on_stuck()
        self._overflowed_at = now

    async def _go_on(self, begun: "_Begun") -> None:
        """Send queued frames until the queue is empty."""
        try:
            await begun
            while self._waiting:
                text = self._waiting.popleft()
                self._bytes -= len(text)
                await self._send(text)
        except Exception as error:
            log.debug("send: %s", type(error).__name__)
            self._closing = True
        self._task = None
        if self.dropped and not self._closing:
            self.dropped = False
            self._on_drained()

    async def flush(self, seconds: float) -> None:
        """Wait until the queue is sent, at most `seconds`."""
        if self._task is not None:
            await asyncio.wait([self._task], timeout=seconds)

    async def stop(self) -> None:
        """Stop sending."""
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


class _Begun:
    """A coroutine that has run to its first wait, for a task to continue.

    `asyncio.eager_task_factory` does the same from Python 3.12 on.
    """

    def __init__(self, coroutine: Sending, waits_for: Any) -> None:
        self._coroutine, self._waits_for = coroutine, waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        while True:
            try:
                try:
                    value = yield waits_for
                except BaseException as error:
                    waits_for = self._coroutine.throw(error)
                else:
                    waits_for = self._coroutine.send(value)
            except StopIteration:
                return
