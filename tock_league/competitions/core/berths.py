"""Who advances over all groups: the best of those with one rank, also where groups have different sizes.

In a larger group the matches against its last entries do not count, until every group has as many entries as the smallest
one. What is compared then is points a match, margin a match, wins a match, and lots from the published seed. Page:
docs/formats/groups.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from .groups import crossing, heights, meets
from .lots import lot
from .standings import StandingRow


@dataclass(frozen=True)
class Compared:
    """An entry among those of its rank."""

    group: int  # from 0
    entry: int
    matches: int  # that count
    points: Fraction  # a match
    margin: Fraction  # a match
    wins: Fraction  # a match
    left_out: tuple[int, ...]  # the entries of its group against whom matches do not count
    separated_by: str = ""  # what separates it from the next one: points, margin, wins or lots; "" for the last one


def compare(
    tables: Sequence[Sequence[StandingRow]],
    candidates: Sequence[int | None],
    *,
    seed: str,
    names: Mapping[int, str],
) -> tuple[Compared, ...]:
    """Return the candidates, best first.

    `tables`: the rows of each group, best first; `candidates`: the entry of each group, None where nobody is left for the
    rank. `seed`, `names`: for lots, see `lots.lot`.
    """
    least = min(map(len, tables))
    made = [
        _compared(group, rows, entry, len(rows) - least)
        for group, (rows, entry) in enumerate(zip(tables, candidates, strict=True))
        if entry is not None
    ]
    made.sort(key=lambda one: (*(-value for value in _values(one)), lot(seed, names.get(one.entry, str(one.entry)))))
    told = []
    for place, one in enumerate(made):
        below = made[place + 1] if place + 1 < len(made) else None
        told.append(Compared(**{**vars(one), "separated_by": _difference(one, below) if below is not None else ""}))
    return tuple(told)


def _compared(group: int, rows: Sequence[StandingRow], entry: int, surplus: int) -> Compared:
    row = next(row for row in rows if row.entry == entry)
    left_out = tuple(other.entry for other in reversed(rows) if other.entry != entry)[:surplus]
    counted = [meeting for meeting in row.meetings if not meeting.missed and meeting.opponent not in left_out]
    taken = row.points.value - sum(meeting.points for meeting in row.meetings)  # by rulings
    count = max(len(counted), 1)
    return Compared(
        group,
        entry,
        len(counted),
        (sum(meeting.points for meeting in counted) + taken) / Fraction(count),
        Fraction(sum(meeting.margin for meeting in counted), count),
        Fraction(sum(meeting.outcome == "win" for meeting in counted), count),
        left_out,
    )


def _values(one: Compared) -> tuple[Fraction, Fraction, Fraction]:
    return one.points, one.margin, one.wins


def _difference(one: Compared, other: Compared) -> str:
    names = ("points", "margin", "wins")
    return next((name for name, a, b in zip(names, _values(one), _values(other), strict=True) if a != b), "lots")


def in_berths(
    tables: Sequence[Sequence[StandingRow]],
    going: Sequence[Sequence[int]],
    *,
    rank: int,
    best: int,
    seed: str,
    names: Mapping[int, str],
) -> tuple[int | None, ...]:
    """Return the entries of the `best` last seeds of the bracket; None where there are too few.

    `going`: the order of those in each group who have not left, as far as `rank`, which is the rank that is compared.
    """
    candidates = [order[rank - 1] if len(order) >= rank else None for order in going]
    chosen = compare(tables, candidates, seed=seed, names=names)[:best]
    slots = in_slots(len(tables), rank - 1, best, [one.group for one in chosen])
    return tuple(chosen[index].entry if index is not None else None for index in slots)


def in_slots(groups: int, qualify: int, best: int, chosen: Sequence[int]) -> tuple[int | None, ...]:
    """Return which of `chosen` stands in each of the `best` last seeds, as an index; None for a seed that stays empty.

    `chosen`: the groups, from 0, of those who advance, best first. Entries of one group meet as late as the bracket allows,
    and among equals the better one has the better seed.
    """
    total = groups * qualify + best
    height, rounds = heights(total), (total - 1).bit_length()
    own: dict[int, list[int]] = {}
    for seed, (group, _rank) in enumerate(crossing(groups, qualify, best), start=1):
        own.setdefault(group - 1, []).append(seed)
    graph: nx.Graph = nx.Graph()
    for index, group in enumerate(chosen):
        for slot in range(best):
            seed = groups * qualify + slot + 1
            early = sum((total + 1) ** (rounds - meets(height[seed], height[other])) for other in own.get(group, ()))
            graph.add_edge(("c", index), ("s", slot), weight=-(early * (total + 1) ** 3 + (index - slot) ** 2))
    found: dict[int, int] = {}
    for pair in nx.max_weight_matching(graph, maxcardinality=True):
        chosen_of = dict(pair)
        found[chosen_of["s"]] = chosen_of["c"]
    return tuple(found.get(slot) for slot in range(best))
