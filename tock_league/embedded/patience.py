"""Timeouts and size limits of connections: for a whole request, and for the close of a socket.

uvicorn waits for ever for the rest of a request that comes drop by drop, and for a peer that does not read its answer; it keeps
a header of any length, and accepts as many connections as there are file numbers.
"""

import asyncio
from collections.abc import Hashable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tock_league.common.bounds import Places, address_of

from . import answers

REQUEST_S = 25.0  # for a whole request, head and body, from the connection or from its first byte
HEAD_BYTES = 32 * 1024
READ_S = 60.0  # for a peer to read on, while more of an answer waits than its connection holds
GOODBYE_S = 3.0  # between a socket's close and the end of its connection
MESSAGE_BYTES = 16 * 1024 * 1024  # head, body and whatever is wrapped around its pieces
PER_ADDRESS = 1000  # connections of one peer that is no trusted proxy

peers = Places()


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with timeouts."""

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _peer: dict[Hashable, int] | None = None
    _head_whole = False
    _bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        wanted: dict[Hashable, int] = {}
        if not self._is_proxy():
            wanted[address_of({"client": self.client})] = PER_ADDRESS
        most = self.limit_concurrency
        if (most is not None and len(self.connections) > most) or not peers.take(wanted):
            transport.abort()
            return
        self._peer = wanted
        self._wait()

    def _is_proxy(self) -> bool:
        """Return whether the peer speaks for others, as uvicorn's proxy headers see it."""
        trusted = getattr(self.app, "trusted_hosts", ())
        return self.client is not None and self.client[0] in trusted

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:
            self._wait()
        self._bytes += len(data)
        super().data_received(data)
        most = MESSAGE_BYTES if self._head_whole else HEAD_BYTES
        if self._deadline is not None and self._bytes > most:
            self._refuse(413 if self._head_whole else 431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_whole = False
        if self._deadline is None:  # the second of two requests in one piece
            self._wait()

    def on_headers_complete(self) -> None:
        self._head_whole = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._be_content()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._read_on()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Stop: a request that is not whole is ended now; uvicorn would wait for it, and then cancel it with an error."""
        if self._deadline is not None and self.cycle is not None and not self.cycle.response_complete:
            self._refuse(408)
        super().shutdown()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._read_on()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._wait_for_reader()  # closing waits until everything is read

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; uvicorn would do it without the headers that every answer has."""
        self.transport.write(bare_answer(400))
        self.transport.close()

    def _wait_for_reader(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(READ_S, self.transport.abort)

    def _read_on(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _wait(self) -> None:
        self._bytes = 0
        self._deadline = self.loop.call_later(REQUEST_S, self._refuse, 408)

    def _be_content(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _leave(self) -> None:
        self._be_content()
        if self._peer is not None:
            peers.give_back(self._peer)
            self._peer = None

    def _refuse(self, status: int) -> None:
        """Answer with the reason, unless a response has begun, and close."""
        self._be_content()
        if self.transport.is_closing():
            return
        running = self.cycle if self.cycle is not None and not self.cycle.response_complete else None
        if running is None or not running.response_started:
            self.transport.write(bare_answer(status))
        if running is not None:  # tell code that still reads the body or writes that the peer is gone
            running.disconnected = True
            running.message_event.set()
        self.transport.close()
        self._wait_for_reader()


def bare_answer(status: int) -> bytes:
    """Return an answer without a body, after which the connection is closed."""
    lines = b"".join(b"%s: %s\r\n" % pair for pair in answers.guards())
    return STATUS_LINE[status] + lines + b"content-length: 0\r\nconnection: close\r\n\r\n"


class PatientSocket(WebSocketsSansIOProtocol):
    """uvicorn's socket with a limit of three seconds on closing, even when the peer does not read.

    uvicorn waits ten seconds for the peer's own close, then closes once everything is read: never, where nobody reads. It also
    keeps the handshake's request and response for as long as the socket lives, a tenth of the memory of a socket.
    """

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close" and not self.writable.is_set():
            self.transport.abort()  # what was sent before is not read: the close would wait behind it
            return
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request = self.response = None  # type: ignore[assignment]  # only the handshake reads them
        if self.close_timer is not None:
            self._let_go()

    def shutdown(self) -> None:
        """Close with 1012, unless the peer has closed already: uvicorn would raise, and the whole stop would end there."""
        if self.transport.is_closing():
            self.stop_keepalive()
            return
        super().shutdown()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._let_go()

    def _let_go(self) -> None:
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(GOODBYE_S, self.transport.abort)
