"""Requests to addresses that people of the site have given: over TLS, to public addresses only, in bounded time.

Every address that the name has is judged, and the connection goes to one that was judged: a name that changes its address
in between leads nowhere. No redirect is followed, and no proxy of the environment is used.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib import parse

PORT = 443
PATIENCE_S = 10.0  # for a whole exchange


class Forbidden(Exception):
    """Why nothing is sent to an address: `form`, or `private` for one that is not of the public Internet."""


class Unreachable(Exception):
    """Nobody has answered: no such name, no connection, a refused certificate, or no answer in time."""


@dataclass(frozen=True)
class Answer:
    """The head of an answer; its body is not read."""

    status: int
    retry_after: str


def checked(url: str) -> parse.SplitResult:
    """Return the parts of an https address with a host name and no other port. Asks nobody. Raises Forbidden."""
    try:
        parts = parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("form") from None
    host = parts.hostname or ""
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}#')
    if not plain or parts.scheme != "https" or not host or "@" in parts.netloc or port not in (None, 443):
        raise Forbidden("form")
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        raise Forbidden("private")  # also a public one: whoever serves others has a name
    if "." not in host.rstrip(".") or host.rstrip(".").endswith((".localhost", ".local", ".internal", ".arpa")):
        raise Forbidden("private")
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str], *, patience: float = PATIENCE_S) -> Answer:
    """Send `body` and return the head of the answer, whatever its status. Raises Forbidden, Unreachable."""
    parts = checked(url)
    host = (parts.hostname or "").rstrip(".")
    address = public_addresses(host)[0]
    connection = _Pinned(host, address, patience)
    ending = threading.Timer(patience, connection.cut)
    ending.daemon = True
    ending.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers=dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, answer.getheader("Retry-After") or "")
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(type(error).__name__) from None
    finally:
        ending.cancel()
        connection.close()


def public_addresses(host: str) -> list[str]:
    """Return the addresses of a host. Raises Unreachable; Forbidden when any of them is not public."""
    try:
        rows = socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable("no such name") from None
    found = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not found:
        raise Unreachable("no such name")
    if not all(_is_public(address) for address in found):
        raise Forbidden("private")
    return found


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.split("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        # An IPv4 address in another dress leads to that address.
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            address = inner
        elif address in ipaddress.ip_network("64:ff9b::/96"):
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.is_global and not address.is_multicast


class _Pinned(http.client.HTTPSConnection):
    """A connection to one address, whose certificate must be that of the host; it can be cut at any moment."""

    def __init__(self, host: str, address: str, patience: float) -> None:
        super().__init__(host, PORT, timeout=patience)
        self.default_port = PORT  # the header Host names no port
        self._address = address
        self._held: socket.socket | None = None

    def connect(self) -> None:
        plain = socket.create_connection((self._address, PORT), self.timeout)
        self._held = self.sock = plain
        secured = context().wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self._held = self.sock = secured
        secured.do_handshake()

    def cut(self) -> None:
        """End an exchange that takes too long: a slow sender gets no second patience for each byte."""
        if self._held is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._held, socket.SHUT_RDWR)  # TLS would use what another thread reads


def context() -> ssl.SSLContext:
    """Return what certificates are judged by: the system's authorities."""
    return ssl.create_default_context()
