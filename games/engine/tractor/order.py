"""The order of cards under the round's trumps: the effective suit and the level of every card (rulebook T2)."""

from functools import cache
from typing import Any

from games.engine.cards import NUMBER
from games.engine.tractor.plays import kinds
from games.engine.tractor.rules import RANKS, SUITS

TRUMP = len(SUITS)
# The highest levels of the trumps; plain cards are below them, without a gap for the rank of the round.
OTHER_RANK, OWN_RANK, BLACK, RED = 12, 13, 14, 15
LEVELS = RED + 1
# The strength of cards in a trick is their level, for trumps with an addition; OUT cannot win.
TRUMPED = 100
OUT = -1


class Order:
    """The order of cards in one round; made by `order`.

    `rank`: its index in RANKS, None where no rank is trump; `suit`: its index in SUITS, None in a no-trump round.
    `suits[k]`, `levels[k]`: effective suit (TRUMP, or the index of the printed suit) and level of card k. `masks[e]`:
    the cards of effective suit e. `above[e][level]`: those of them with a higher level. `strengths[e][k]`: the strength
    of card k alone in a trick where e was led.
    """

    __slots__ = ("above", "levels", "masks", "plain", "rank", "strengths", "suit", "suits", "trumps")

    def __init__(self, rank: int | None, suit: int | None) -> None:
        # A cache of `shapes`, kept here to save a lookup at every lead.
        self.plain: Any = None
        self.rank = rank
        self.suit = suit
        self.suits = [TRUMP] * len(NUMBER)
        self.levels = [0] * len(NUMBER)
        self.levels[NUMBER["BJ"]] = BLACK
        self.levels[NUMBER["RJ"]] = RED
        for s, letter in enumerate(SUITS):
            for r, name in enumerate(RANKS):
                card = NUMBER[name + letter]
                if r == rank:
                    # Without a trump suit the four cards of the rank share a level, directly below the black joker.
                    self.levels[card] = OWN_RANK if suit is None or s == suit else OTHER_RANK
                    continue
                self.levels[card] = r if rank is None or r < rank else r - 1
                self.suits[card] = TRUMP if s == suit else s
        cards = [number for text, number in NUMBER.items() if text != "JK"]
        self.masks = tuple(sum(1 << k for k in cards if self.suits[k] == e) for e in range(TRUMP + 1))
        self.trumps = self.masks[TRUMP]
        self.above = tuple(
            tuple(
                sum(1 << k for k in cards if self.suits[k] == e and self.levels[k] > level) for level in range(LEVELS)
            )
            for e in range(TRUMP + 1)
        )

        self.strengths = tuple(
            [
                self.levels[k] + TRUMPED if suit == TRUMP else self.levels[k] if suit == e else OUT
                for k, suit in enumerate(self.suits)
            ]
            for e in range(TRUMP + 1)
        )

    def ladder(self, mask: int) -> int:
        """Return the levels of cards of one effective suit as bits: consecutive levels are neighbouring bits."""
        bits = 0
        for k in kinds(mask):
            bits |= 1 << self.levels[k]
        return bits

    def suit_of(self, one: int) -> int:
        """Return the effective suit of all these cards, or -1 when they have several. There is at least one card."""
        e = self.suits[one.bit_length() - 1]
        return -1 if one & ~self.masks[e] else e

    def top(self, mask: int) -> int:
        """Return the highest level among cards of one effective suit, -1 for no cards."""
        return max((self.levels[k] for k in kinds(mask)), default=-1)


def order(rank: int, suit: int | None, *, keeps_rank: bool = False) -> Order:
    """Return the order of a round: trump `rank` and `suit` as indices in RANKS and SUITS, suit None for no trump.

    `keeps_rank`: the house rule that the rank's cards stay trumps in a no-trump round (T8).
    """
    return _order(None if suit is None and not keeps_rank else rank, suit)


@cache
def _order(rank: int | None, suit: int | None) -> Order:
    return Order(rank, suit)


def compare(held: Order, a: int, b: int) -> str:
    """Return `>`, `<` or `=` for two cards as compared in a trick, or `incomparable` for two side suits."""
    if held.suits[a] != held.suits[b]:
        if TRUMP not in (held.suits[a], held.suits[b]):
            return "incomparable"
        return ">" if held.suits[a] == TRUMP else "<"
    one, other = held.levels[a], held.levels[b]
    return ">" if one > other else "<" if one < other else "="
