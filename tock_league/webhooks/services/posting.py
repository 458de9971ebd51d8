"""Posts a body to a checked address, and reads the beginning of the answer.

No redirect is followed, and nothing of the answer but its status and first characters is kept. The whole attempt ends after
TOTAL_S, also against a server that answers one byte at a time: a timer shuts the socket.
"""

import logging
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from tock_league.common import clock

from ..models import ANSWER_LENGTH
from .addresses import Target

log = logging.getLogger(__name__)
CONNECT_S = 3.0
READ_S = 5.0  # of silence
TOTAL_S = 10.0
ANSWER_BYTES = 4 * ANSWER_LENGTH  # UTF-8 needs at most four bytes for a character


@dataclass(frozen=True)
class Answer:
    """What became of one attempt.

    `status`: None without an answer; `error` then says why: `connect`, `tls`, `timeout`, `broken`.
    """

    status: int | None
    text: str
    error: str
    took_ms: int

    @property
    def is_good(self) -> bool:
        """Return whether the receiver has taken it: a status from 200 to 299."""
        return self.status is not None and 200 <= self.status < 300


def post(target: Target, numeric: Sequence[str], body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post `body` to the first of the numeric addresses that accepts a connection, and return what became of it."""
    began = clock.monotonic()
    status, text, error = None, "", "connect"
    for address in numeric[:2]:
        connection = _connection(target, address)
        try:
            connection.connect()
        except Exception as problem:  # a strange certificate raises ValueError
            error = _why(problem, "connect")
            connection.close()
            continue
        try:
            with _Deadline(connection, TOTAL_S - (clock.monotonic() - began)) as deadline:
                status, text, error = _exchange(connection, target, body, headers, deadline)
        finally:
            connection.close()
        break
    return Answer(status, text, error, round((clock.monotonic() - began) * 1000))


def _connection(target: Target, address: str) -> HTTPConnection:
    """Return a connection to the numeric address that expects the certificate of the host's name."""
    timeout = urllib3.Timeout(connect=CONNECT_S, read=READ_S)
    if target.scheme == "http":
        return HTTPConnection(address, target.port, timeout=timeout.connect_timeout)
    return HTTPSConnection(
        address,
        target.port,
        timeout=timeout.connect_timeout,
        server_hostname=target.host,  # the context checks the certificate against it
        ssl_context=ssl.create_default_context(),
    )


def _exchange(
    connection: HTTPConnection, target: Target, body: bytes, headers: Mapping[str, str], deadline: "_Deadline"
) -> tuple[int | None, str, str]:
    """Send the request and read the answer; return status, the beginning of its text, and why there is none."""
    try:
        if connection.sock is not None:
            connection.sock.settimeout(READ_S)
        connection.request(
            "POST",
            target.path,
            body=body,
            headers={"Host": target.host_header, **headers},
            preload_content=False,
            decode_content=False,
        )
        response = connection.getresponse()
        if deadline.passed:  # the headers were cut off
            return None, "", "timeout"
        try:
            raw = response.read(ANSWER_BYTES, decode_content=False)
        except (OSError, urllib3.exceptions.HTTPError):
            raw = b""  # the status counts
        return response.status, _shown(raw), ""
    except Exception as problem:  # whatever a hostile answer makes the parser raise is a failure of this delivery alone
        if not isinstance(problem, OSError | urllib3.exceptions.HTTPError):
            log.info("odd answer: %s", type(problem).__name__)
        return None, "", "timeout" if deadline.passed else _why(problem, "broken")


def _why(problem: Exception, otherwise: str) -> str:
    if isinstance(problem, urllib3.exceptions.NewConnectionError):
        return "connect"
    if isinstance(problem, TimeoutError | urllib3.exceptions.TimeoutError):
        return "timeout"
    if isinstance(problem, ssl.SSLError | urllib3.exceptions.SSLError):
        return "tls"
    return otherwise


def _shown(raw: bytes) -> str:
    """Return the beginning of an answer as text without control characters."""
    text = raw.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text)[:ANSWER_LENGTH].strip()


class _Deadline:
    """Shuts the socket of a connection when the time is over."""

    def __init__(self, connection: HTTPConnection, seconds: float) -> None:
        self.passed = False
        self._connection = connection
        self._timer = threading.Timer(max(0.0, seconds), self._shut)
        self._timer.daemon = True

    def __enter__(self) -> "_Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._timer.cancel()

    def _shut(self) -> None:
        self.passed = True
        sock = self._connection.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                log.debug("the socket was closed already")
