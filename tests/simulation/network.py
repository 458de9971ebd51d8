"""The network between clients and processes: messages are late or lost, but in order within a connection."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Client
    from .game import Simulation
    from .process import Process

GAP_S = 1e-6  # minimum time between two messages of a connection, so that their order is defined
PING_S = 20.0  # time after which a process notices that the client is gone


class Network:
    """The network. `trouble`: the probability of a fault per message; 0 after the faults have ended."""

    def __init__(self, simulation: "Simulation", roll: random.Random, trouble: float) -> None:
        self.simulation, self.roll, self.trouble = simulation, roll, trouble

    def delay(self) -> float:
        """Return the delay of one message, in seconds."""
        if self.roll.random() < self.trouble:
            return self.roll.uniform(0.2, 3.0)
        return self.roll.uniform(0.002, 0.04)

    @property
    def now(self) -> float:
        return self.simulation.loop.time()

    def at(self, when: float, work: Callable[..., Any], *args: Any) -> None:
        """Call `work` at that virtual time, outside of every process."""
        self.simulation.loop.call_at(when, work, *args, context=self.simulation.outside)

    def later(self, seconds: float, work: Callable[..., Any], *args: Any) -> None:
        """Call `work` after so many virtual seconds, outside of every process."""
        self.at(self.now + seconds, work, *args)

    def connect(self, client: "Client") -> "Link":
        """Open a connection to a random process; a process that is down refuses it."""
        return Link(self, client, self.simulation.some_process())

    def request(
        self, client: "Client", method: str, path: str, body: str, answer: Callable[[int, dict[str, Any]], None]
    ) -> None:
        """Send an HTTP request; request or response may be lost, and a proxy may send the request twice."""
        lost = self.roll.random() < self.trouble
        times = 2 if self.roll.random() < self.trouble / 2 else 1

        def back(status: int, text: str) -> None:
            if not (self.trouble and self.roll.random() < self.trouble):
                self.later(self.delay(), lambda: answer(status, json.loads(text)))

        def arrive() -> None:
            process = self.simulation.some_process()
            if not process.dead:
                process.request(client, method, path, body, back)

        for _ in range(0 if lost else times):
            self.later(self.delay(), arrive)


class Link:
    """One WebSocket. An end may believe it open although it is broken: if `cut` is set, no message arrives."""

    def __init__(self, net: Network, client: "Client", process: "Process") -> None:
        self.net, self.client, self.process = net, client, process
        self.number = net.simulation.next_link()
        self.inbound: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.game = client.held.game  # the game whose rows the server sends on this link
        self.cut = False
        self.server_open = True
        self._unsent: list[str] | None = []  # frames sent before the handshake; None after it
        self._up = self._down = 0.0  # arrival time of the last message in each direction
        if process.dead:
            self.cut = True
            net.later(net.delay(), client.lost, self)
            return
        net.later(net.delay(), self._arrive)
        if net.roll.random() < 2 * net.trouble:
            net.later(net.roll.uniform(0.05, 20.0), self.break_off)

    def _arrive(self) -> None:
        if not self.process.dead:
            self.process.connect(self)

    # --- from client to server

    def send_up(self, text: str) -> None:
        """Send a frame to the server; it arrives after all earlier ones."""
        if self._unsent is not None:
            self._unsent.append(text)
            return
        if self.cut:
            return
        self._up = max(self._up + GAP_S, self.net.now + self.net.delay())
        self.net.at(self._up, self._up_arrives, text)

    def _up_arrives(self, text: str) -> None:
        if not self.cut and not self.process.dead and self.server_open:
            self.inbound.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        """Close the client's end; the server learns of it soon or after PING_S."""
        silent = self.cut or self.net.roll.random() < self.net.trouble
        self.cut = True
        self.net.later(PING_S if silent else self.net.delay(), self._gone)

    def _gone(self) -> None:
        if self.server_open and not self.process.dead:
            self.server_open = False
            self.inbound.put_nowait({"type": "websocket.disconnect", "code": 1006})

    # --- from server to client

    async def send_down(self, message: dict[str, Any]) -> None:
        """The ASGI `send` of the socket."""
        if self.process.dead or not self.server_open:
            return
        kind = message["type"]
        if kind == "websocket.send":
            self.net.simulation.sent_down(self, message["text"])
        elif kind == "websocket.close":
            self.server_open = False
            self.inbound.put_nowait({"type": "websocket.disconnect", "code": 1000})
        if self.cut:
            return
        self._down = max(self._down + GAP_S, self.net.now + self.net.delay())
        self.net.at(self._down, self._down_arrives, message)

    def _down_arrives(self, message: dict[str, Any]) -> None:
        if self.cut:
            return
        if message["type"] == "websocket.send":
            self.client.frame(self, message["text"])
        elif message["type"] == "websocket.accept":
            unsent, self._unsent = self._unsent or [], None
            for text in unsent:
                self.send_up(text)
        else:
            self.cut = True
            self.client.lost(self, int(message.get("code", 1000)))

    def ended(self) -> None:
        """Remove the link from its process, because the server's consumer has returned."""
        if self in self.process.links:
            self.process.links.remove(self)

    # --- faults

    def break_off(self) -> None:
        """Break the connection: messages in transit are lost; each end learns of it soon or by its own time-out."""
        if self.cut or not self.net.trouble:
            return
        self.cut = True
        self.net.simulation.note(f"link {self.number} breaks")
        if self.net.roll.random() < 0.6:
            self.net.later(self.net.delay(), self.client.lost, self)
        self.net.later(self.net.delay() if self.net.roll.random() < 0.6 else PING_S, self._gone)

    def server_died(self) -> None:
        """Handle a kill of the process: sent messages may be lost, and usually the system closes the connection."""
        tail_lost = self.net.roll.random() < 0.5
        if tail_lost:
            self.cut = True
        if self.net.roll.random() < 0.7:
            self.net.later(max(self._down - self.net.now, 0.0) + 0.05, self._reset)

    def _reset(self) -> None:
        self.cut = True
        self.client.lost(self)
