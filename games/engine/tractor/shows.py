"""Choosing trumps: which shows are valid, their strength, and what the talon decides when nobody shows (rulebook T3)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.engine.cards import NUMBER
from games.engine.tractor.plays import Cards, kinds, masks
from games.engine.tractor.rules import RANKS, SUITS

# The strengths of a show; a pair of jokers is final.
NO_SHOW, SINGLE, PAIR, JOKERS = 0, 1, 2, 3
# The reasons for refusing a show.
NOT_A_SHOW = "NOT_A_SHOW"
SHOW_TOO_WEAK = "SHOW_TOO_WEAK"
OWN_SHOW = "OWN_SHOW"

_JOKERS = 1 << NUMBER["BJ"] | 1 << NUMBER["RJ"]
# For each rank, its cards in the order C D H S; and the index of a card among them.
_OF_RANK = tuple(tuple(NUMBER[rank + suit] for suit in SUITS) for rank in RANKS)
OF_RANK = tuple(sum(1 << k for k in cards) for cards in _OF_RANK)
_PLACE = {k: (r, s) for r, cards in enumerate(_OF_RANK) for s, k in enumerate(cards)}


class Show(NamedTuple):
    """An accepted show: the seat, and the one or two cards as masks."""

    seat: int
    one: int
    two: int


def worth(rank: int, one: int, two: int) -> int:
    """Return the strength of a show under a trump rank (an index in RANKS), NO_SHOW for cards that are no show."""
    if not one or one & one - 1:
        return NO_SHOW
    if one & _JOKERS:
        return JOKERS if two else NO_SHOW
    if not one & OF_RANK[rank]:
        return NO_SHOW
    return PAIR if two else SINGLE


def refusal(rank: int, standing: Show | None, seat: int, one: int, two: int) -> str:
    """Return why a show of these cards is not accepted over the standing one, or an empty text.

    The player of the standing show may only strengthen it from a single card to a pair of the same card.
    """
    strength = worth(rank, one, two)
    if not strength:
        return NOT_A_SHOW
    if standing is None:
        return ""
    if strength <= worth(rank, standing.one, standing.two):
        return SHOW_TOO_WEAK
    if standing.seat == seat and standing.one != one:
        return OWN_SHOW
    return ""


def suit_of(show: Show) -> int | None:
    """Return the trump suit that a show names, as an index in SUITS; None for no trump."""
    return None if show.one & _JOKERS else _PLACE[show.one.bit_length() - 1][1]


def possible(rank: int, standing: Show | None, seat: int, hand: Cards) -> list[Cards]:
    """Return every show that would be accepted from this hand, single cards before pairs of the same card."""
    one, two = hand
    shown = ((1 << k, two & bits) for k in kinds(one & (OF_RANK[rank] | _JOKERS)) for bits in (0, 1 << k))
    return [cards for cards in dict.fromkeys(shown) if not refusal(rank, standing, seat, *cards)]


def turned(rank: int, talon: Sequence[int]) -> tuple[int, int]:
    """Return the trump suit (an index in SUITS) that the talon names in a round where nobody showed, and how many of
    its cards were turned over: up to the first card of the rank, or all if there is none. Source: T3, point 4.
    """
    best, suit = -1, -1
    for count, k in enumerate(talon, 1):
        if k not in _PLACE:
            continue
        r, s = _PLACE[k]
        if r == rank:
            return s, count
        if r > best:
            best, suit = r, s
    return suit, len(talon)


def settle(rank: int, shows: Iterable[tuple[int, Sequence[int]]]) -> tuple[list[bool], Show | None]:
    """Return which of the shows, (seat, card numbers) in order, are accepted, and the one that stands at the end."""
    standing: Show | None = None
    accepted = []
    for seat, cards in shows:
        try:
            one, two = masks(cards)
        except ValueError:
            one, two = 0, 0
        # Only two equal cards are a show; `worth` checks that by the masks, and a third copy raises the exception.
        fine = not refusal(rank, standing, seat, one, two)
        accepted.append(fine)
        if fine:
            standing = Show(seat, one, two)
    return accepted, standing
