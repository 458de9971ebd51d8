"""Who wins a trick, and which throws stand (rulebook T4 and T6)."""

from collections.abc import Iterable, Sequence

from games.engine.tractor.order import OUT, TRUMP, TRUMPED, Order
from games.engine.tractor.plays import Cards
from games.engine.tractor.shapes import Component, Shape, shape, windows


def lead_strength(lead: Shape) -> int:
    """Return the strength of a lead, which a follow must exceed. A throw is never compared within its suit."""
    return lead.parts[0].top + (TRUMPED if lead.suit == TRUMP else 0)


def strength(held: Order, lead: Shape, one: int, two: int) -> int:
    """Return the strength of a follow of the lead's size; OUT when it cannot win.

    A follow wins when its strength is higher than the best so far: ties stay with the earlier play. Source: T6.
    """
    count = lead.size
    if count == 1:
        return held.strengths[lead.suit][one.bit_length() - 1]
    if not one & ~held.trumps:
        base = TRUMPED
    elif not one & ~held.masks[lead.suit]:
        base = 0
    else:
        return OUT
    if two.bit_count() < lead.pairs:
        return OUT
    if count == 2 and lead.pairs:
        return base + held.levels[one.bit_length() - 1]
    if lead.is_throw and (not base or lead.suit == TRUMP):
        return OUT
    top = _deciding(held, lead, one, two)
    return OUT if top < 0 else base + top


def _deciding(held: Order, lead: Shape, one: int, two: int) -> int:
    """Return the level of the deciding card among cards of one suit with enough pairs: the top of the longest tractor,
    else the highest pair, else the highest single; -1 where the tractors of the lead do not fit.
    """
    if lead.runs:
        return _packed(held, lead.runs, two)
    return held.top(two if lead.couples else one)


def _packed(held: Order, runs: tuple[int, ...], two: int) -> int:
    """Return the highest possible top of the longest run when all runs are made of these pairs, -1 when they cannot be.

    A run may be cut out of a longer one; pairs of several suits on one level may belong to several runs.
    """
    many = [0] * (max(held.levels) + 1)
    rest = two
    while rest:
        bit = rest & -rest
        many[held.levels[bit.bit_length() - 1]] += 1
        rest ^= bit
    first, *others = runs
    for low in range(len(many) - first, -1, -1):
        if _take(many, low, first):
            if _fits(many, others):
                return low + first - 1
            _put_back(many, low, first)
    return -1


def _fits(many: list[int], runs: Sequence[int]) -> bool:
    """Return whether the runs, longest first, can be made of this many pairs per level."""
    if not runs:
        return True
    first, *others = runs
    for low in range(len(many) - first + 1):
        if _take(many, low, first):
            fine = _fits(many, others)
            _put_back(many, low, first)
            if fine:
                return True
    return False


def _take(many: list[int], low: int, length: int) -> bool:
    if not all(many[low : low + length]):
        return False
    for level in range(low, low + length):
        many[level] -= 1
    return True


def _put_back(many: list[int], low: int, length: int) -> None:
    for level in range(low, low + length):
        many[level] += 1


def winner(held: Order, plays: Sequence[Cards]) -> int:
    """Return the index of the winning play; the first is the lead, and if it is a throw, it stands.

    Raises ValueError when the lead mixes suits.
    """
    lead = shape(held, *plays[0])
    if lead is None:
        raise ValueError("the lead mixes suits")
    best, won = lead_strength(lead), 0
    for i, (one, two) in enumerate(plays[1:], 1):
        reached = strength(held, lead, one, two)
        if reached > best:
            best, won = reached, i
    return won


def beaten(held: Order, lead: Shape, others: Iterable[Cards]) -> Component | None:
    """Return the component that must be led instead of a throw, None when the throw stands.

    `others`: the other three hands. Of the beatable components it is the one with fewest cards, then the lowest level,
    then the first in the order C D H S. Source: T4.
    """
    if not lead.is_throw:
        return None
    hands = [(one & mask, two & mask) for mask in (held.masks[lead.suit],) for one, two in others]
    weak = [part for part in lead.parts if any(_beats(held, lead.suit, part, *hand) for hand in hands)]
    return min(weak, key=lambda part: (part.size, part.top, part.one), default=None)


def _beats(held: Order, suit: int, part: Component, one: int, two: int) -> bool:
    """Return whether one hand's cards of the suit beat a component: with a higher single, a higher pair, or a tractor
    of the same length with a higher top.
    """
    above = held.above[suit][part.top]
    if part.pairs < 2:
        return bool((two if part.pairs else one) & above)
    # A tractor with a higher top ends in a pair above this one's.
    return bool(two & above) and bool(windows(held.ladder(two), part.pairs) >> part.top - part.pairs + 2)
