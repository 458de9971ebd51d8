"""What waits to be sent to one socket: bounded, so that a slow reader costs nobody else anything."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from tock_league.common import clock

MAX_MESSAGES = 64
MAX_BYTES = 256 * 1024
SECOND_OVERFLOW_S = 10.0


class Outbox:
    """A queue of frames and the task that sends them.

    Overflow drops the queue; `on_drained` is called once the reader has caught up, to send one snap. A second overflow
    within 10 s calls `on_stuck`, which closes the socket.
    """

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        *,
        on_drained: Callable[[], None],
        on_stuck: Callable[[], None],
    ) -> None:
        self._send = send
        self._on_drained, self._on_stuck = on_drained, on_stuck
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._overflowed_at: float | None = None
        self.dropped = False
        self._closing = False
        self._task = asyncio.create_task(self._run())

    def put(self, text: str) -> bool:
        """Queue a frame; answer False when it was dropped, and everything that waited with it."""
        if self.dropped or self._closing:
            return False
        if len(self._waiting) >= MAX_MESSAGES or self._bytes + len(text) > MAX_BYTES:
            self._overflow()
            return False
        self._waiting.append(text)
        self._bytes += len(text)
        self._wake.set()
        return True

    def _overflow(self) -> None:
        self._waiting.clear()
        self._bytes = 0
        self.dropped = True
        self._wake.set()
        now = clock.monotonic()
        if self._overflowed_at is not None and now - self._overflowed_at < SECOND_OVERFLOW_S:
            self._closing = True
            self._on_stuck()
        self._overflowed_at = now

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            while self._waiting:
                text = self._waiting.popleft()
                self._bytes -= len(text)
                await self._send(text)
            self._wake.clear()
            if self.dropped and not self._closing:
                self.dropped = False
                self._on_drained()

    async def flush(self, seconds: float) -> None:
        """Wait until what is queued has been sent, at most `seconds`."""
        deadline = clock.monotonic() + seconds
        while self._waiting and clock.monotonic() < deadline and not self._task.done():
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """End the sending task."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
