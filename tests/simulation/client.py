"""Clients: seats that play and spectators that watch.

Each keeps every frame and builds its view with `merge`, as the page does. A client resends a command with the same id
if there is no response within two seconds, and rejoins with the hash of the view that it holds. Some clients have no
socket and use only the HTTP endpoints.
"""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from games.fold import merge, view_hash
from games.live.messages import CLOSE_IDLE
from games.models import Table

from .habits import Habits

if TYPE_CHECKING:
    from .game import Simulation
    from .network import Link

TICK_S = 0.5
RESEND_S = 2.0
BEAT_S = 5.0
SILENCE_S = 11.0  # two heartbeats without a response: the connection is lost
POLL_S = 8.0
DELAYED_S, DELAY_NOTES_S, PROBE_S = 8.0, 7.0, 5.0  # as in static/live/reconnect.js
FINAL = {"auth", "seat_lost"}  # refusals after which a client that lost its seat or session stops


@dataclass
class Asked:
    """A command without a final response."""

    frame: dict[str, Any]
    at: float  # when it was last sent
    times: int = 0  # how often it was sent


@dataclass(frozen=True)
class Entry:
    """An entry of a client's history."""

    at: float  # virtual time in seconds
    what: str  # "sent", "got" (a frame) or "posted" (a command by HTTP)
    frame: dict[str, Any]
    link: int = 0  # the number of the socket, 0 for HTTP


@dataclass
class Held:
    """The view that the client holds."""

    view: dict[str, Any] = field(default_factory=dict)
    seq: int = 0
    epoch: int = 0
    hash: str = ""

    @property
    def game(self) -> str:
        return str(self.view.get("game", ""))


