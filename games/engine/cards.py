"""Cards as text and as numbers, and the contents of a deck.

A card is written as rank and suit (`10S`, `KH`); jokers are `JK` in Tock, `BJ` and `RJ` in Tractor (rulebook section
11). Inside the engine a card is the index of its text in the ASCII order of all texts, so sorted numbers give sorted
texts.
"""

from collections.abc import Sequence

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = "JK"
# The order in which the deal numbers the 52 plain cards: suit by suit, ace to king.
PLAIN = tuple(rank + suit for suit in SUITS for rank in RANKS)
TEXTS = tuple(sorted((*PLAIN, JOKER, "BJ", "RJ")))
NUMBER = {text: number for number, text in enumerate(TEXTS)}
RANK = tuple(text if text in (JOKER, "BJ", "RJ") else text[:-1] for text in TEXTS)


def pack(packs: int, jokers: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of a deck before any shuffle: per pack the 52 plain cards, then `jokers`.

    Shape: card texts in the order in which the deal numbers them. Source: docs/deal.md, step 6.
    """
    return (*PLAIN, *jokers) * packs
