"""Players for tests of the bots: levels as a tournament seats them, and the tables of every rule set."""

from collections.abc import Mapping, Sequence
from typing import Any

from games import bots
from games.bots.tournament import Player, Roll
from games.engine import registry
from games.engine.tock.rules import TockRules

EVERY_TABLE = [
    (rules, seats, teams)
    for rules, entry in registry.entries().items()
    if isinstance(entry.rules, TockRules)
    for seats, divisions in entry.rules.teams.items()
    for teams in divisions
]


def player(level: str, **more: Any) -> Player:
    """Return a bot of a level; `more` goes to its choice."""

    def decide(seat: int, view: Mapping[str, Any], legal: Sequence[str], laid: Sequence[str], roll: Roll) -> str:
        return bots.choose(view, legal, level=level, roll=roll, seat=seat, seen=laid, **more)

    return decide
