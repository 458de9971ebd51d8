"""What a hand must play to a lead (rulebook T5), and some ways to do it. Follows are validated and not enumerated:
twelve of twenty-five cards are 5.2 million sets.
"""

from collections.abc import Iterator
from functools import cache

from games.engine.tractor.order import TRUMP, Order
from games.engine.tractor.plays import POINTS, Cards, kinds, numbers, size, within
from games.engine.tractor.shapes import Shape, longest, run_of, windows

WRONG_COUNT = "WRONG_COUNT"
NOT_IN_HAND = "NOT_IN_HAND"
MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
MUST_PLAY_PAIRS = "MUST_PLAY_PAIRS"
MUST_PLAY_TRACTOR = "MUST_PLAY_TRACTOR"
OK = "OK"


def judge(held: Order, lead: Shape, hand: Cards, play: Cards, *, tractor_duty: bool = False) -> str:
    """Return OK, or the first duty of T5 that the play breaks: WRONG_COUNT, NOT_IN_HAND, MUST_FOLLOW_SUIT,
    MUST_PLAY_PAIRS; with the house rule `tractor_duty` also MUST_PLAY_TRACTOR.
    """
    one, two = play
    hand_one, hand_two = hand
    led = lead.size
    if size(one, two) != led:
        return WRONG_COUNT
    if not within(one, two, hand_one, hand_two):
        return NOT_IN_HAND
    mask = held.masks[lead.suit]
    pairs_held = hand_two & mask
    suit_held = (hand_one & mask).bit_count() + pairs_held.bit_count()
    pairs_laid = two & mask
    suit_laid = (one & mask).bit_count() + pairs_laid.bit_count()
    if suit_laid != min(led, suit_held):
        return MUST_FOLLOW_SUIT
    if suit_held >= led and pairs_laid.bit_count() < min(lead.pairs, pairs_held.bit_count()):
        return MUST_PLAY_PAIRS
    if tractor_duty and longest(held.ladder(pairs_laid)) < owed_run(held, lead, hand):
        return MUST_PLAY_TRACTOR
    return OK


def owed_pairs(held: Order, lead: Shape, hand: Cards) -> int:
    """Return how many pairs of the suit led the hand must play (T5.2); 0 for a hand that must play all its cards of the
    suit.
    """
    mask = held.masks[lead.suit]
    if size(hand[0] & mask, hand[1] & mask) < lead.size:
        return 0
    return min(lead.pairs, (hand[1] & mask).bit_count())


def owed_run(held: Order, lead: Shape, hand: Cards) -> int:
    """Return how many consecutive pairs the hand must play under `tractor_duty` (T8): as many as the longest tractor
    led, or as many as it has; 0 when it need not play any.
    """
    if not lead.runs or owed_pairs(held, lead, hand) < 2:
        return 0
    run = min(lead.runs[0], longest(held.ladder(hand[1] & held.masks[lead.suit])))
    return run if run > 1 else 0


# --- ways of giving it: what bots and defaults choose from -----------------------------------------------------------


# Sorting keys by card: cards with the lowest key are given away first.
Taste = list[int]


@cache
def tastes(held: Order) -> tuple[Taste, Taste, Taste]:
    """Return the orders in which cards are given away: cheapest first, most points first, highest first."""
    every = range(len(held.suits))
    trump = [1000 * (suit == TRUMP) for suit in held.suits]
    levels = held.levels
    return (
        [100 * (trump[k] + 20 * POINTS[k] + levels[k]) + k for k in every],
        [100 * (trump[k] - 200 * POINTS[k] + levels[k]) + k for k in every],
        [100 * (-trump[k] - levels[k]) + k for k in every],
    )


def options(held: Order, lead: Shape, hand: Cards, *, tractor_duty: bool = False) -> set[Cards]:
    """Return some follows to a lead of several cards, at least one: every pair where a pair is required, else what
    costs least, what gives most points, the highest cards, and each tractor as long as the longest one led, in the suit
    or in trumps.
    """
    mask = held.masks[lead.suit]
    suit = hand[0] & mask, hand[1] & mask
    if lead.size == 2 and suit[1] and lead.pairs:
        return {(1 << k, 1 << k) for k in kinds(suit[1])}
    found: set[Cards] = set()
    if size(*suit) < lead.size:
        rest = hand[0] & ~mask, hand[1] & ~mask
        for taste in tastes(held):
            found.add(_filled(taste, suit, rest, lead.size))
        if not suit[0] and lead.suit != TRUMP:
            trumps = hand[0] & held.trumps, hand[1] & held.trumps
            if size(*trumps) >= lead.size and trumps[1].bit_count() >= lead.pairs:
                found.update(_suited(held, lead, trumps, max(lead.runs, default=0)))
        return found
    run = owed_run(held, lead, hand) if tractor_duty else 0
    found.update(_suited(held, lead, suit, run))
    if len(lead.runs) == 1 and run < lead.runs[0]:
        found.update(_suited(held, lead, suit, lead.runs[0]))
    return found


def _suited(held: Order, lead: Shape, cards: Cards, run: int) -> Iterator[Cards]:
    """Yield sets of the lead's size from enough cards of one suit, with the required pairs; with a tractor of `run`
    pairs if that is more than one, and nothing if the cards have no such tractor.
    """
    one, two = cards
    bases = [0]
    if run > 1:
        bases = [run_of(held, two, low, run) for low in kinds(windows(held.ladder(two), run))]
    owed = min(lead.pairs, two.bit_count())
    for base in bases:
        for taste in tastes(held):
            left = sorted(kinds(two & ~base), key=taste.__getitem__)[: owed - base.bit_count()]
            pairs = base | sum(1 << k for k in left)
            yield _filled(taste, (pairs, pairs), (one & ~pairs, two & ~pairs), lead.size)


def _filled(taste: Taste, laid: Cards, rest: Cards, count: int) -> Cards:
    """Return the cards laid, filled up to the count with the remaining cards in the order of `taste`."""
    one, two = laid
    for k in sorted(numbers(*rest), key=taste.__getitem__)[: count - size(one, two)]:
        two |= one & 1 << k
        one |= 1 << k
    return one, two
