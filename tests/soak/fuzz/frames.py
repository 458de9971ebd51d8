"""Hostile frames over real sockets: the grammar of the table's protocol, broken WebSocket frames, refused handshakes."""

import contextlib
import json
import random
import socket
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection

from games.fold import merge
from games.live.messages import NAK_CODES
from tests.live.fuzz import grammar
from tests.live.fuzz.grammar import Chance, Known

from .beside import PATIENCE_S, connected
from .cast import SEATED, Cast
from .house import House
from .oracles import Judge
from .wire import request

CLOSES = {1000, 1002, 1003, 1006, 1007, 1009, 1011, 4001, 4002, 4003, 4004, 4008, 4010, 4011, 4013}
REFUSED = {400, 403, 404, 426, 429}
FENCE = 1_000_000_000
WORDS = ["\u200b", "\u202e", "a\u0301", "\u2066x\u2069", "𝕏", "\uff1cscript\uff1e", "\u0000", "x" * 280, "é" * 281]


@dataclass
class Frames:
    """The part of a run that talks to sockets."""

    house: House
    cast: Cast
    judge: Judge
    seed: str
    known: dict[str, Known] = field(default_factory=dict)  # by table
    answers: Counter[str] = field(default_factory=Counter)

    def visit(self, number: int) -> int:
        """Connect to a table, send frames, leave; return how many were sent."""
        chance = Chance(f"{self.seed}:frames:{number}")
        kind = chance.choose(sorted(self.cast.tables))
        slug = chance.choose(self.cast.tables[kind])
        who = chance.choose([*SEATED * 3, "referee", "stranger", "visitor", "ended", "administrator"])
        role = chance.choose(["seat"] * 6 + ["spectator", "referee"])
        known = self.known.setdefault(slug, Known([]))
        known.slugs, known.role = [slug, *(each[0] for each in self.cast.tables.values()), self.cast.quiet[0]], role
        known.view, known.seq, known.epoch, known.hash = {}, 0, 0, ""
        key = "" if who == "visitor" else self.cast.ended if who == "ended" else self.cast.keys[who]
        asked = f"{who} as {role} at {kind} table {slug}"
        if chance.once_in(9):
            return self._turned_away(chance, slug, key, asked)
        try:
            wire = connected(self.house, slug, key, origin=self.house.origin)
        except InvalidHandshake as refused:
            self.judge.say(f"not connected: {refused}", asked)
            return 1
        with contextlib.closing(wire):
            if chance.once_in(8):
                return self._broken(chance, wire, asked)
            return self._talk(chance, wire, known, asked)

    def _turned_away(self, chance: Chance, slug: str, key: str, asked: str) -> int:
        """Shake hands as another site's page does, without an origin, at no table or with something that is no handshake."""
        origin = chance.choose(
            ["https://evil.example", "null", None, self.house.origin + ".evil.example", self.house.origin]
        )
        path = slug if origin != self.house.origin else chance.choose(["nowhere", "x" * 300, "-", "%00", "%2e%2e", "é"])
        try:
            with contextlib.closing(connected(self.house, path, key, origin=origin)) as wire:
                wire.send(json.dumps({"t": "join", "table": path, "as": "seat"}))
                told = wire.recv(timeout=PATIENCE_S)
                if key or origin is not None:  # a program without cookie and origin may watch
                    self.judge.say(f"a socket of {origin} at {path} was told {told[:200]!r}", asked)
        except InvalidHandshake as refused:
            status = getattr(getattr(refused, "response", None), "status_code", 0)
            self.answers[f"handshake {status}"] += 1
            if status not in REFUSED:
                self.judge.say(f"handshake answered {status}: {refused}", asked)
        except ConnectionClosed as closed:
            self._closed(closed, asked)
        except (TimeoutError, UnicodeError):
            self.answers["silence"] += 1
        return 1

    def _talk(self, chance: Chance, wire: ClientConnection, known: Known, asked: str) -> int:
        sent = 0
        history: list[str] = []
        try:
            for number in range(2 + chance.below(14)):
                frame = grammar.frame(chance, known, first=number == 0)
                if number and chance.once_in(12):
                    said = {"kind": "other", "text": chance.choose(WORDS)}
                    turn = known.view.get("decision", "0.1")
                    command = {"t": "cmd", "id": chance.uuid(), "turn": turn, "kind": "dispute", "args": said}
                    frame = json.dumps(command)
                history.append(repr(frame)[:200])
                self._send(chance, wire, frame)
                sent += 1
                self._listen(wire, known, 0.05 if number else 2.0, asked)
            wire.send(json.dumps({"t": "hb", "n": FENCE, "have": known.seq, "hash": known.hash}))
            if not self._listen(wire, known, PATIENCE_S, asked, fence=True):
                self.judge.say(f"a heartbeat has no answer after {history[-3:]}", asked)
        except ConnectionClosed as closed:
            self._closed(closed, asked)
        return sent

    @staticmethod
    def _send(chance: Chance, wire: ClientConnection, frame: str | bytes) -> None:
        """Send a frame as text, whatever its bytes are; sometimes in pieces, or as a binary one."""
        raw = frame if isinstance(frame, bytes) else frame.encode("utf-8", "surrogatepass")
        if isinstance(frame, bytes) and chance.once_in(2):
            wire.send(raw)
        elif chance.once_in(10) and len(raw) > 3:
            third = len(raw) // 3
            wire.send([raw[:third], raw[third : 2 * third], b"", raw[2 * third :]], text=True)
        else:
            wire.send(raw, text=True)

    def _listen(self, wire: ClientConnection, known: Known, seconds: float, asked: str, *, fence: bool = False) -> bool:
        """Take what comes within the seconds, at least the first frame; return whether the fence's answer came."""
        until = time.monotonic() + seconds
        while True:
            try:
                told = json.loads(wire.recv(timeout=max(0.0, until - time.monotonic())))
            except TimeoutError:
                return False
            self._hold(told, known)
            self.answers[told["t"] if told["t"] != "nak" else f"nak {told['code']}"] += 1
            if told["t"] == "nak" and (told["code"] not in NAK_CODES or told["code"] == "internal"):
                self.judge.say(f"answered {told}", asked)
            if fence and told["t"] == "hb" and told["n"] == FENCE:
                return True
            if not fence:
                until = min(until, time.monotonic() + 0.05)

    @staticmethod
    def _hold(told: dict[str, Any], known: Known) -> None:
        if told["t"] == "snap":
            known.view, known.seq, known.epoch, known.hash = told["view"], told["seq"], told["epoch"], told["hash"]
        elif told["t"] == "ev":
            for event in told["list"]:
                if event["seq"] > known.seq:
                    known.view, known.seq = merge(known.view, event["set"]), event["seq"]
            known.hash = told["hash"]

    def _closed(self, closed: ConnectionClosed, asked: str) -> None:
        code = closed.rcvd.code if closed.rcvd is not None else 1006
        self.answers[f"close {code}"] += 1
        if code not in CLOSES or code == 1011:
            self.judge.say(f"closed with {code}", asked)

    def _broken(self, chance: Chance, wire: ClientConnection, asked: str) -> int:
        """Write what no WebSocket library would: wrong masks, lengths, opcodes, control frames."""
        mask = b"\x01\x02\x03\x04"
        raw = chance.choose([
            b"\x81\x05hello",  # not masked
            b"\x81\xfe\xff\xff" + mask,  # the announced length never comes
            b"\x81\xff" + struct.pack(">Q", 2**62) + mask,
            b"\x81\xff" + struct.pack(">Q", 2**63 + 1) + mask,
            b"\x83\x80" + mask, b"\x8f\x80" + mask,  # opcodes that do not exist
            b"\xf1\x80" + mask,  # reserved bits
            b"\x80\x80" + mask,  # continues nothing
            b"\x01\x81" + mask + b"x" + b"\x01\x81" + mask + b"x",  # begins twice
            b"\x09\x80" + mask,  # a ping in pieces
            b"\x89\xfe\x00\x80" + mask + b"x" * 128,  # a ping that is too long
            b"\x88\x81" + mask + b"x", b"\x88\x82" + mask + b"\x00\x00",  # a close without a valid code
            b"\x89\x80" * 2 + mask, b"\x89\x80" * 0 + (b"\x89\x80" + mask) * 400,  # a flood of pings
            b"\x81\x81" + mask + b"\xff",  # no UTF-8
            b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 4000,
        ])  # fmt: skip
        with contextlib.suppress(OSError, ConnectionClosed):
            wire.socket.sendall(raw)
            with contextlib.suppress(TimeoutError):
                wire.recv(timeout=0.2)
        self.answers["broken"] += 1
        return 1


