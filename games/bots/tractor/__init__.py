"""Bots for Tractor: pure choices. A seat's view and its candidates go in, a line that the rules accept comes out.

`novice` follows rules of thumb, `club` counts cards and weighs what a trick may bring.
"""

from games.bots.tractor.choice import LEVELS, choose

__all__ = ["LEVELS", "choose"]
