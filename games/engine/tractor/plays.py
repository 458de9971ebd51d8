"""Plays, and sets of cards as two masks: `one` for the cards held at least once, `two` for those held twice.

Bit k of a mask is the card with number k (games/engine/cards.py), so cards taken from the lowest bit are in the order
of their texts, and single cards in the order of the notation. `two` is always a subset of `one`.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeVar

from games.engine.cards import NUMBER, RANK, TEXTS

T = TypeVar("T")
Cards = tuple[int, int]
NONE: Cards = (0, 0)

# The points of each card, and the cards that have points, as masks.
POINTS = tuple({"5": 5, "10": 10, "K": 10}.get(rank, 0) for rank in RANK)
TOTAL = 200
_TENS = sum(1 << k for k, count in enumerate(POINTS) if count == 10)
_FIVES = sum(1 << k for k, count in enumerate(POINTS) if count == 5)
SCORING = _TENS | _FIVES

_CHUNK = 11
_LOW = (1 << _CHUNK) - 1


class Kind(IntEnum):
    """The kind of a line (rulebook T9). BURY and PLAY lay cards."""

    PLAY = 0
    BURY = 1
    SHOW = 2
    PASS = 3
    DRAW = 4
    DECK = 5


class Play(NamedTuple):
    """A play."""

    text: str  # its notation
    kind: Kind
    one: int = 0  # with `two`: the cards of a play, bury or show
    two: int = 0
    seat: int = -1  # who shows or passes, -1 for other kinds
    cards: tuple[int, ...] = ()  # the cards of a deck, in the order of drawing


def _tables(items: Sequence[T]) -> tuple[list[tuple[T, ...]], ...]:
    """Return, for each group of eleven bits of a mask, a table from the value of these bits to the items they stand
    for, lowest bit first.
    """
    tables = []
    for low in range(0, len(TEXTS), _CHUNK):
        table: list[tuple[T, ...]] = [()]
        for value in range(1, 1 << _CHUNK):
            bit = low + (value & -value).bit_length() - 1
            table.append((items[bit], *table[value & value - 1]) if bit < len(items) else ())
        tables.append(table)
    return tuple(tables)


_SINGLES = tuple(Play(f"play {text}", Kind.PLAY, 1 << k) for k, text in enumerate(TEXTS))
_PAIRS = tuple(Play(f"play {text} {text}", Kind.PLAY, 1 << k, 1 << k) for k, text in enumerate(TEXTS))
_N0, _N1, _N2, _N3, _N4 = _tables(range(len(TEXTS)))
_S0, _S1, _S2, _S3, _S4 = _tables(_SINGLES)
_P0, _P1, _P2, _P3, _P4 = _tables(_PAIRS)


def kinds(mask: int) -> tuple[int, ...]:
    """Return the numbers of the cards in a mask, ascending, each once."""
    return _N0[mask & _LOW] + _N1[mask >> 11 & _LOW] + _N2[mask >> 22 & _LOW] + _N3[mask >> 33 & _LOW] + _N4[mask >> 44]


def singles(mask: int) -> tuple[Play, ...]:
    """Return the plays that lay one card of the mask, in the order of their lines."""
    return _S0[mask & _LOW] + _S1[mask >> 11 & _LOW] + _S2[mask >> 22 & _LOW] + _S3[mask >> 33 & _LOW] + _S4[mask >> 44]


def pairs(mask: int) -> tuple[Play, ...]:
    """Return the plays that lay two equal cards of the mask, in the order of their lines."""
    return _P0[mask & _LOW] + _P1[mask >> 11 & _LOW] + _P2[mask >> 22 & _LOW] + _P3[mask >> 33 & _LOW] + _P4[mask >> 44]


def numbers(one: int, two: int) -> list[int]:
    """Return the numbers of the cards, ascending, each as often as it is in the set."""
    if not two:
        return list(kinds(one))
    return [k for k in kinds(one) for _ in range(1 + (two >> k & 1))]


def texts(one: int, two: int) -> list[str]:
    """Return the cards as texts in ASCII order, each as often as it is in the set."""
    return [TEXTS[k] for k in numbers(one, two)]


def masks(cards: Iterable[int]) -> Cards:
    """Return cards as masks; raises ValueError(text) for a third copy of a card."""
    one = two = 0
    for number in cards:
        bit = 1 << number
        if two & bit:
            raise ValueError(TEXTS[number])
        two |= one & bit
        one |= bit
    return one, two


def of(*cards: str) -> Cards:
    """Return cards given as texts as masks; raises KeyError or ValueError for an unknown card or a third copy."""
    return masks(NUMBER[text] for text in cards)


def points(one: int, two: int) -> int:
    """Return the points of the cards: kings and tens 10, fives 5 (rulebook T7); 200 in the deck."""
    if not one & SCORING:
        return 0
    tens = (one & _TENS).bit_count() + (two & _TENS).bit_count()
    return 10 * tens + 5 * ((one & _FIVES).bit_count() + (two & _FIVES).bit_count())


def size(one: int, two: int) -> int:
    """Return the number of cards."""
    return one.bit_count() + two.bit_count()


def within(one: int, two: int, hand_one: int, hand_two: int) -> bool:
    """Return whether the hand has the cards."""
    return not (one & ~hand_one or two & ~hand_two)


def without(one: int, two: int, hand_one: int, hand_two: int) -> Cards:
    """Return the hand without the cards, which must be in it."""
    return hand_one ^ (two | one & ~hand_two), hand_two & ~one


def together(one: int, two: int, other_one: int, other_two: int) -> Cards:
    """Return the union of two sets of cards; no card is there three times."""
    return one | other_one, two | other_two | one & other_one


def play(one: int, two: int) -> Play:
    """Return the play that lays these cards as a lead or a follow."""
    return Play("play " + " ".join(texts(one, two)), Kind.PLAY, one, two)


def bury(one: int, two: int) -> Play:
    """Return the play that lays these cards face down."""
    return Play("bury " + " ".join(texts(one, two)), Kind.BURY, one, two)


def show(seat: int, one: int, two: int) -> Play:
    """Return the play by which a seat shows these cards."""
    return Play(f"show {seat}: {' '.join(texts(one, two))}", Kind.SHOW, one, two, seat)


PASSES = tuple(Play(f"pass {seat}", Kind.PASS, seat=seat) for seat in range(4))
DRAW = Play("draw 4", Kind.DRAW)


def deck(cards: Sequence[int]) -> Play:
    """Return the play that gives a new deck."""
    return Play("deck " + " ".join(TEXTS[k] for k in cards), Kind.DECK, cards=tuple(cards))
