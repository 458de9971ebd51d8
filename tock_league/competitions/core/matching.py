"""One round of Swiss pairing as a minimum-cost matching with lexicographic costs.

Each possible pair has a vector of whole numbers, one for each criterion. The vectors become single numbers by
multipliers so large that the smallest difference in an earlier criterion outweighs all later ones of all pairs
together: M_last = 1, M_i = M_(i+1) * (N/2 * Cmax_(i+1) + 1), with N entries counting the bye. Whole numbers only:
floats lose that order. The last criterion is a lot of the pair, which makes the optimum unique and independent of the
library.
Source: docs/formats/swiss.md; Z. Galil, "Efficient algorithms for finding maximum matching in graphs" (1986), in the
package networkx.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import networkx as nx

from .contenders import Contender, pair_of
from .format import Pair

CRITERIA = ("rematch", "bye", "discouraged", "club", "gap", "fold", "lot")
COMPLETE_UP_TO = 128
WINDOW = 24
LOT_DIGITS = 10  # hexadecimal digits: 40 bits make equal sums of two matchings unlikely

Vector = tuple[int, ...]
Cost = Callable[[int, int], Vector | None]


@dataclass(frozen=True)
class Limits:
    """The restrictions on pairs."""

    met: AbstractSet[Pair]  # have met already
    forbidden: AbstractSet[Pair]  # must never meet
    discouraged: AbstractSet[Pair]  # should not meet
    relaxed: AbstractSet[Pair]  # rematches that the organiser accepted
    clubs: str  # meetings inside a club: "off" (free), "soft" (a cost) or "hard" (never)


def pair_lot(seed: str, one: str, other: str) -> int:
    """Return the lot of a pair: 40 bits of SHA-256 of "seed:name name", names sorted; the bye has the name ""."""
    low, high = min(one, other), max(one, other)
    return int(hashlib.sha256(f"{seed}:{low} {high}".encode()).hexdigest()[:LOT_DIGITS], 16)


def costs(field: Sequence[Contender], limits: Limits, seed: str, order: Sequence[str] = CRITERIA) -> Cost:
    """Return a function from two places in `field` to their cost, None if illegal; place len(field) is the bye."""
    bye = len(field)
    most = max((entry.score for entry in field), default=0)

    def against_bye(entry: Contender) -> dict[str, int] | None:
        if entry.had_bye:
            return None
        line = entry.score + (most + 1 if entry.had_gift else 0)
        return {"bye": line, "fold": entry.size - 1 - entry.place, "lot": pair_lot(seed, entry.name, "")}

    def between(one: Contender, other: Contender) -> dict[str, int] | None:
        pair = pair_of(one.entry, other.entry)
        same_club = one.club is not None and one.club == other.club
        again = pair in limits.met
        if pair in limits.forbidden or (again and pair not in limits.relaxed) or (same_club and limits.clubs == "hard"):
            return None
        level = one.score == other.score
        return {
            "rematch": int(again),
            "discouraged": int(pair in limits.discouraged),
            "club": int(same_club and limits.clubs == "soft"),
            "gap": (one.score - other.score) ** 2,
            "fold": abs(abs(one.place - other.place) - one.size // 2) if level else 0,
            "lot": pair_lot(seed, one.name, other.name),
        }

    def cost(i: int, j: int) -> Vector | None:
        i, j = pair_of(i, j)
        paid = against_bye(field[i]) if j == bye else between(field[i], field[j])
        return None if paid is None else tuple(paid.get(criterion, 0) for criterion in order)

    return cost


def bounds(field: Sequence[Contender], order: Sequence[str]) -> tuple[int, ...]:
    """Return the greatest cost a single pair of `field` can have under each criterion of `order`."""
    scores = [entry.score for entry in field]
    most = {
        "rematch": 1,
        "bye": 2 * max(scores) + 1,
        "discouraged": 1,
        "club": 1,
        "gap": (max(scores) - min(scores)) ** 2,
        "fold": len(field),
        "lot": 16**LOT_DIGITS - 1,
    }
    return tuple(most[criterion] for criterion in order)


def multipliers(maxima: Sequence[int], vertices: int) -> tuple[int, ...]:
    """Return one multiplier per criterion. `maxima`: the greatest cost a single pair can have under each."""
    made = [1]
    for most in reversed(maxima[1:]):
        made.append(made[-1] * (vertices // 2 * most + 1))
    return tuple(reversed(made))


@dataclass(frozen=True)
class Found:
    """A matching of least cost."""

    pairs: tuple[Pair, ...]  # of places
    weights: tuple[int, ...]  # the multiplier of each criterion
    scope: str  # "complete" or "window": the pairs that were examined
    vectors: dict[Pair, Vector | None]  # the cost of each examined pair, None if illegal; a cache that exchanges extend

    def weigh(self, vector: Vector) -> int:
        """Return a vector as one number."""
        return sum(weight * part for weight, part in zip(self.weights, vector, strict=True))


def least(field: Sequence[Contender], cost: Cost, order: Sequence[str] = CRITERIA) -> Found | None:
    """Return the matching of least cost of `field`, with a bye if its size is odd; None if no perfect one exists.

    Up to 128 places all pairs are examined. For more places only a window: for each entry the 24 nearest ranks and the
    24 around its fold; the result is then improved by exchanges between any two pairs until none helps. If the window
    has no perfect matching, all pairs are examined.
    """
    vertices = len(field) + len(field) % 2
    weights = multipliers(bounds(field, order), vertices)
    if vertices > COMPLETE_UP_TO:
        found = _match(vertices, _window(field), cost, weights, "window")
        if found is not None:
            return _polished(found, cost)
    every = ((i, j) for i in range(vertices) for j in range(i + 1, vertices))
    return _match(vertices, every, cost, weights, "complete")


def _window(field: Sequence[Contender]) -> Iterable[Pair]:
    """Return the pairs of the window, each once: neighbours in rank, neighbours of the fold, and the bye."""
    reach = WINDOW // 2
    pairs: dict[Pair, None] = {}
    for i, entry in enumerate(field):
        fold = i + entry.size // 2
        for j in (*range(i + 1, i + 1 + reach), *range(max(i + 1, fold - reach), fold + reach + 1)):
            if j < len(field):
                pairs[(i, j)] = None
        if len(field) % 2:
            pairs[(i, len(field))] = None
    return pairs


def _match(vertices: int, pairs: Iterable[Pair], cost: Cost, weights: tuple[int, ...], scope: str) -> Found | None:
    vectors = {pair: vector for pair in pairs if (vector := cost(*pair)) is not None}
    if not vectors:
        return None
    graph: nx.Graph = nx.Graph()
    for (i, j), vector in vectors.items():
        graph.add_edge(i, j, weight=-sum(weight * part for weight, part in zip(weights, vector, strict=True)))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matched) != vertices:
        return None
    return Found(tuple(sorted(pair_of(*pair) for pair in matched)), weights, scope, dict(vectors))


def exchanges(one: Pair, other: Pair) -> tuple[tuple[Pair, Pair], tuple[Pair, Pair]]:
    """Return the two other ways to pair the entries of two pairs."""
    (a, b), (c, d) = one, other
    return (pair_of(a, c), pair_of(b, d)), (pair_of(a, d), pair_of(b, c))


def _polished(found: Found, cost: Cost) -> Found:
    """Return the matching improved by exchanges between any two pairs until none lowers the cost."""
    weighed: dict[Pair, int | None] = {}

    def weight(pair: Pair) -> int | None:
        if pair not in weighed:
            vector = found.vectors[pair] if pair in found.vectors else found.vectors.setdefault(pair, cost(*pair))
            weighed[pair] = None if vector is None else found.weigh(vector)
        return weighed[pair]

    pairs = list(found.pairs)
    again = True
    while again:
        again = False
        for x in range(len(pairs)):
            for y in range(x + 1, len(pairs)):
                now = (weight(pairs[x]) or 0) + (weight(pairs[y]) or 0)
                for first, second in exchanges(pairs[x], pairs[y]):
                    w1, w2 = weight(first), weight(second)
                    if w1 is not None and w2 is not None and w1 + w2 < now:
                        pairs[x], pairs[y], now, again = first, second, w1 + w2, True
    return Found(tuple(sorted(pairs)), found.weights, found.scope, found.vectors)


def alternatives(found: Found, cost: Cost) -> Mapping[int, tuple[int, Vector]]:
    """Return, by place, the best other opponent by an exchange with one other pair, and the additional cost.

    The cost is the difference of the two rounds as a vector. A place without a legal exchange is missing.
    """
    vectors = found.vectors
    best: dict[int, tuple[int, int, Vector]] = {}
    for x, one in enumerate(found.pairs):
        for other in found.pairs[x + 1 :]:
            for made in exchanges(one, other):
                new = [vectors[pair] if pair in vectors else vectors.setdefault(pair, cost(*pair)) for pair in made]
                if new[0] is None or new[1] is None:
                    continue
                old = [vectors[one], vectors[other]]
                assert old[0] is not None
                assert old[1] is not None
                more = tuple(a + b - c - d for a, b, c, d in zip(new[0], new[1], old[0], old[1], strict=True))
                dearer = found.weigh(more)
                for a, b in made:
                    for place, against in ((a, b), (b, a)):
                        if place not in best or dearer < best[place][0]:
                            best[place] = (dearer, against, more)
    return {place: (against, more) for place, (_dearer, against, more) in best.items()}
