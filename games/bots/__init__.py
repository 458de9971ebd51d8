"""Bots: pure choices. A seat's view and its plays go in, one of these plays comes out; chance is an argument."""

from games.bots.choice import LEVELS, choose
from games.bots.default import default_play

__all__ = ["LEVELS", "choose", "default_play"]