# --- many at once


def half_open(house: House, cast: Cast, judge: Judge, count: int = 1000) -> int:
    """Open so many connections that end in every stage of a handshake, hold them, drop them; the site must go on."""
    roll = random.Random("half open")
    slug = cast.quiet[-1]
    head = [("Host", house.host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="), ("Sec-WebSocket-Protocol", "tock.table.v1"),
            ("Origin", house.origin), *house.headers.items()]  # fmt: skip
    held: list[socket.socket] = []

    def one(number: int) -> None:
        with contextlib.suppress(OSError):
            plain = socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE_S)
            held.append(plain)
            far = ("X-Forwarded-For", f"10.200.{number >> 8}.{number & 255}")
            data = request("GET", f"/ws/table/{slug}", [*head, far])
            plain.sendall(data[: roll.choice([0, 10, len(data) - 2, len(data), len(data), len(data)])])

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(one, range(count)))
    from .wire import send

    since = time.monotonic()
    answer = send(house.port, "GET", "/clubs/", {"Host": house.host, **house.headers})
    took = time.monotonic() - since
    judge.answer(answer, "a page beside a thousand sockets")
    if answer.status != 200 or took > 10:
        judge.say(f"status {answer.status} after {took:.1f} s", "a page beside a thousand sockets")
    for plain in held:
        if roll.random() < 0.5:  # half of them are reset, not closed
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()
    return len(held)


def trickle(house: House, count: int = 20) -> list[socket.socket]:
    """Begin requests that come byte by byte; `finish` says whether they were ended."""
    begun = []
    for number in range(count):
        plain = socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE_S)
        plain.sendall(
            [
                b"GET /clubs/ HTTP/1.1\r\nHost: x\r\nX: ",
                b"POST /accounts/login/ HTTP/1.1\r\nContent-Length: 900\r\n\r\n",
            ][number % 2]
        )
        begun.append(plain)
    return begun


def finish(begun: list[socket.socket], judge: Judge, since: float) -> None:
    """Check that the server has ended every slow request. Call it half a minute after `trickle` at least."""
    time.sleep(max(0.0, since + 40 - time.monotonic()))
    for plain in begun:
        plain.settimeout(5)
        with contextlib.suppress(ConnectionResetError):
            try:
                while plain.recv(65536):
                    pass
            except TimeoutError:
                judge.say("a request that never ends is still open after 40 s", "slow loris")
        plain.close()
