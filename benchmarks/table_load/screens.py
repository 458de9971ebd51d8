"""Six screens at a table, played by one driver: four seats and two spectators over plain `websockets`.

The driver reads as little as possible. It parses a frame only if the frame may contain the legal plays of a seat: a
client that folds its views would use more CPU than the measured server.
"""

import asyncio
import contextlib
import itertools
import json
import random
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

SEATS, SCREENS = 4, 6
BEAT_S = 30.0  # a page sends its heartbeat more often; the server closes sockets that are silent for 90 seconds
FIRST = ("snap", "ev", "hb")  # frames that give a joined socket the state of the table


@dataclass(slots=True)
class Traffic:
    """Counts of what was sent and received."""

    latencies: list[float] = field(default_factory=list)  # in seconds
    refused: Counter[str] = field(default_factory=Counter)  # refusals by code
    frames: Counter[str] = field(default_factory=Counter)  # number of frames by kind
    bytes: Counter[str] = field(default_factory=Counter)  # bytes of frames by kind

    def size(self, kind: str, usual: int) -> int:
        """Return the mean size of the frames of a kind, `usual` if there were none."""
        return round(self.bytes[kind] / self.frames[kind]) if self.frames[kind] else usual


@dataclass(frozen=True, slots=True)
class Door:
    """The address of the sockets and the headers that a browser would send."""

    port: int
    cookie: str = ""
    host: str | None = None
    origin: str | None = None

    async def open(self, path: str, session: str) -> ClientConnection:
        """Return an open socket, with that session's cookie unless it is empty."""
        host = self.host or f"127.0.0.1:{self.port}"
        headers = {"Cookie": f"{self.cookie}={session}"} if session else {}
        if self.host:
            headers["X-Forwarded-Proto"] = "https"
        return await connect(
            f"ws://{host}{path}",
            host="127.0.0.1",
            port=self.port,
            origin=Origin(self.origin or f"http://{host}"),
            subprotocols=[Subprotocol("tock.table.v1")],
            additional_headers=headers,
            compression=None,
            proxy=None,
            ping_interval=None,
            max_queue=None,
            open_timeout=60,
            user_agent_header=None,
        )


def held(text: str) -> dict[str, Any]:
    """Return the arguments of `join` for the view after a frame; empty if there was no frame."""
    if not text:
        return {}
    frame = json.loads(text)
    since = frame["seq"] if frame["t"] == "snap" else frame["list"][-1]["seq"]
    return {"epoch": frame["epoch"], "since": since, "hash": frame["hash"]}


