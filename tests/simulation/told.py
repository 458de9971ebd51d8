"""Compare every frame with the fold of the rows: views, events, hashes, clocks, and the delay of spectators."""

from typing import TYPE_CHECKING, Any

from games.fold import SPECTATOR, Viewer, clocks_json, release

from .record import Stored
from .seams import BEGIN

if TYPE_CHECKING:
    from .client import Client, Entry
    from .game import Simulation

CLOSED_S = 3.5  # seconds after the loss of a seat or session within which private frames may still arrive
TROUBLED_S = 9.0  # the same in a scenario with faults
LATE_S = 6.0  # seconds by which a spectator may be behind the released rows


def judge(simulation: "Simulation", games: list[Stored]) -> None:
    """Check each client's frames in the order of arrival."""
    by_slug = {game.slug: game for game in games}
    for client in simulation.clients:
        _Reader(simulation, client, by_slug).read()
        if client.seat is None:
            _is_shown_enough(simulation, client, [game for game in games if game.table_id == client.table_id][-1])


class _Reader:
    """Checks one client's frames; `game` is that of the last snap."""

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
        """Return whether this frame came after the loss of the seat; report a private frame that comes too late.

        The commit that takes the seat is between the instants `losing` and `lost`, so a frame between them may already
        be a spectator's.
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
    """Return the highest seq that spectators may see at virtual time `at`."""
    now = round((BEGIN + at) * 1000)
    rows = [row for row in game.rows if row.at <= now]
    return release.paced(rows, game.states[len(rows)], game.release, now)


def _is_shown_enough(simulation: "Simulation", client: "Client", game: Stored) -> None:
    """Report a spectator who has not received rows that were released LATE_S seconds ago."""
    shown: Any = _shown(game, simulation.loop.time() - LATE_S)
    if client.held.seq < shown and client.held.game == game.slug:
        simulation.wrong(f"{client.name} has seen {client.held.seq} rows at the end, {shown} are released")
