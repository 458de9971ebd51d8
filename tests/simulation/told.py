"""Every frame against the fold of the rows: views, events, hashes, clocks, and how much spectators may have by now."""

from typing import TYPE_CHECKING, Any

from games.fold import SPECTATOR, Viewer, clocks_json, release

from .record import Stored
from .seams import BEGIN

if TYPE_CHECKING:
    from .client import Client, Entry
    from .game import Simulation

CLOSED_S = 3.5  # after a seat or session has gone, what it showed is closed; and what is on its way arrives
TROUBLED_S = 9.0  # the same where messages are late and looks fail
LATE_S = 6.0  # how far a spectator may be behind what is released


def judge(simulation: "Simulation", games: list[Stored]) -> None:
    """Check each client's frames in the order in which they came."""
    by_slug = {game.slug: game for game in games}
    for client in simulation.clients:
        _Reader(simulation, client, by_slug).read()
        if client.seat is None:
            _is_shown_enough(simulation, client, [game for game in games if game.table_id == client.table_id][-1])


class _Reader:
    """Walks through one client's frames; `game` is the one that the last snap began."""

    def __init__(self, simulation: "Simulation", client: "Client", games: dict[str, Stored]) -> None:
        self.simulation, self.client, self.games = simulation, client, games
        self.game: Stored | None = None
        self.viewer = SPECTATOR if client.seat is None else Viewer(client.seat)

    def wrong(self, entry: "Entry", line: str) -> None:
        self.simulation.wrong(f"{self.client.name} at {entry.at:.3f}: {line}")

    def read(self) -> None:
        for entry in self.client.history:
            kind = entry.frame.get("t")
            if entry.what != "got" or kind not in ("snap", "ev", "hb"):
                continue
            if self._lost(entry):
                return
            if kind == "snap":
                self.game = self.games.get(entry.frame["view"]["game"])
            last = entry.frame["list"][-1]["seq"] if kind == "ev" else entry.frame["seq"]
            if self.game is None or not 1 <= last < len(self.game.states):
                self.wrong(entry, f"{kind} at {last} of a game without such a row")
                return
            self._check(entry, self.game, kind, last)

    def _lost(self, entry: "Entry") -> bool:
        """Return whether this frame came after the seat was lost: from then on only spectators' frames may come.

        The seat goes with a commit, which lies between the instants `losing` and `lost`: a poll that is answered between
        them may be a spectator's already.
        """
        private = "hand" in str(entry.frame) or entry.frame.get("you", {}).get("seat") is not None
        losing, lost = self.simulation.losing.get(self.client), self.simulation.lost.get(self.client)
        if losing is not None and entry.at > losing and not private:
            return True
        if lost is None or entry.at <= lost:
            return False
        scenario = self.simulation.scenario
        grace = TROUBLED_S if scenario.trouble or scenario.kills else CLOSED_S
        if entry.at > lost + grace and private:
            self.wrong(entry, f"a seat's {entry.frame['t']} {entry.at - lost:.1f} s after it was lost")
        return True

    def _check(self, entry: "Entry", game: Stored, kind: str, last: int) -> None:
        frame, state, seen = entry.frame, game.states[last], game.seen(self.viewer)
        if kind == "ev":
            for event in frame["list"]:
                if event != seen.event(event["seq"]):
                    self.wrong(entry, f"event {event['seq']} is {event}, the rows say {seen.event(event['seq'])}")
        if kind == "snap" and frame["view"] != seen.view(last):
            self.wrong(entry, f"view at {last} is {frame['view']}, the rows say {seen.view(last)}")
        if frame["hash"] != seen.hash(last):
            self.wrong(entry, f"{kind}: hash at {last} is {frame['hash']}, the rows say {seen.hash(last)}")
        if frame["clocks"] != clocks_json(state):
            self.wrong(entry, f"{kind}: clocks at {last} are {frame['clocks']}, the rows say {clocks_json(state)}")
        if frame.get("epoch", state.epoch) != state.epoch:
            self.wrong(entry, f"{kind}: epoch {frame['epoch']} at {last}")
        if kind == "snap" and frame["you"].get("seat") != self.viewer.seat:
            self.wrong(entry, f"is told to be {frame['you']}")
        if self.viewer.seat is None and last > _shown(game, entry.at):
            self.wrong(entry, f"{kind}: {last} is shown to a spectator, {_shown(game, entry.at)} is released")


def _shown(game: Stored, at: float) -> int:
    """Return the highest seq that spectators may have at virtual time `at`."""
    now = round((BEGIN + at) * 1000)
    rows = [row for row in game.rows if row.at <= now]
    return release.paced(rows, game.states[len(rows)], game.release, now)


def _is_shown_enough(simulation: "Simulation", client: "Client", game: Stored) -> None:
    """Note a spectator who has not been shown what was released some seconds ago."""
    shown: Any = _shown(game, simulation.loop.time() - LATE_S)
    if client.held.seq < shown and client.held.game == game.slug:
        simulation.wrong(f"{client.name} has seen {client.held.seq} rows at the end, {shown} are released")
