"""Bots for Tractor as pure functions: a seat's view and its candidates in, a legal line out.

`novice` follows simple rules, `club` counts cards and estimates what a trick may bring.
"""

from games.bots.tractor.choice import LEVELS, choose

__all__ = ["LEVELS", "choose"]
