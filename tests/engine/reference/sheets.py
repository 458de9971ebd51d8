"""Sections 1, 2, 3 and 10 as dictionaries."""

from collections import Counter
from typing import Any

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

# Section 10: the numbers of teams for each number of seats; in individual play as many teams as seats.
TABLES = {
    "shawinigan/1": {4: (2,)},
    "tock-air/1": {4: (2,)},
    "toc/1": {4: (2, 4)},
    "tock/1": {4: (2, 4), 6: (2, 3, 6), 8: (2, 4, 8)},
}
HANDS = (5, 4, 4)
# Section 2, the last two rows of its table.
DEALER_MOVES = {"shawinigan/1": "deck", "tock-air/1": "deck", "toc/1": "deal", "tock/1": "deal"}
EXCHANGE = {"shawinigan/1": "game", "tock-air/1": "deal", "toc/1": "deal", "tock/1": "deal"}
# Section 5 only concerns shawinigan; one rule of section 7 only concerns tock-air.
SPECIAL_SPACES = {"shawinigan/1"}
REPLAYS_JOKERS = {"shawinigan/1"}
THROWS_IN = {"tock-air/1"}

_EVERYWHERE: dict[str, list[tuple[Any, ...]]] = {
    **{str(n): [("forward", n)] for n in (2, 3, 5, 6, 8, 9, 10)},
    "4": [("back", 4)],
    "Q": [("forward", 12)],
    "K": [("out",), ("forward", 13)],
}
_OTHERS = _EVERYWHERE | {"7": [("seven", 4, "eating")]}
_A_1 = {"A": [("out",), ("forward", 1)]}
_A_1_11 = {"A": [("out",), ("forward", 1), ("forward", 11)]}
_TEN_HITS = {"10": [("forward", 10, "then the next burns")]}
# Section 3, column by column; tock depends on the number of seats.
CARDS: dict[str, dict[str, list[tuple[Any, ...]]]] = {
    "shawinigan/1": _EVERYWHERE
    | _A_1
    | {
        "5": [("anybody forward", 5)],
        "7": [("seven", 2)],
        "10": [("forward", 10), ("skip",)],
        "J": [("swap", "others")],
        "K": [("out",), ("forward", 13, "eating")],
        "JK": [("out",), ("forward", 18)],
    },
    "tock-air/1": _OTHERS | _A_1_11 | {"J": [("swap", "others")]},
    "toc/1": _OTHERS | _A_1_11 | _TEN_HITS | {"J": [("swap", "any")]},
    "tock/1 4": _OTHERS | _A_1 | _TEN_HITS | {"J": [("swap", "any")]},
}
_MORE_SEATS = {"5": [("forward", 5, "over fresh")], "JK": [("out",), ("forward", 18)]}
CARDS["tock/1 6"] = CARDS["tock/1 4"] | _MORE_SEATS
CARDS["tock/1 8"] = CARDS["tock/1 6"] | {"K": [("out",), ("forward", 13), ("centre",)]}


def powers(rules: str, seats: int, rank: str) -> list[tuple[Any, ...]]:
    """Return what a card of this rank may do at this table."""
    cards = CARDS.get(rules) or CARDS[f"{rules} {seats}"]
    return cards.get(rank, [])


def deck(rules: str, seats: int) -> Counter[str]:
    """Return the number of copies of each card in the deck."""
    packs = 2 if seats > 4 else 1
    jokers = 2 * packs if rules == "shawinigan/1" or seats > 4 else 0
    one = {f"{rank}{suit}": packs for rank in RANKS for suit in SUITS}
    return Counter(one | ({"JK": jokers} if jokers else {}))


def rank_of(card: str) -> str:
    return card if card == "JK" else card[:-1]
