"""Counts of what happened in a game, to prove that the simulation does produce faults."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client import Entry
    from .game import Simulation

# Everything that must happen at least once in the games of the test suite.
WANTED = (
    "plays",
    "touches",
    "shares opened",
    "shares withheld",
    "time-outs",
    "credits",
    "calls for the referee",
    "games over",
    "seats lost",
    "acknowledged",
    "acknowledged again",
    "refused for good",
    "refused for now",
    "whole views",
    "events",
    "views taken up again",
    "commands by HTTP",
    "connections broken",
    "processes killed",
    "killed around a commit",
    "errors of the database",
    "groups that share a commit",
)
_ROWS = {
    "play": "plays",
    "touch": "touches",
    "share": "shares opened",
    "timeout": "time-outs",
    "credit": "credits",
    "dispute": "calls for the referee",
}


def count(simulation: "Simulation") -> Counter[str]:
    """Return how often each item of WANTED happened in the game."""
    found: Counter[str] = Counter({"processes killed": simulation.kills, "seats lost": len(simulation.lost)})
    for game in simulation.games:
        found.update(_ROWS[row.code] for row in game.rows if row.code in _ROWS)
        found["shares withheld"] += len(game.last.shares.missing) * game.last.shares.closed
        found["games over"] += game.last.result is not None
    for client in simulation.clients:
        for entry in client.history:
            found.update(_of(entry))
    for line in simulation.notes:
        words = line.split(" ", 2)
        if words[1].startswith("p") and words[2].startswith("dies"):
            found["killed around a commit"] += words[2].endswith("COMMIT")
        found["errors of the database"] += words[-1].startswith("meets an error")
        found["groups that share a commit"] += line.endswith(" commands in a group")
        found["connections broken"] += words[1] == "link"
    return found


def _of(entry: "Entry") -> Iterator[str]:
    frame = entry.frame
    kind = frame.get("t")
    if entry.what == "posted":
        yield "commands by HTTP"
    elif kind == "ack":
        yield "acknowledged again" if frame.get("dup") else "acknowledged"
    elif kind == "nak":
        yield "refused for now" if frame["retry"] else "refused for good"
    elif kind == "join" and frame.get("hash"):
        yield "views taken up again"
    elif entry.what == "got" and kind in ("snap", "ev"):
        yield "whole views" if kind == "snap" else "events"
