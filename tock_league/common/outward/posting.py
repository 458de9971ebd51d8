"""Posts a body to a judged address, and reads the head of the answer and, if wanted, the first bytes of its body."""

import logging
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import SKIP_HEADER

from tock_league.common import clock

from .addresses import Target
from .deadline import Deadline

log = logging.getLogger(__name__)
MOST_TRIES = 2  # of the numeric addresses of a name


@dataclass(frozen=True)
class Limits:
    """What a request may take."""

    connect_s: float  # for each numeric address
    read_s: float  # of silence
    total_s: float  # for the whole attempt, also against a server that answers one byte at a time
    bytes: int = 0  # of the answer's body; 0: it is not read


@dataclass(frozen=True)
class Answer:
    """What became of one attempt.

    `status`: None without an answer; `error` then says why: `connect`, `tls`, `timeout`, `broken`.
    """

    status: int | None
    error: str = ""
    retry_after: str = ""
    start: bytes = b""  # of the body
    took_ms: int = 0


def post(target: Target, numeric: Sequence[str], body: bytes, headers: Mapping[str, str], limits: Limits) -> Answer:
    """Post `body` to the first of the numeric addresses that accepts a connection, and return what became of it."""
    began = clock.monotonic()
    answer = Answer(None, "connect")
    with Deadline(limits.total_s) as deadline:
        for address in numeric[:MOST_TRIES]:
            left = limits.total_s - (clock.monotonic() - began)
            if deadline.passed or left <= 0:
                answer = Answer(None, "timeout")
                break
            connection = _connection(target, address, deadline, min(limits.connect_s, left))
            try:
                connection.connect()
                answer = _exchange(connection, target, body, headers, limits)
                break
            except Exception as problem:  # a strange certificate raises ValueError
                answer = Answer(None, "timeout" if deadline.passed else _why(problem, "connect"))
            finally:
                connection.close()
    took_ms = round((clock.monotonic() - began) * 1000)
    return Answer(answer.status, answer.error, answer.retry_after, answer.start, took_ms)


def context() -> ssl.SSLContext:
    """Return what certificates are judged by: the system's authorities."""
    return ssl.create_default_context()


class _Plain(HTTPConnection):
    """A connection that its deadline can end at any moment, also during the handshake of TLS."""

    deadline: Deadline

    def _new_conn(self) -> socket.socket:
        sock = super()._new_conn()
        self.deadline.hold(sock)
        return sock


class _Secured(_Plain, HTTPSConnection):
    pass


def _connection(target: Target, address: str, deadline: Deadline, connect_s: float) -> _Plain:
    """Return a connection to the numeric address that expects the certificate of the host's name."""
    made: _Plain
    if target.scheme == "http":
        made = _Plain(address, target.port, timeout=connect_s)
    else:
        made = _Secured(
            address,
            target.port,
            timeout=connect_s,
            server_hostname=target.host,  # the context checks the certificate against it
            ssl_context=context(),
        )
    made.deadline = deadline
    return made


def _exchange(connection: _Plain, target: Target, body: bytes, headers: Mapping[str, str], limits: Limits) -> Answer:
    """Send the request and read the answer."""
    deadline = connection.deadline
    try:
        if connection.sock is not None:
            connection.sock.settimeout(limits.read_s)
        connection.request(
            "POST",
            target.path,
            body=body,
            headers={"User-Agent": SKIP_HEADER, "Host": target.host_header, **headers},
            preload_content=False,
            decode_content=False,
        )
        response = connection.getresponse()
        if deadline.passed:  # the headers were cut off
            return Answer(None, "timeout")
        retry_after = response.headers.get("Retry-After") or ""
        try:
            start = response.read(limits.bytes, decode_content=False) if limits.bytes else b""
        except (OSError, urllib3.exceptions.HTTPError):
            start = b""  # the status counts
        return Answer(response.status, "", retry_after, start)
    except Exception as problem:  # whatever a hostile answer makes the parser raise is a failure of this attempt alone
        if not isinstance(problem, OSError | urllib3.exceptions.HTTPError):
            log.info("odd answer: %s", type(problem).__name__)
        return Answer(None, "timeout" if deadline.passed else _why(problem, "broken"))


def _why(problem: Exception, otherwise: str) -> str:
    if isinstance(problem, urllib3.exceptions.NewConnectionError):
        return "connect"
    if isinstance(problem, TimeoutError | urllib3.exceptions.TimeoutError):
        return "timeout"
    if isinstance(problem, ssl.SSLError | urllib3.exceptions.SSLError):
        return "tls"
    return otherwise
