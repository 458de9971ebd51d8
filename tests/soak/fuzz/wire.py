"""HTTP/1.1 by hand: what a client library would refuse to send must be sendable here."""

import contextlib
import http.client
import socket
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

PATIENCE_S = 60.0
RAW_S = 1.5  # seconds for the answer to what may be half a request
Headers = Iterable[tuple[str, str | bytes]]


@dataclass(frozen=True)
class Answer:
    """An answer; `status` 0 means that the server closed the connection without one."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def all(self, name: str) -> list[str]:
        """Return the values of a header."""
        return [value for known, value in self.headers if known.lower() == name]

    def one(self, name: str) -> str:
        """Return the value of a header, empty when there is none."""
        return next(iter(self.all(name)), "")

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


def request(method: str, target: str | bytes, headers: Headers, body: bytes = b"") -> bytes:
    """Return the bytes of a request; nothing in it is checked or escaped."""
    first = [method.encode(errors="replace"), _raw(target), b"HTTP/1.1"]
    lines = [b" ".join(first), *(_raw(name) + b": " + _raw(value) for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _raw(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def send(
    port: int, method: str, target: str | bytes, headers: Mapping[str, str | bytes] | Headers, body: bytes = b""
) -> Answer:
    """Send one request on a connection of its own and return the answer."""
    sent = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
    if body and not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in sent):
        sent.append(("Content-Length", str(len(body))))
    return exchange(port, request(method, target, [*sent, ("Connection", "close")], body), head=method == "HEAD")


class Door(Protocol):
    """A way to the site."""

    def send(self, method: str, target: str, headers: Headers, body: bytes) -> Answer: ...

    def twice(self, method: str, target: str, headers: Headers, body: bytes) -> list[Answer]:
        """Send the same two times at the same time."""

    def raw(self, data: bytes) -> Answer:
        """Send bytes that may be no request, or half of one."""


@dataclass
class Port:
    """The door of a process that listens."""

    number: int
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2))

    def send(self, method: str, target: str, headers: Headers, body: bytes) -> Answer:
        return send(self.number, method, target, headers, body)

    def twice(self, method: str, target: str, headers: Headers, body: bytes) -> list[Answer]:
        sent = [self.threads.submit(self.send, method, target, headers, body) for _ in range(2)]
        return [each.result() for each in sent]

    def raw(self, data: bytes) -> Answer:
        return exchange(self.number, data, patience=RAW_S)


def exchange(port: int, data: bytes, *, head: bool = False, patience: float = PATIENCE_S) -> Answer:
    """Send bytes, return the first answer to them; status 0 when none comes within `patience` seconds."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", port), timeout=patience)) as plain:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before all of it was sent
            plain.sendall(data)
        return read(plain, head=head)


def read(plain: socket.socket, *, head: bool = False) -> Answer:
    """Return the next answer on a connection."""
    response = http.client.HTTPResponse(plain, method="HEAD" if head else "GET")
    try:
        response.begin()
        return Answer(response.status, tuple(response.getheaders()), response.read())
    except (http.client.HTTPException, ConnectionResetError, TimeoutError):
        return Answer(0)
