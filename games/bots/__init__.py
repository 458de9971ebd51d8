"""Bots: pure choices. A seat's view and its plays go in, one of these plays comes out; chance and time are arguments.

`random` is for tests, `novice` follows rules of thumb, `club` weighs every play, `master` tries plays on deals that could be.
docs/bots.md tells how they think and how strong they are. `games.bots.tractor` holds those for Tractor.
"""

from games.bots.at_table import DEFAULT_LEVEL, level_in, levels
from games.bots.choice import LEVELS, assess, choose
from games.bots.default import default_play

__all__ = ["DEFAULT_LEVEL", "LEVELS", "assess", "choose", "default_play", "level_in", "levels"]
