"""Whether a referee is closer to one side of a match than to another."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet


def of_some_sides_only(clubs: AbstractSet[int], side_clubs: Collection[AbstractSet[int]]) -> bool:
    """Return whether `clubs` has a club in common with some sides but not with all of them.

    `clubs`: those of the referee. `side_clubs`: by side, the clubs of the team and the home clubs of its players.
    """
    near = sum(bool(clubs & side) for side in side_clubs)
    return 0 < near < len(side_clubs)
