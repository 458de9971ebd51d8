"""Head to head: the matches of the tied entries among themselves."""

from collections.abc import Mapping
from fractions import Fraction

from .record import Record

Parts = tuple[tuple[int, ...], ...]


def by_value(values: Mapping[int, Fraction | int], tied: tuple[int, ...]) -> Parts:
    """Return `tied` cut into levels of equal value, the greatest first."""
    levels = sorted(set(values.values()), reverse=True)
    return tuple(tuple(entry for entry in tied if values[entry] == level) for level in levels)


def head_to_head(tied: tuple[int, ...], record: Record) -> Parts:
    """Return `tied` cut by the k-way rule: by points if all met equally often, else only by leads that are final.

    m(x, y) is the number of meetings, p(x) the points against `tied` in half points. If all m are equal and above 0,
    the order is by p, and the rule is applied again inside each smaller part. Otherwise x is first only if p(x) > p(y)
    + missing(y) for every y, and the rule is applied to the rest.
    """
    if len(tied) < 2:
        return (tied,)
    met: dict[tuple[int, int], int] = {}
    took = dict.fromkeys(tied, 0)
    for entry in tied:
        for meeting in record.meetings[entry]:
            if meeting.opponent in took:
                took[entry] += meeting.half
                pair = (min(entry, meeting.opponent), max(entry, meeting.opponent))
                met[pair] = met.get(pair, 0) + 1
    counts = {
        (x, y): met.get((min(x, y), max(x, y)), 0) // 2  # each meeting is counted from both sides
        for x in tied
        for y in tied
        if x != y
    }
    most = max(counts.values())
    if most == 0:
        return (tied,)
    if min(counts.values()) == most:
        parts = by_value(took, tied)
        if len(parts) == 1:
            return parts
        return tuple(piece for part in parts for piece in head_to_head(part, record))
    for x in tied:
        others = [y for y in tied if y != x]
        # A missing meeting could still bring its winner one point, two half points.
        missing = {y: sum(2 * (most - counts[(y, z)]) for z in tied if z != y) for y in others}
        if all(took[x] > took[y] + missing[y] for y in others):
            return ((x,), *head_to_head(tuple(others), record))
    return (tied,)
