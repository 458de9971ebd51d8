"""The behaviour of a client at a seat: it plays a line of its view, sometimes touches a card first or misbehaves."""

import hashlib
from typing import TYPE_CHECKING, Any

from games.engine import shuffle

if TYPE_CHECKING:
    from .client import Client

MISCHIEF = 0.12
SHARING = 0.7  # the probability that a seat commits to a share of the shuffle


class Habits:
    """Decides from the client's own view only. `withheld`: the probability that a share is committed to and not opened."""

    withheld = 0.1

    def __init__(self, client: "Client") -> None:
        self.client = client
        self.acked: list[str] = []  # ids of commands that were carried out
        self._thinking = False
        self._called = False
        self._said = False
        self._withheld = ""  # the game whose share it does not open

    def tick(self) -> None:
        """Act if something is to be done; called every half second."""
        self.look()
        client = self.client
        often = 8 if client.seat is not None else 2  # spectators reconnect more often
        if client.roll.random() < client.simulation.network.trouble / often:
            client.reconnect()

    def look(self) -> None:
        """Start thinking if it is this seat's turn and no command is pending."""
        client = self.client
        if client.seat is None or client.out or self._thinking or client.pending or not client.held.view:
            return
        if client.simulation.over or not self._wanted(client.held.view):
            return
        self._thinking = True
        client.simulation.network.later(client.roll.uniform(0.02, 0.4), self._act)

    def _wanted(self, view: dict[str, Any]) -> bool:
        if "frozen" in view:
            return False
        if view["phase"] == "seating":
            return not view["ready"][self.client.seat] or self._owes(view)
        if view["phase"] == "over":
            return not self._said
        return bool(view.get("legal")) or (not self._called and self.client.simulation.scenario.calls)

    def _act(self) -> None:
        self._thinking = False
        client, roll = self.client, self.client.roll
        view = client.held.view
        if client.pending or client.out or client.simulation.over or not self._wanted(view):
            return
        if view["phase"] == "seating":
            self._get_ready(view)
        elif view["phase"] == "over":
            self._said = True
            client.command("phrase", {"code": "good_game"})
        elif not self._called and client.simulation.scenario.calls and roll.random() < 0.02:
            self._called = True
            client.command("dispute", {"kind": "clock", "text": "look at this"})
        elif not view.get("legal"):
            return
        elif client.simulation.resigns(client):
            client.command("resign", {})
        elif client.simulation.network.trouble and roll.random() < MISCHIEF:
            self._mischief(view)
        else:
            self._play(view)

    def _get_ready(self, view: dict[str, Any]) -> None:
        """Get ready, with a commitment or without one, or open the share."""
        client, roll = self.client, self.client.roll
        times = 1 + (roll.random() < MISCHIEF)
        if view["ready"][client.seat]:
            if roll.random() < self.withheld:
                self._withheld = view["game"]
                return
            client.command("share", {"value": self._share(view).hex()}, times=times)
        elif roll.random() < SHARING:
            client.command("ready", {"share": self._promise(view)}, times=times)
        else:
            client.command("ready", {})

    def _owes(self, view: dict[str, Any]) -> bool:
        """Return whether it is time to open the share that this client has committed to."""
        seat = self.client.seat
        asked = "share_by" in view and view["committed"][seat] == self._promise(view) and not view["shares"][seat]
        return asked and self._withheld != view["game"]

    def _share(self, view: dict[str, Any]) -> bytes:
        return hashlib.sha256(f"{self.client.name}|{view['game']}".encode()).digest()

    def _promise(self, view: dict[str, Any]) -> str:
        return shuffle.share_commitment(self._share(view), view["game"], self.client.seat or 0).hex()

    def _play(self, view: dict[str, Any], times: int = 1) -> None:
        client, roll = self.client, self.client.roll
        line = roll.choice(view["legal"])
        word, _, rest = line.partition(" ")
        if word == "give":
            client.command("exchange", {"card": rest}, times=times)
        elif word == "burn":
            client.command("burn", {"card": rest}, times=times)
        elif "touched" not in view and client.simulation.scenario.touch and roll.random() < 0.2 and word != "throw":
            client.command("touch", {"card": word}, times=times)
        else:
            client.command("play", {"play": line}, times=times)

    def _mischief(self, view: dict[str, Any]) -> None:
        """Send a command that must be refused, send one twice, or disconnect after sending one."""
        client, roll = self.client, self.client.roll
        kind = roll.choice(("stale", "illegal", "card", "reused", "double", "double", "silence", "leave"))
        if kind == "stale":
            epoch, _, seq = view["decision"].partition(".")
            client.command("play", {"play": roll.choice(view["legal"])}, turn=f"{epoch}.{max(0, int(seq) - 1)}")
        elif kind == "illegal":
            client.command("play", {"play": "AS t1-t2"})
        elif kind == "card":
            client.command("exchange", {"card": roll.choice(("2S", "KD", "7H", "JC"))})
        elif kind == "reused" and self.acked:
            client.command("play", {"play": "2S r"}, turn="0.1", id=roll.choice(self.acked))
        elif kind == "silence":
            client.command("phrase", {"code": "thanks"})
        elif kind == "leave":
            self._play(view)
            client.reconnect()
        else:
            self._play(view, times=2)
