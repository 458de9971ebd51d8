"""Checks a placement bracket. Definition: docs/formats/placement.md."""

from collections.abc import Iterator, Sequence

from .bracket import LOSS, WIN, MatchRow
from .facts import Fault
from .playing import Edge, Rank, play, results_of, shape


def check(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], ranks: Sequence[Rank]) -> tuple[Fault, ...]:
    """Return what is wrong with the bracket of `size` entries; () accepts it. `ranks`: of the outcomes that end it.

    Codes: "seats", "edges", "count" (with 2^k entries), "most" (somebody plays too many matches), "rematch", "ranks"
    (a rank is given twice or never, or a loser can end above the winner).
    """
    return tuple(_faults(size, matches, edges, ranks))


def _faults(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], ranks: Sequence[Rank]) -> Iterator[Fault]:
    broken = tuple(shape(size, matches, edges))
    yield from broken
    if broken:
        return
    rounds = (size - 1).bit_length()
    if 2**rounds == size and len(matches) != rounds * size // 2:
        yield Fault("count", f"{len(matches)} matches for {size} entries")
    given = {(number, outcome): rank for number, outcome, rank in ranks}
    if sorted(given.values()) != list(range(1, size + 1)):
        yield Fault("ranks", "not every rank is given once")
    for wins in results_of(size):
        played, ends = play(matches, edges, wins)
        if len({frozenset((one.winner, one.loser)) for one in played}) != len(played):
            yield Fault("rematch", "two meet twice")
        for seed in range(1, size + 1):
            if sum(seed in (one.winner, one.loser) for one in played) > rounds:
                yield Fault("most", f"seed {seed} plays more than {rounds} matches")
        found = [given.get(end[:2]) for seed in range(1, size + 1) for end in ends[seed]]
        if sorted(rank or 0 for rank in found) != list(range(1, size + 1)):
            yield Fault("ranks", "somebody has no rank, or two have the same one")
    leads = {(source, outcome): to for source, outcome, to, _at, _only in edges}
    spans: dict[int, tuple[int, int]] = {}
    for match in sorted(matches, key=lambda row: -row.number):
        best = {}
        for outcome in (WIN, LOSS):
            to = leads.get((match.number, outcome))
            rank = given.get((match.number, outcome), 0)
            best[outcome] = spans[to] if to is not None else (rank, rank)
        if best[WIN][1] >= best[LOSS][0]:
            yield Fault("ranks", f"the loser of match {match.number} can end above its winner")
        spans[match.number] = (best[WIN][0], best[LOSS][1])
