"""The schedule of a group that one more entry joins after the start: it meets everybody, and nobody meets twice.

Rounds that have been opened stay. In each round that is still planned the meetings stay too, except where the late
entry takes the place of one: that meeting moves to a later round. What does not fit is played in further rounds.
Page: docs/formats/groups.md.
"""

from collections import Counter
from collections.abc import Sequence

import networkx as nx

from .format import Pair


def join(planned: Sequence[Sequence[Pair]], wanted: Sequence[Pair]) -> tuple[tuple[Pair, ...], ...]:
    """Return the meetings of each planned round and of the rounds that follow, in order.

    `planned`: the meetings of the rounds that are not open yet, each (home, away); `wanted`: those of the late entry. A
    meeting that returns with homes reversed is another one. Each round is a matching of the greatest size; among these
    one that holds those who have most to play still, and then as many of its own meetings as possible.
    """
    loose = list(wanted)  # meetings without a round
    made: list[tuple[Pair, ...]] = []
    for number, own in enumerate(planned):
        left = [*own, *loose, *(pair for later in planned[number + 1 :] for pair in later)]
        chosen = _choose(own, loose, left)
        made.append(chosen)
        loose = [pair for pair in (*own, *loose) if pair not in chosen]
    while loose:
        chosen = _choose((), loose, loose)
        made.append(chosen)
        loose = [pair for pair in loose if pair not in chosen]
    return tuple(made)


def balanced(fixed: Sequence[Pair], rounds: Sequence[Sequence[Pair]], late: int) -> tuple[tuple[Pair, ...], ...]:
    """Return `rounds` with the homes of the late entry's meetings set: at home is who has been at home less often.

    `fixed`: the meetings of earlier rounds. Of two with equal counts the late entry is away first, then in turns.
    """
    homes = Counter(home for home, _away in fixed)
    made = []
    mine = 0
    for row in rounds:
        here = []
        for home, away in row:
            if late in (home, away):
                other = away if home == late else home
                at_home = homes[late] < homes[other] or (homes[late] == homes[other] and mine % 2 == 1)
                home, away = (late, other) if at_home else (other, late)
                mine += 1
            homes[home] += 1
            here.append((home, away))
        made.append(tuple(here))
    return tuple(made)


def _choose(own: Sequence[Pair], loose: Sequence[Pair], left: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the meetings of one round from its `own` and the `loose` ones; `left`: all that are still to be played."""
    to_play = Counter(entry for pair in left for entry in pair)
    graph: nx.Graph = nx.Graph()
    size = len(to_play) + 1
    known: dict[frozenset[int], Pair] = {}
    for keep, pairs in ((1, own), (0, loose)):
        for pair in pairs:
            if known.setdefault(frozenset(pair), pair) == pair:
                graph.add_edge(*pair, weight=sum(to_play[entry] ** 2 for entry in pair) * size + keep)
    found = {frozenset(edge) for edge in nx.max_weight_matching(graph, maxcardinality=True)}
    return tuple(pair for pair in (*own, *loose) if frozenset(pair) in found and known[frozenset(pair)] == pair)
