"""The shape of a set of cards: its tractors, pairs and singles (rulebook T4)."""

from typing import NamedTuple

from games.engine.tractor.order import Order
from games.engine.tractor.plays import kinds


class Component(NamedTuple):
    """A single, a pair or a tractor."""

    pairs: int  # 0 for a single, 1 for a pair, more for a tractor of consecutive pairs
    top: int  # its highest level
    one: int  # with `two`: its cards
    two: int

    @property
    def size(self) -> int:
        """Return its number of cards."""
        return 2 * self.pairs or 1


class Shape(NamedTuple):
    """The shape of a lead."""

    suit: int  # effective suit
    size: int  # number of cards
    pairs: int  # number of pairs, those of tractors included
    runs: tuple[int, ...]  # pairs of each tractor, in the order of `parts`
    couples: int  # pairs outside tractors
    # tractors, longest first, then pairs, then singles; higher ones first, equal ones in the order C D H S
    parts: tuple[Component, ...]

    @property
    def is_throw(self) -> bool:
        """Return whether there are several components."""
        return len(self.parts) > 1


def shape(held: Order, one: int, two: int) -> Shape | None:
    """Return the shape of at least one card, or None when the cards have several effective suits."""
    if one & one - 1:
        suit = held.suit_of(one)
        return None if suit < 0 else _shape(held, suit, one, two)
    singles, pairs = held.plain or _plain(held)
    k = one.bit_length() - 1
    return pairs[k] if two else singles[k]


def _shape(held: Order, suit: int, one: int, two: int) -> Shape:
    parts = components(held, one, two)
    runs = tuple(part.pairs for part in parts if part.pairs > 1)
    couples = sum(part.pairs == 1 for part in parts)
    return Shape(suit, one.bit_count() + two.bit_count(), two.bit_count(), runs, couples, parts)


def _plain(held: Order) -> tuple[list[Shape], list[Shape]]:
    """Compute the shapes of every single card and of every pair, nearly all leads, and cache them in the order."""
    singles, pairs = [], []
    for k, (suit, level) in enumerate(zip(held.suits, held.levels, strict=True)):
        singles.append(Shape(suit, 1, 0, (), 0, (Component(0, level, 1 << k, 0),)))
        pairs.append(Shape(suit, 2, 1, (), 1, (Component(1, level, 1 << k, 1 << k),)))
    held.plain = singles, pairs
    return singles, pairs


def of_component(suit: int, part: Component) -> Shape:
    """Return the shape of one component led alone."""
    runs = (part.pairs,) if part.pairs > 1 else ()
    return Shape(suit, part.size, part.pairs, runs, int(part.pairs == 1), (part,))


def components(held: Order, one: int, two: int) -> tuple[Component, ...]:
    """Return the components of cards of one effective suit, in the order of `Shape.parts`.

    Pairs form maximal runs of consecutive levels. Where several suits share a level that a run needs, the first in the
    order C D H S joins it; the others stay pairs, since their neighbours are in the run. Card numbers follow the same
    order.
    """
    levels = held.levels
    at: dict[int, list[int]] = {}
    for k in kinds(two):
        at.setdefault(levels[k], []).append(k)
    tractors: list[Component] = []
    couples: list[int] = []
    run: list[int] = []
    for level in sorted(at, reverse=True):
        if run and level != levels[run[-1]] - 1:
            _close(levels, run, tractors, couples)
            run = []
        first, *others = at[level]
        run.append(first)
        couples += others
    if run:
        _close(levels, run, tractors, couples)
    tractors.sort(key=lambda part: (-part.pairs, -part.top))
    couples.sort(key=lambda k: (-levels[k], k))
    singles = sorted(kinds(one & ~two), key=lambda k: (-levels[k], k))
    return (
        *tractors,
        *(Component(1, levels[k], 1 << k, 1 << k) for k in couples),
        *(Component(0, levels[k], 1 << k, 0) for k in singles),
    )


def _close(levels: list[int], run: list[int], tractors: list[Component], couples: list[int]) -> None:
    """Append a run of pairs, highest first, as a tractor, or as a pair if it is one."""
    if len(run) == 1:
        couples += run
    else:
        mask = sum(1 << k for k in run)
        tractors.append(Component(len(run), levels[run[0]], mask, mask))


def cards_of(held: Order, part: Component) -> list[int]:
    """Return the cards of a component, highest first."""
    order = sorted(kinds(part.one), key=lambda k: (-held.levels[k], k))
    return [k for k in order for _ in range(1 + (part.two >> k & 1))]


def windows(ladder: int, pairs: int) -> int:
    """Return, as bits, the lowest level of every run of that many consecutive levels."""
    for _ in range(pairs - 1):
        ladder &= ladder >> 1
    return ladder


def longest(ladder: int) -> int:
    """Return the length of the longest run of consecutive levels, 0 for none."""
    length = 0
    while ladder:
        ladder &= ladder >> 1
        length += 1
    return length


def run_of(held: Order, two: int, low: int, pairs: int) -> int:
    """Return the mask of a tractor of these pairs: that many levels up from `low`, all of which the hand has; where
    several pairs share a level, the first in the order C D H S.
    """
    mask = 0
    left = set(range(low, low + pairs))
    for k in kinds(two):
        if held.levels[k] in left:
            left.discard(held.levels[k])
            mask |= 1 << k
    return mask
