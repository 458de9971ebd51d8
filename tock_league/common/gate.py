"""Limits concurrency: a semaphore with a bounded wait, and Django's handler behind it.

Each page request runs in a thread of its own and takes a database connection. The gate admits no more requests than
there are connections for pages, so no request waits for a connection, and a flood of requests costs no threads.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http import HttpResponseBase

from .away import Full
from .http import busy, is_apart


class Gate:
    """Admits at most `width` at once; a wait of over `patience` seconds raises Full. One count for each event loop."""

    def __init__(self, width: int, patience: float) -> None:
        self.width, self.patience = width, patience
        self._free: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    def _semaphore(self) -> asyncio.Semaphore:
        return self._free.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.width))

    async def enter(self) -> None:
        """Take a place. Raises Full."""
        try:
            async with asyncio.timeout(self.patience):
                await self._semaphore().acquire()
        except TimeoutError:
            raise Full from None

    def leave(self) -> None:
        """Give the place back; on the loop of `enter`."""
        self._semaphore().release()

    @asynccontextmanager
    async def inside(self) -> AsyncIterator[None]:
        """Hold a place for the length of the block. Raises Full."""
        await self.enter()
        try:
            yield
        finally:
            self.leave()


class Pages(ASGIHandler):
    """Django's handler with at most PAGES_AT_ONCE pages at work; answers `busy` after too long a wait.

    The body is read before and the response sent after the gate, so a slow client holds no place.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate(settings.PAGES_AT_ONCE, settings.PATIENCE_S)

    async def get_response_async(self, request: ASGIRequest) -> HttpResponseBase:  # type: ignore[override]
        if is_apart(request) or request.path.startswith(settings.STATIC_URL):
            return await super().get_response_async(request)
        try:
            await self.gate.enter()
        except Full:
            return busy(request)
        working = asyncio.ensure_future(super().get_response_async(request))
        working.add_done_callback(lambda _: self.gate.leave())
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working])  # the client has gone, but the page's thread still works and keeps its place
            raise
