"""Plays: a line of notation together with what it does, computed once.

Plays compare by their line first, so a sorted list of plays is in the order of the notation.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from games.engine.tock.board import Path


class Kind(IntEnum):
    """The kind of a line (rulebook section 11)."""

    MOVE = 0
    OUT = 1
    SPLIT = 2
    SWAP = 3
    SKIP = 4
    BURN = 5
    BLIND = 6
    GIVE = 7
    DECK = 8
    THROW = 9
    CENTRE = 10


class After(IntEnum):
    """What follows a play before the next turn: nothing, a burn of the next seat, a replay of the same seat."""

    NOTHING = 0
    NEXT_BURNS = 1
    REPLAY = 2


class Leg(NamedTuple):
    """The path of one marble; `owner`: the seat that owns it."""

    owner: int
    path: Path


class Play(NamedTuple):
    """A play. `what` depends on `kind`:

    MOVE and SPLIT: a tuple of Leg, in order; CENTRE: one Leg, into the centre or out of it; OUT: the seat whose marble
    comes out; SWAP: the two places, own first; DECK: the card numbers in order of dealing; others: None.
    """

    text: str  # its notation
    card: int  # its number, -1 for a deck and for a hand thrown in
    kind: Kind
    what: Any
    after: After = After.NOTHING
