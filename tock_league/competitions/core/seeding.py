"""The order of seeds: by rating, by lots or as the organiser says. Equal ratings are ordered by published lots."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .format import FormatError
from .lots import lot

Rating = int | float | Fraction


def by_lots(seed: str, names: Mapping[int, str]) -> tuple[int, ...]:
    """Return the entries by ascending lot of their public names. Raises FormatError("entry_twice") for equal names."""
    if len(set(names.values())) != len(names):
        raise FormatError("entry_twice", "a lot is drawn once for each name", "entries")
    return tuple(sorted(names, key=lambda entry: lot(seed, names[entry])))


def by_rating(ratings: Mapping[int, Rating | None], names: Mapping[int, str], seed: str) -> tuple[int, ...]:
    """Return the entries of `names` by conservative rating (mu - 3 sigma), best first; unrated last, equals by lot."""
    drawn = by_lots(seed, names)
    rated = [(ratings.get(entry), place, entry) for place, entry in enumerate(drawn)]
    best = sorted((-rating, place, entry) for rating, place, entry in rated if rating is not None)
    unrated = (entry for rating, _place, entry in rated if rating is None)
    return (*(entry for _rating, _place, entry in best), *unrated)


def by_hand(order: Sequence[int], entries: Sequence[int]) -> tuple[int, ...]:
    """Return the organiser's `order`. Raises FormatError("bad_order") unless it names each of `entries` once."""
    if len(order) != len(entries) or set(order) != set(entries):
        raise FormatError("bad_order", "the order names every entry once", "order")
    return tuple(order)
