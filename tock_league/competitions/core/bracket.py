"""The topology of a single-elimination bracket; it depends only on the number of entries.

n entries stand at the leaves of a tree of 2^k places in the usual order of seeds (1 against the last, 2 in the other
half), so the top 2^r seeds stand in distinct 2^r-ths of the draw. The 2^k - n missing ones are opponents of the top
seeds: those have a bye and sit in the second round from the start. Matches are numbered from 1 in the order of the
rounds, so that every edge leads upwards. Page: docs/formats/knockout.md.
"""

from dataclasses import dataclass
from functools import cache

from .format import FormatError

WIN, LOSS = "win", "loss"
LABELS = {1: "final", 2: "semi", 3: "quarter"}  # by rounds counted from the end


@dataclass(frozen=True)
class Node:
    """A planned match of a bracket."""

    number: int  # 1..m in the whole bracket
    round: int  # from 1
    place: int  # 1.. in its round
    label: str  # "", "quarter", "semi", "final" or "third_place"
    seeds: tuple[int | None, int | None]  # by position: the seed that starts there; None for a seat filled by an edge
    slot: int  # vertical position in the tree, from 0


@dataclass(frozen=True)
class Edge:
    """The entry with `outcome` in match `source` sits in match `target` at `position`."""

    source: int
    outcome: str  # "win" or "loss"
    target: int
    position: int


@dataclass(frozen=True)
class Bracket:
    """The topology of a bracket."""

    size: int  # number of entries
    rounds: int  # number of rounds
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    byes: tuple[int, ...]  # seeds without a match in the first round

    def node(self, number: int) -> Node:
        """Return the match of that number."""
        return self.nodes[number - 1]


def seed_order(places: int) -> tuple[int, ...]:
    """Return the seeds 1..places from top to bottom of a full draw; `places` is a power of two."""
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for upper in order for seed in (upper, total - upper)]
    return tuple(order)


@cache
def single_elimination(n: int, third_place: bool = False) -> Bracket:
    """Return the bracket of `n` entries; the match for third place (n >= 4) is the second match of the last round.

    Raises FormatError("too_few_entries") below 2.
    """
    if n < 2:
        raise FormatError("too_few_entries", "a knockout needs at least two entries", "entries")
    rounds = (n - 1).bit_length()
    # By slot of the round: a seed with a bye, or the match that fills the seat.
    line: list[int | str] = [seed if seed <= n else "" for seed in seed_order(2**rounds)]
    nodes: list[Node] = []
    edges: list[Edge] = []
    semis: list[int] = []
    for number in range(1, rounds + 1):
        following: list[int | str] = []
        made: list[Node] = []
        for slot in range(len(line) // 2):
            pair = line[2 * slot], line[2 * slot + 1]
            if "" in pair:
                following.append(pair[0] if pair[1] == "" else pair[1])
                continue
            key = len(nodes) + len(made) + 1
            seeds = (_seed(pair[0]), _seed(pair[1]))
            label = LABELS.get(rounds - number + 1, "")
            made.append(Node(key, number, len(made) + 1, label, seeds, slot))
            edges.extend(
                Edge(int(of[1:]), WIN, key, position) for position, of in enumerate(pair) if isinstance(of, str)
            )
            following.append(f"w{key}")
        nodes.extend(made)
        if number == rounds - 1:
            semis = [node.number for node in made]
        line = following
    if third_place and len(semis) == 2:
        key = len(nodes) + 1
        nodes.append(Node(key, rounds, 2, "third_place", (None, None), 1))
        edges.extend(Edge(semi, LOSS, key, position) for position, semi in enumerate(semis))
    busy = {seed for node in nodes if node.round == 1 for seed in node.seeds}
    byes = tuple(seed for seed in range(1, n + 1) if seed not in busy)
    return Bracket(n, rounds, tuple(nodes), tuple(edges), byes)


def _seed(stands: int | str) -> int | None:
    return stands if isinstance(stands, int) else None
