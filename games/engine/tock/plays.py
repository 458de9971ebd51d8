"""A play: one line of notation together with what it does, worked out once and kept.

Plays compare by their line first, so a sorted list of plays is in the order of the notation.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from games.engine.tock.board import Path


class Kind(IntEnum):
    """What sort of line it is (rulebook section 11)."""

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
    """What follows a play besides the next turn: nothing, a burn of the next seat, a replay of the same seat."""

    NOTHING = 0
    NEXT_BURNS = 1
    REPLAY = 2


class Leg(NamedTuple):
    """One marble's path: `owner` is the seat whose marble it is."""

    owner: int
    path: Path


class Play(NamedTuple):
    """`card`: its number, -1 for a deck and for a hand thrown in. `what`, by kind:

    MOVE and SPLIT: a tuple of Leg, in order; CENTRE: one Leg, into the centre or out of it; OUT: the seat whose marble
    comes out; SWAP: the two places, own first; DECK: the card numbers in order of dealing; the others: None.
    """

    text: str
    card: int
    kind: Kind
    what: Any
    after: After = After.NOTHING
