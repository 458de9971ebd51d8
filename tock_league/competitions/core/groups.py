"""Groups before a knockout: distribution of the entries, qualification, and seeding of the bracket.

Page: docs/formats/groups.md.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from .bracket import seed_order, single_elimination
from .format import FormatError
from .lots import lot
from .standings import StandingRow

WAYS = ("play_off", "lots", "hand")


@dataclass(frozen=True)
class Qualified:
    """The qualified entries of one group, best first."""

    entries: tuple[int, ...]


@dataclass(frozen=True)
class Tie:
    """Equal entries of a group whose order must be decided before the qualified entries are known."""

    entries: tuple[int, ...]
    first_rank: int  # the first of the ranks that they share
    last_rank: int  # the last one
    across: bool  # whether only some of them qualify; else all do, and only their order is open
    ways: tuple[str, ...] = WAYS  # codes of the ways to settle it


def distribute(
    entries: Sequence[int], count: int, how: str = "snake", *, seed: str = "", names: Mapping[int, str] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return `count` groups of `entries` (in seed order), sizes differing by one at most, each in seed order.

    `how`: "snake" puts seeds 1, 2, 3, 4 in groups A, B, B, A; "drawn" takes pots of `count` in seed order and deals
    each by lot among the groups, so the strongest are apart and the rest is chance. Raises FormatError:
    "groups_too_small" when a group would have fewer than 2, "bad_options" for another `how`, "entry_twice".
    """
    if len(set(entries)) != len(entries):
        raise FormatError("entry_twice", "an entry is named twice", "entries")
    if count < 1 or len(entries) < 2 * count:
        raise FormatError("groups_too_small", f"{count} groups need {2 * max(count, 1)} entries", "groups")
    if how not in ("snake", "drawn"):
        raise FormatError("bad_options", "groups are made by snake or drawn", "how")
    made: list[list[int]] = [[] for _ in range(count)]
    for pot in range(0, len(entries), count):
        here = list(entries[pot : pot + count])
        if how == "drawn":
            here.sort(key=lambda entry: lot(seed, (names or {}).get(entry, str(entry))))
        groups = range(count - 1, -1, -1) if how == "snake" and pot // count % 2 else range(count)
        for group, entry in zip(groups, here, strict=False):
            made[group].append(entry)
    return tuple(tuple(group) for group in made)


def crossing(groups: int, qualify: int, best: int = 0) -> tuple[tuple[int, int], ...]:
    """Return (group, rank), both from 1, for the bracket's seeds 1, 2, ...: group winners first, then the seconds.

    Winners stand in the order of their groups. Each further rank is dealt so that entries of one group meet as late as
    the bracket allows: with two of each group, in the final only. `best`: how many seeds follow for the best of the next
    rank (core.berths). Raises FormatError("too_few_entries") below two in all.
    """
    if not qualify:
        return ()
    total = groups * qualify
    bracket = single_elimination(total + best)
    height = heights(total + best)
    taken: dict[int, list[int]] = {group: [group] for group in range(1, groups + 1)}  # seeds by group
    order: dict[int, tuple[int, int]] = {group: (group, 1) for group in range(1, groups + 1)}
    for rank in range(2, qualify + 1):
        seeds = range((rank - 1) * groups + 1, rank * groups + 1)
        graph: nx.Graph = nx.Graph()
        for group in taken:
            for place, seed in enumerate(seeds):
                # One meeting in a round is worse than all meetings in the next round together.
                early = sum((total + 1) ** (bracket.rounds - meets(height[seed], height[own])) for own in taken[group])
                # Among equals, the first group's second comes last: the strongest winner meets the last group's.
                wish = (place - (groups - group)) ** 2 * (total + 1) + (seed * group) % (total + 1)
                graph.add_edge(("g", group), ("s", seed), weight=-(early * (total + 1) ** 5 + wish))
        for pair in nx.max_weight_matching(graph, maxcardinality=True):
            chosen = dict(pair)
            taken[chosen["g"]].append(chosen["s"])
            order[chosen["s"]] = (chosen["g"], rank)
    return tuple(order[seed] for seed in range(1, total + 1))


def heights(seeds: int) -> dict[int, int]:
    """Return the position of each seed in the full draw of so many."""
    places = seed_order(1 << (seeds - 1).bit_length())
    return {seed: place for place, seed in enumerate(places) if seed <= seeds}


def meets(one: int, other: int) -> int:
    """Return the round, from 1, in which two positions of the full draw would meet."""
    return (one ^ other).bit_length()


def qualification(rows: Iterable[StandingRow], berths: int, out: Collection[int]) -> Qualified | Tie:
    """Return the qualified entries of a finished group, or the first tie that must be settled.

    Fewer than `berths` qualify if too few are left. `rows`: the group's table, best first; the entries in `out` have
    left the competition and do not qualify.
    """
    left = [row for row in rows if row.entry not in out]
    return qualified(left, min(berths, len(left)))


def going_on(made: Qualified | Tie) -> tuple[int, ...]:
    """Return the qualified entries, best first; () while a tie is open."""
    return made.entries if isinstance(made, Qualified) else ()


def qualified(rows: Sequence[StandingRow], qualify: int, settled: Sequence[int] = ()) -> Qualified | Tie:
    """Return the qualified entries by the group's table, or the first tie that must be settled.

    A shared rank among the qualifying ranks is such a tie, because each rank has its own place in the bracket.
    `settled`: entries in the order given by a play-off, lots or the organiser; it orders equals if it has all of them.
    Raises FormatError("too_few_entries") if the group is smaller than `qualify`.
    """
    if len(rows) < qualify:
        raise FormatError("too_few_entries", f"{qualify} are to go on from a group of {len(rows)}", "qualify")
    going: list[int] = []
    while len(going) < qualify:
        rank = rows[len(going)].rank
        equals = [row.entry for row in rows if row.rank == rank]
        if len(equals) > 1:
            if not set(equals) <= set(settled):
                last = rank + len(equals) - 1
                return Tie(tuple(equals), rank, last, across=last > qualify)
            equals.sort(key=list(settled).index)
        going.extend(equals)
    return Qualified(tuple(going[:qualify]))
