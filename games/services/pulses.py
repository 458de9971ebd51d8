"""The source of the public beacon: rounds are asked for in threads, verified, and kept until a game takes them.

Several addresses give the same rounds; they are asked one after another, the next one as soon as one has failed or is
slow. Nothing but the round that was asked for, with the source's signature on it, is accepted, so no address needs to be
trusted. Each process asks for itself and forgets everything when it ends: which rounds are needed is in the games.
"""

import contextlib
import http.client
import json
import logging
import socket
import ssl
import threading
import urllib.parse
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings

from games.fold import Chain
from tock_league.common import clock
from tock_league.common.metrics import BEACON_FAILURES

from . import bls

log = logging.getLogger(__name__)
PATIENCE_S = 5.0  # for one answer, from connecting to its last byte
SLOW_S = 2.0  # after which the next address is asked as well
MOST_BYTES = 4096  # of an answer; real ones have about 300
MOST_THREADS = 16
KEPT = 64  # rounds


class Unfit(Exception):
    """An answer that is not the round, with a word for the reason."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """A published round."""

    round: int
    signature: str  # as hex

    @property
    def randomness(self) -> str:
        return sha256(bytes.fromhex(self.signature)).hexdigest()


def chain() -> Chain | None:
    """Return the chain that new games use, None where none is set."""
    return Chain.from_json(settings.BEACON["chain"]) if settings.BEACON else None


@dataclass(slots=True)
class _Try:
    """How a round has been asked for so far."""

    count: int = 0
    running: int = 0
    since: float = 0.0  # of the last try, on the monotonic clock
    pulse: Pulse | None = None


class Source:
    """The rounds that this process has asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tries: OrderedDict[tuple[Chain, int], _Try] = OrderedDict()

    def get(self, chain: Chain, round_: int) -> Pulse | None:
        """Return the round if it is known; otherwise let a thread ask for it, unless one just does, and return None."""
        with self._lock:
            tried = self._tries.setdefault((chain, round_), _Try())
            while len(self._tries) > KEPT:
                self._tries.popitem(last=False)
            urls = settings.BEACON["urls"] if settings.BEACON else ()
            busy = tried.running and clock.monotonic() < tried.since + SLOW_S
            if tried.pulse or not urls or busy or sum(each.running for each in self._tries.values()) >= MOST_THREADS:
                return tried.pulse
            url = urls[tried.count % len(urls)]
            tried.count, tried.running, tried.since = tried.count + 1, tried.running + 1, clock.monotonic()
            told = tried.count > len(urls)
        work = threading.Thread(target=self._ask, args=(url, chain, round_, tried, told), name="beacon", daemon=True)
        work.start()
        return None

    def _ask(self, url: str, chain: Chain, round_: int, tried: _Try, told: bool) -> None:
        """Ask one address. `told`: the log has a line about each address and this round already."""
        pulse = None
        try:
            pulse = fetch(url, chain, round_)
        except Unfit as unfit:
            BEACON_FAILURES.labels(str(unfit)).inc()
            if not told:
                host = urllib.parse.urlsplit(url).hostname
                log.warning("the beacon's source %s does not give round %s: %s", host, round_, unfit)
        finally:
            with self._lock:
                tried.running -= 1
                tried.pulse = tried.pulse or pulse


def fetch(url: str, chain: Chain, round_: int, patience: float = PATIENCE_S) -> Pulse:
    """Return the round that the source at `url` gives, verified.

    Raises Unfit: `unreachable` (also too slow), `status` (also a redirect: none is followed), `size`, `form`, `round`,
    `signature`.
    """
    try:
        found = json.loads(_read(url, f"/{chain.chain}/public/{round_}", patience))
        given, signature = found["round"], found["signature"]
    except (OSError, http.client.HTTPException):  # first: a refused certificate is a ValueError too
        raise Unfit("unreachable") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Unfit("form") from None
    if type(given) is not int or not isinstance(signature, str):
        raise Unfit("form")
    if given != round_:
        raise Unfit("round")
    if not is_signed(chain, round_, signature):
        raise Unfit("signature")
    return Pulse(round_, signature)


def is_signed(chain: Chain, round_: int, signature: str) -> bool:
    """Return whether `signature` (lower-case hex) is that of the round by the chain's key."""
    try:
        value = bytes.fromhex(signature)
    except ValueError:
        return False
    return value.hex() == signature and len(value) == 48 and bls.verify(bytes.fromhex(chain.key), round_, value)


def _read(url: str, path: str, patience: float) -> bytes:
    """Return the body at `path` below `url`. The whole exchange takes at most `patience` seconds."""
    base = urllib.parse.urlsplit(url)
    kind = _Secured if base.scheme == "https" else http.client.HTTPConnection
    connection = kind(base.hostname or "", base.port, timeout=patience)
    ending = threading.Timer(patience, _cut, [connection])
    ending.daemon = True
    ending.start()
    try:
        connection.request("GET", base.path.rstrip("/") + path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise Unfit("status")
        body: bytes = answer.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise Unfit("size")
        return body
    finally:
        ending.cancel()
        connection.close()


class _Secured(http.client.HTTPSConnection):
    """TLS with a verified certificate, whose handshake can be cut too: the socket is known before it begins."""

    def connect(self) -> None:
        http.client.HTTPConnection.connect(self)
        secured = ssl.create_default_context().wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock = secured
        secured.do_handshake()


def _cut(connection: http.client.HTTPConnection) -> None:
    """End an exchange that takes too long: a slow sender gets no second patience for each byte."""
    held = connection.sock
    if held is not None:
        with contextlib.suppress(OSError):
            socket.socket.shutdown(held, socket.SHUT_RDWR)  # of TLS too: its own would change what the reader uses


source = Source()
