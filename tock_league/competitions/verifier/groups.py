"""Checks groups, their rounds and the way from them into a bracket. Definitions: docs/formats/groups.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from .facts import Fault

Place = tuple[int, int]  # group and rank, both from 1


def check_groups(entries: Sequence[int], groups: Sequence[Sequence[int]]) -> tuple[Fault, ...]:
    """Return what is wrong with the groups of `entries` (in seed order); codes "partition", "sizes", "pots"."""
    return tuple(_groups(entries, groups))


def _groups(entries: Sequence[int], groups: Sequence[Sequence[int]]) -> Iterator[Fault]:
    if sorted(entry for group in groups for entry in group) != sorted(entries):
        yield Fault("partition", "not everybody is in exactly one group")
        return
    sizes = [len(group) for group in groups]
    if min(sizes) < 2 or max(sizes) - min(sizes) > 1:
        yield Fault("sizes", f"groups of {sizes}")
    home = {entry: number for number, group in enumerate(groups) for entry in group}
    for start in range(0, len(entries), len(groups)):
        pot = [home[entry] for entry in entries[start : start + len(groups)]]
        if len(set(pot)) != len(pot):
            yield Fault("pots", f"two of the seeds {start + 1} to {start + len(pot)} share a group")


def check_rounds(group: Sequence[int], rounds: Sequence[Sequence[tuple[int, int]]]) -> tuple[Fault, ...]:
    """Return what is wrong with a single round robin; codes "pairs", "twice_in_round", "rounds"."""
    return tuple(_rounds(group, rounds))


def _rounds(group: Sequence[int], rounds: Sequence[Sequence[tuple[int, int]]]) -> Iterator[Fault]:
    met = Counter(frozenset(pair) for made in rounds for pair in made)
    if met != Counter(frozenset(pair) for pair in combinations(group, 2)):
        yield Fault("pairs", "not everybody meets everybody once")
    if any(len({entry for pair in made for entry in pair}) != 2 * len(made) for made in rounds):
        yield Fault("twice_in_round", "somebody plays twice in one round")
    if len(rounds) != len(group) - 1 + len(group) % 2:
        yield Fault("rounds", f"{len(rounds)} rounds for {len(group)}")


def check_crossing(places: Sequence[Place], groups: int, qualify: int) -> tuple[Fault, ...]:
    """Return what is wrong with the places (group, rank) of a bracket's seeds 1, 2, ...

    Codes: "places" (somebody missing or twice), "winners" (a group winner below a lesser rank), "too_early" (two of one
    group meet before the round in which so many of them must).
    """
    return tuple(_crossing(places, groups, qualify))


def _crossing(places: Sequence[Place], groups: int, qualify: int) -> Iterator[Fault]:
    if sorted(places) != sorted((group, rank) for group in range(1, groups + 1) for rank in range(1, qualify + 1)):
        yield Fault("places", "a qualifying place is missing or stands twice")
        return
    if [rank for _group, rank in places] != sorted(rank for _group, rank in places):
        yield Fault("winners", "a better rank stands below a lesser one")
    rounds = 0
    while 2**rounds < len(places):
        rounds += 1
    # `qualify` of one group fill as many parts of the draw as there can be without sharing one.
    apart = 0
    while 2**apart < qualify:
        apart += 1
    first = rounds - apart + 1
    line = _line(rounds)
    for (one, (group, _r)), (other, (same, _s)) in combinations(enumerate(places, start=1), 2):
        if group == same and _meeting(line.index(one), line.index(other)) < first:
            yield Fault("too_early", f"seeds {one} and {other} come from group {group}")


def _line(rounds: int) -> list[int]:
    """Return the seeds from top to bottom of a full draw of 2^rounds."""
    line = [1]
    for _ in range(rounds):
        line = [seed for upper in line for seed in (upper, 2 * len(line) + 1 - upper)]
    return line


def _meeting(one: int, other: int) -> int:
    """Return the round in which two heights of the line meet."""
    rounds = 0
    while one != other:
        one, other, rounds = one // 2, other // 2, rounds + 1
    return rounds


Played = tuple[int, int, int, bool]  # opponent, points, margin, whether it was won


def check_best(
    tables: Sequence[Sequence[tuple[int, Sequence[Played]]]], rank: int, chosen: Sequence[int]
) -> tuple[Fault, ...]:
    """Return what is wrong with `chosen`, the entries that advance as the best of those with `rank`, in any order.

    `tables`: for each group its entries, best first, each with its matches. Codes "rank" (somebody has another rank), "best"
    (somebody who was left out is better).
    """
    return tuple(_best(tables, rank, chosen))


def _best(
    tables: Sequence[Sequence[tuple[int, Sequence[Played]]]], rank: int, chosen: Sequence[int]
) -> Iterator[Fault]:
    smallest = min(len(table) for table in tables)
    values: dict[int, tuple[Fraction, Fraction, Fraction]] = {}
    for table in tables:
        if len(table) < rank:
            continue
        entry, matches = table[rank - 1]
        others = [other for other, _matches in table if other != entry]
        counted = {other for other in others[: smallest - 1]}
        left = [match for match in matches if match[0] in counted]
        share = Fraction(1, len(left) or 1)
        sums = (sum(m[1] for m in left), sum(m[2] for m in left), sum(m[3] for m in left))
        values[entry] = (sums[0] * share, sums[1] * share, sums[2] * share)
    if not set(chosen) <= values.keys():
        yield Fault("rank", f"somebody has another rank than {rank}")
        return
    worst = min((values[entry] for entry in chosen), default=None)
    if worst is not None and any(value > worst for entry, value in values.items() if entry not in chosen):
        yield Fault("best", "somebody who was left out is better")
