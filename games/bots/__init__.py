"""Bots as pure functions: a seat's view and its plays in, one of these plays out; randomness and time are arguments.

`random` is for tests, `novice` follows simple rules, `club` evaluates every play, `master` tries plays on possible
deals. docs/bots.md describes how they think and how strong they are. `games.bots.tractor` has those for Tractor.
"""

from games.bots.at_table import DEFAULT_LEVEL, level_in, levels
from games.bots.choice import LEVELS, assess, choose
from games.bots.default import default_play

__all__ = ["DEFAULT_LEVEL", "LEVELS", "assess", "choose", "default_play", "level_in", "levels"]
