"""Bots: pure choices. A seat's view and its plays go in, one of these plays comes out; chance and time are arguments.

`random` is for tests, `novice` follows rules of thumb, `club` weighs every play, `master` tries plays on deals that could be.
docs/bots.md tells how they think and how strong they are. `games.bots.tractor` holds those for Tractor.
"""

from games.bots import tractor
from games.bots.choice import DEFAULT_LEVEL, LEVELS, assess, choose
from games.bots.default import default_play

__all__ = ["DEFAULT_LEVEL", "LEVELS", "LEVELS_OF", "assess", "choose", "default_play", "level_in"]

# The levels that play a family's games.
LEVELS_OF = {"tock": LEVELS, "tractor": tractor.LEVELS}


def level_in(family: str, level: str) -> str:
    """Return the level at which a bot of `level` plays a family's games: its own, or the usual one where that is not known."""
    return level if level in LEVELS_OF[family] else DEFAULT_LEVEL