class Screens:
    """The screens of one table, and the play that is due."""

    def __init__(self, slug: str, sessions: list[str], door: Door, traffic: Traffic) -> None:
        self.slug, self.door, self.traffic = slug, door, traffic
        self.sessions = [*sessions, *[""] * (SCREENS - len(sessions))]
        self.sockets: list[ClientConnection | None] = [None] * SCREENS
        self.readers: list[asyncio.Task[None]] = []
        self.last = [""] * SCREENS  # the last frame with the state of the table, for each screen
        self.legal: list[list[str]] = [[] for _ in range(SEATS)]
        self.decision = [""] * SEATS
        self.done = [""] * SEATS  # the decision that each seat has answered
        self.actor = 0
        self.wanted: deque[float] = deque()  # the times at which plays were requested, oldest first
        self.beating: asyncio.Task[None] | None = None
        self.pending = ""
        self.asked = 0.0
        self.over = False
        self.on_play: Callable[[Screens], None] = lambda screens: None
        self.roll = random.Random(slug)
        self.tasks: set[asyncio.Task[None]] = set()  # references, so that the tasks are not collected

    # --- sockets come and go

    async def enter(self, number: int) -> None:
        """Open a screen's socket and join; return when the first frame about the table has come."""
        socket = await self.door.open(f"/ws/table/{self.slug}", self.sessions[number])
        role = "seat" if number < SEATS else "spectator"
        frame = {"t": "join", "table": self.slug, "as": role, **held(self.last[number])}
        await socket.send(json.dumps(frame))
        while True:
            text = await socket.recv()
            if json.loads(text)["t"] in FIRST:
                break
        self.sockets[number] = socket
        await self._hear(number, str(text))
        self.readers.append(asyncio.create_task(self._read(number, socket)))
        if self.beating is None:
            self.beating = asyncio.create_task(self._beat())

    async def enter_all(self) -> None:
        """Open the table's six sockets."""
        await asyncio.gather(*(self.enter(number) for number in range(SCREENS)))

    async def _beat(self) -> None:
        """Send each screen's heartbeat periodically."""
        for number in itertools.count(1):
            await asyncio.sleep(BEAT_S)
            for screen, socket in enumerate(self.sockets):
                if socket is not None and self.last[screen]:
                    known = held(self.last[screen])
                    frame = {"t": "hb", "n": number, "have": known["since"], "hash": known["hash"]}
                    with contextlib.suppress(ConnectionClosed):
                        await socket.send(json.dumps(frame, separators=(",", ":")))

    async def leave(self) -> None:
        """Close all sockets."""
        if self.beating is not None:
            self.beating.cancel()
            self.beating = None
        await asyncio.gather(*(socket.close() for socket in self.sockets if socket is not None))
        await asyncio.gather(*self.readers)
        self.sockets, self.readers = [None] * SCREENS, []

    # --- reading

    async def _read(self, number: int, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                await self._hear(number, str(text))
        except ConnectionClosed as closed:
            if not self.over:
                self.traffic.refused[f"closed {closed.rcvd.code if closed.rcvd else '?'}"] += 1

    async def _hear(self, number: int, text: str) -> None:
        kind = text[6 : text.index('"', 6)]  # every frame begins with {"t":"
        if kind == "ev":
            kind = "seat" if number < SEATS else "spectator"
        self.traffic.frames[kind] += 1
        self.traffic.bytes[kind] += len(text)
        if kind in ("seat", "spectator", "snap"):
            self.last[number] = text
        if kind in ("seat", "snap") and number < SEATS:
            if self.legal[number] or kind == "snap" or '"legal"' in text:
                self._note(number, json.loads(text))
            elif '"result"' in text:
                self.over = True
        elif kind in ("ack", "nak"):
            self._answered(json.loads(text))
        await self.try_to_play()

    def _note(self, number: int, frame: dict[str, Any]) -> None:
        """Store the legal plays of a seat."""
        for seen in [frame["view"]] if frame["t"] == "snap" else [event["set"] for event in frame["list"]]:
            if frame["t"] == "snap" or "legal" in seen:
                self.legal[number] = seen.get("legal") or []
            self.decision[number] = seen.get("decision") or self.decision[number]
            self.over |= "result" in seen

    def _answered(self, frame: dict[str, Any]) -> None:
        if frame["id"] != self.pending:
            return
        self.pending = ""
        if frame["t"] == "ack":
            self.traffic.latencies.append(time.perf_counter() - self.asked)
            self.on_play(self)
        else:
            self.traffic.refused[f"{frame['code']} {frame['why']}"] += 1
            self.done[self.actor] = ""
            self.wanted.append(time.perf_counter())

    # --- playing

    def want(self) -> None:
        """Request one more play now; it is sent when the table is ready for it."""
        self.wanted.append(time.perf_counter())

    async def try_to_play(self) -> None:
        """Send the next requested play, unless one is in progress or no seat may play yet."""
        if self.pending or not self.wanted or self.over:
            return
        seat = next(
            (seat for seat in range(SEATS) if self.legal[seat] and self.done[seat] != self.decision[seat]), None
        )
        socket = self.sockets[seat] if seat is not None else None
        if seat is None or socket is None:
            return
        line = self.roll.choice(self.legal[seat])
        self.actor, self.done[seat] = seat, self.decision[seat]
        self.asked, self.pending = self.wanted.popleft(), str(uuid.uuid4())
        text = self._command(seat, line)
        self.traffic.frames["cmd"] += 1
        self.traffic.bytes["cmd"] += len(text)
        await socket.send(text)

    def _command(self, seat: int, line: str) -> str:
        kind, args = ("exchange", {"card": line[5:]}) if line.startswith("give ") else ("play", {"play": line})
        frame = {"t": "cmd", "id": self.pending, "turn": self.decision[seat], "kind": kind, "args": args}
        return json.dumps(frame, separators=(",", ":"))


class BareScreens(Screens):
    """Six screens at the echo: seats send in turn, each as soon as the last frame is acknowledged."""

    def __init__(self, slug: str, door: Door, traffic: Traffic, sizes: dict[str, int]) -> None:
        super().__init__(slug, [], door, traffic)
        self.sizes = sizes
        self.plays = 0

    async def enter(self, number: int) -> None:
        socket = await self.door.open(f"/{self.slug}/{number}", "")
        await socket.recv()
        self.sockets[number] = socket
        if number == SCREENS - 1:
            await socket.send(json.dumps({"sizes": self._texts()}, separators=(",", ":")))
            self.legal[0], self.decision[0] = ["play"], "0"
        self.readers.append(asyncio.create_task(self._read(number, socket)))

    def _texts(self) -> dict[str, str]:
        """Return frames of the same lengths as the real ones; the driver reads them in the same way."""
        made = {"ack": '{"t":"ack","id":"","seq":1,"pad":"'}
        for kind in ("seat", "spectator"):
            made[kind] = '{"t":"ev","list":[{"set":{}}],"pad":"'
        return {kind: head + "." * max(0, self.sizes[kind] - len(head) - 2) + '"}' for kind, head in made.items()}

    def _answered(self, frame: dict[str, Any]) -> None:
        self.plays += 1
        self.legal = [["play"] if seat == self.plays % SEATS else [] for seat in range(SEATS)]
        self.decision[self.plays % SEATS] = str(self.plays)
        super()._answered(frame | {"id": self.pending})

    def _command(self, seat: int, line: str) -> str:
        head = f'{{"t":"cmd","id":"{self.pending}","pad":"'
        return head + "." * max(0, self.sizes["cmd"] - len(head) - 2) + '"}'
