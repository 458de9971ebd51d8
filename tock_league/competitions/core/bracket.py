"""The topology of brackets; it depends only on the number of entries.

n entries stand at the leaves of a tree of 2^k places in the usual order of seeds (1 against the last, 2 in the other
half), so the top 2^r seeds stand in distinct 2^r-ths of the draw. The 2^k - n missing ones are opponents of the top
seeds: those have a bye and sit in the second round from the start. Matches are numbered from 1 in the order of the
rounds, so that every edge leads upwards. The other brackets, in `pairings/`, add matches for those who have lost.
Page: docs/formats/knockout.md.
"""

from dataclasses import dataclass
from functools import cache

from .drafting import LOSS as LOSS
from .drafting import WIN as WIN
from .drafting import Draft, Line
from .format import FormatError

LABELS = {1: "final", 2: "semi", 3: "quarter"}  # by rounds counted from the end


@dataclass(frozen=True)
class Node:
    """A planned match of a bracket."""

    number: int  # 1..m in the whole bracket
    round: int  # from 1
    place: int  # 1.. in its round
    label: str  # one of Match.Label
    seeds: tuple[int | None, int | None]  # by position: the seed that starts there; None for a seat filled by an edge
    slot: int  # vertical position in the tree, from 0
    # What `label` counts: the round of the winners' or losers' bracket or of the consolation, 0 for its last one; the first
    # of the places that are played for.
    label_no: int = 0
    part: int = 0  # the tree that it is drawn in: 0 for that of the final
    # The final ranks of winner and loser, where no edge leads them on.
    ranks: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True)
class Edge:
    """The entry with `outcome` in match `source` sits in match `target` at `position`.

    `only`: it does so only if it had this position in `source`; else that seat stays empty.
    """

    source: int
    outcome: str  # "win" or "loss"
    target: int
    position: int
    only: int | None = None


@dataclass(frozen=True)
class Bracket:
    """The topology of a bracket."""

    size: int  # number of entries
    rounds: int  # number of rounds
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    byes: tuple[int, ...]  # seeds without a match in the first round
    # The ranks up to this one are certain with their match; further ones when everything is decided, because results
    # decide how many entries share them.
    sure: int = 0

    def node(self, number: int) -> Node:
        """Return the match of that number."""
        return self.nodes[number - 1]

    def per_round(self) -> tuple[int, ...]:
        """Return the number of matches of each round."""
        counts = [0] * self.rounds
        for node in self.nodes:
            counts[node.round - 1] += 1
        return tuple(counts)


def seed_order(places: int) -> tuple[int, ...]:
    """Return the seeds 1..places from top to bottom of a full draw; `places` is a power of two."""
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for upper in order for seed in (upper, total - upper)]
    return tuple(order)


def rounds_of(n: int) -> int:
    """Return the rounds of a single elimination of `n` entries. Raises FormatError("too_few_entries") below 2."""
    if n < 2:
        raise FormatError("too_few_entries", "a knockout needs at least two entries", "entries")
    return (n - 1).bit_length()


def first_line(n: int) -> Line:
    """Return the seeds from top to bottom of the draw, None where a seed of the full draw is missing."""
    return [seed if seed <= n else None for seed in seed_order(2 ** rounds_of(n))]


def bracket_of(n: int, draft: Draft, sure: int = 0) -> Bracket:
    """Return the matches of a draft as the bracket of `n` entries, numbered in the order of the rounds.

    Matches of a round stand in the order of their parts and, within a part, as they were added.
    """
    used = sorted({row.round for row in draft.rows})
    order = sorted(range(len(draft.rows)), key=lambda key: (draft.rows[key].round, draft.rows[key].part, key))
    number = {key: place for place, key in enumerate(order, start=1)}
    nodes: list[Node] = []
    edges: list[Edge] = []
    places = dict.fromkeys(used, 0)
    for key in order:
        row = draft.rows[key]
        round_no = used.index(row.round) + 1
        place = places[row.round] = places[row.round] + 1
        seeds = tuple(side if isinstance(side, int) else None for side in row.sides)
        nodes.append(
            Node(
                number[key], round_no, place, row.label, (seeds[0], seeds[1]), row.slot, row.label_no, row.part,
                (draft.ranks.get((key, WIN)), draft.ranks.get((key, LOSS))),
            )
        )  # fmt: skip
        edges.extend(
            Edge(number[side.source], side.outcome, number[key], position, side.only)
            for position, side in enumerate(row.sides)
            if not isinstance(side, int)
        )
    busy = {seed for node in nodes if node.round == 1 for seed in node.seeds}
    byes = tuple(seed for seed in range(1, n + 1) if seed not in busy)
    return Bracket(n, len(used), tuple(nodes), tuple(edges), byes, sure or n)


def main_tree(draft: Draft, n: int, third_place: bool) -> list[Line]:
    """Add a single elimination of `n` entries and return, by round, the line of its losers.

    The losers of a round share the first of its ranks, unless something leads them on.
    """
    rounds = rounds_of(n)
    line, lost = first_line(n), []
    for number in range(1, rounds + 1):
        left = rounds - number
        line, losers = draft.level(line, round=number, label=LABELS.get(left + 1, ""))
        lost.append(losers)
        draft.rank(losers, 2**left + 1)
    draft.rank(line, 1)
    if third_place and n > 3:
        winner, loser = draft.level(lost[-2], round=rounds, label="third_place", slot=1)
        draft.rank(winner, 3)
        draft.rank(loser, 4)
    return lost


@cache
def single_elimination(n: int, third_place: bool = False) -> Bracket:
    """Return the bracket of `n` entries; the match for third place (n >= 4) is the second match of the last round.

    Raises FormatError("too_few_entries") below 2.
    """
    draft = Draft()
    main_tree(draft, n, third_place)
    return bracket_of(n, draft)