class Client:
    """One person at the table. `seat`: None for a spectator; `key`: of the session; `user`: None if not signed in."""

    def __init__(
        self, simulation: "Simulation", *, name: str, table: Table, seat: int | None, user: Any, key: str, polls: bool
    ) -> None:
        self.simulation, self.name, self.seat = simulation, name, seat
        self.user, self.key, self.polls = user, key, polls
        self.table, self.table_id = table.slug, table.pk
        self.address = f"10.0.0.{simulation.next_address()}"
        self.roll = simulation.stream(name)
        self.held = Held()
        self.pending: dict[str, Asked] = {}
        self.history: list[Entry] = []
        self.link: Link | None = None
        self.out = False  # knows that its seat or session was lost
        self.settled = -1.0  # when this link delivered its first view; negative before
        self.heard = self._beaten = 0.0  # when it last got a frame; when it last sent a heartbeat
        self._delayed = self._delayed_at = self._probed = 0.0
        self._number = 0
        self._connect_at: float | None = 0.0
        self._polling = False
        self.habits = Habits(self)
        self._later(self.roll.uniform(0.0, TICK_S), self._tick)

    # --- time

    def _later(self, seconds: float, work: Any) -> None:
        self.simulation.network.later(seconds, work)

    @property
    def now(self) -> float:
        return self.simulation.loop.time()

    def _tick(self) -> None:
        self._later(TICK_S * self.roll.uniform(0.9, 1.1), self._tick)
        if self.out:
            return
        if self.polls:
            self._poll()
        elif self.link is None:
            if self._connect_at is not None and self.now >= self._connect_at:
                self._connect()
        elif self.now - self.heard > SILENCE_S:
            self._drop(0.1)
        elif self.now - self._beaten > BEAT_S and self.held.view:
            self.beat()
        if self.link is not None and self._is_delayed and self.now - self._probed > PROBE_S:
            self._probe()
        for asked in list(self.pending.values()):
            if self.now - asked.at > RESEND_S:
                self._send_command(asked)
        self.habits.tick()

    # --- a host without its database

    @property
    def _is_delayed(self) -> bool:
        return self._delayed_at - self._delayed >= DELAYED_S and self.now - self._delayed_at < DELAY_NOTES_S

    def _probe(self) -> None:
        """Ask over HTTP, and reconnect if some host answers."""
        self._probed, link = self.now, self.link

        def answer(status: int, frame: dict[str, Any]) -> None:
            if status == 200 and self.link is link:
                self._drop(self.roll.uniform(0.0, 3.0))

        self.simulation.network.request(self, "GET", "snap", "", answer)

    # --- the socket

    def _connect(self) -> None:
        self._connect_at, self.heard, self.settled = None, self.now, -1.0
        self.link = self.simulation.network.connect(self)
        held = self.held
        since = {"epoch": held.epoch, "since": held.seq, "hash": held.hash} if held.view else {}
        self._send({"t": "join", "table": self.table, "as": "spectator" if self.seat is None else "seat"} | since)

    def _drop(self, again_in: float) -> None:
        if self.link is not None:
            self.link.leave()
        self.link, self._connect_at = None, self.now + again_in

    def lost(self, link: "Link", code: int = 1006) -> None:
        """Handle a closed connection, and reconnect later."""
        if link is not self.link:
            return
        self.link, self._connect_at = None, self.now + self.roll.uniform(0.1, 1.5)
        if code in (4001, 4003) and self.simulation.is_out(self):
            self.out = True
        elif code not in (1000, 1006, 1012, 4001, 4003) and not (code == CLOSE_IDLE and self.settled < 0):
            self.simulation.wrong(f"{self.name} was closed with {code}")

    def reconnect(self) -> None:
        """Disconnect and reconnect at once, as a browser does after sleep."""
        if not self.polls and self.link is not None:
            self._drop(0.0)

    def beat(self) -> None:
        """Send a heartbeat."""
        self._beaten, self._number = self.now, self._number + 1
        self._send({"t": "hb", "n": self._number, "have": self.held.seq, "hash": self.held.hash})

    def _send(self, frame: dict[str, Any]) -> None:
        assert self.link is not None
        text = json.dumps(frame)
        self._note("sent", frame, self.link.number)
        self.link.send_up(text)

    def _note(self, what: str, frame: dict[str, Any], link: int = 0) -> None:
        self.history.append(Entry(self.now, what, frame, link))
        self.simulation.note(f"{self.name} {what} {json.dumps(frame, separators=(',', ':'))}")

    # --- frames

    def frame(self, link: "Link", text: str) -> None:
        """Handle a frame that arrives on a link; frames of an older link are ignored."""
        if link is self.link:
            self.heard = self.now
            self.take(json.loads(text), link.number)

    def take(self, frame: dict[str, Any], link: int = 0) -> None:
        """Handle a frame from the socket or from HTTP."""
        self._note("got", frame, link)
        held = self.held
        if frame["t"] == "snap":
            self.held = Held(frame["view"], frame["seq"], frame["epoch"], frame["hash"])
            if self.held.game != held.game:
                # Numbers of decisions restart in each game: commands of the last game must not be sent in this one.
                self.pending.clear()
        elif frame["t"] == "ev":
            self._take_events(frame)
        elif frame["t"] in ("ack", "nak"):
            self._answered(frame)
        elif frame["t"] == "note" and frame["code"] == "delay":
            if self.now - self._delayed_at >= DELAY_NOTES_S:
                self._delayed = self.now
            self._delayed_at = self.now
        if frame["t"] in ("snap", "ev", "hb") and self.settled < 0:
            self.settled = self.now
        if self.held is not held or frame["t"] in ("ack", "nak", "ev"):
            self.habits.look()

    def _take_events(self, frame: dict[str, Any]) -> None:
        held = self.held
        view, seq = held.view, held.seq
        for event in frame["list"]:
            if event["seq"] <= seq:
                continue
            if event["seq"] != seq + 1:
                if not self.polls:
                    self.simulation.wrong(f"{self.name} got event {event['seq']} at {seq}")
                return
            view, seq = merge(view, event["set"]), event["seq"]
        if seq != held.seq:
            self.held = Held(view, seq, frame["epoch"], view_hash(view))

    def _answered(self, frame: dict[str, Any]) -> None:
        asked = self.pending.get(frame["id"])
        if asked is None:
            return
        if frame["t"] == "nak" and frame["retry"]:
            asked.at = self.now  # resend with the same id after RESEND_S
            return
        del self.pending[frame["id"]]
        if frame["t"] == "ack":
            self.habits.acked.append(frame["id"])
        if frame["t"] == "nak" and frame["code"] in FINAL and self.simulation.is_out(self):
            self.out = True

    # --- commands

    def command(self, kind: str, args: dict[str, str], *, turn: str = "", id: str = "", times: int = 1) -> str:
        """Send a command, `times` times with the same id; return the id."""
        id = id or str(self.simulation.new_id(self.roll))
        frame = {"id": id, "turn": turn or self.held.view["decision"], "kind": kind, "args": args}
        asked = Asked(frame, self.now)
        self.pending[id] = asked
        for _ in range(times):
            self._send_command(asked)
        return id

    def _send_command(self, asked: Asked) -> None:
        asked.at, asked.times = self.now, asked.times + 1
        by_http = self.polls or self.link is None or (asked.times > 1 and self.roll.random() < 0.5)
        if not by_http:
            self._send({"t": "cmd", **asked.frame})
            return
        self._note("posted", asked.frame)
        body = json.dumps(asked.frame)
        self.simulation.network.request(self, "POST", "commands", body, self._posted)

    def _posted(self, status: int, frame: dict[str, Any]) -> None:
        if frame.get("t") in ("ack", "nak"):
            self.take(frame)
        elif status not in (403, 429, 503):
            self.simulation.wrong(f"{self.name} posted and got {status} {frame}")

    # --- without a socket

    def _poll(self) -> None:
        if self._polling and self.now - self.heard < POLL_S + 4:
            return
        self._polling, self.heard = True, self.now
        held = self.held
        query = {"epoch": held.epoch, "since": held.seq, "game": held.game, "wait": int(POLL_S)}
        path = f"events?{urlencode(query)}" if held.view else "snap"
        asked = self.heard

        def answer(status: int, frame: dict[str, Any]) -> None:
            if self.heard == asked:
                self._polling = False
            if self.out or status != 200:
                return
            # The response to an older request must not restore an older view.
            if self.heard == asked and frame.get("t") in ("snap", "ev", "hb"):
                self.take(frame)

        self.simulation.network.request(self, "GET", path, "", answer)
