"""The figure of a club: the mean score of its best eligible players. Clubs are not rated themselves."""

from collections.abc import Sequence

BEST = 8  # a club's figure is the mean of at most so many of its eligible players
LEAST = 4  # with fewer eligible players a club has no figure


def mean_milli(scores: Sequence[int]) -> float | None:
    """Return the mean of the first BEST of `scores` (in thousandths, highest first); None for fewer than LEAST."""
    best = scores[:BEST]
    return sum(best) / len(best) if len(best) >= LEAST else None
