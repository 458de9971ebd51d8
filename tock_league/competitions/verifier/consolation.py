"""Checks a knockout with consolation. Definition: docs/formats/consolation.md."""

from collections import Counter
from collections.abc import Iterator, Sequence

from .bracket import MatchRow
from .bracket import check as check_tree
from .facts import Fault
from .playing import Edge, Played, play, results_of, shape


def check(
    size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], consolation: Sequence[int]
) -> tuple[Fault, ...]:
    """Return what is wrong with both brackets of `size` entries; () accepts them. `consolation`: its matches.

    Codes: those of `bracket.check` for the knockout, "rematch", "second" (somebody is in the consolation who has won the
    first match, or is missing there), "losses" (not everybody but one loses there).
    """
    return tuple(_faults(size, matches, edges, set(consolation)))


def _faults(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], second: set[int]) -> Iterator[Fault]:
    broken = tuple(shape(size, matches, edges))
    yield from broken
    if broken:
        return
    main = [row for row in matches if row.number not in second]
    number = {row.number: place for place, row in enumerate(sorted(main, key=lambda row: row.number), start=1)}
    tree = [MatchRow(number[row.number], row.round, row.seeds) for row in main]
    inside = [(number[s], o, number[to], at) for s, o, to, at, _only in edges if s in number and to in number]
    yield from check_tree(size, tree, inside, third_place=True)
    last = max(row.round for row in main)
    early = {row.number for row in main if row.round < last - 1}
    for wins in results_of(size):
        played, _ends = play(matches, edges, wins)
        yield from _played(played, second, early)


def _played(played: Sequence[Played], second: set[int], early: set[int]) -> Iterator[Fault]:
    if len({frozenset((one.winner, one.loser)) for one in played}) != len(played):
        yield Fault("rematch", "two meet twice")
    met: set[int] = set()
    first_losers = set()
    for one in played:
        if one.number in early and one.loser not in met:
            first_losers.add(one.loser)
        met |= {one.winner, one.loser}
    there = {seed for one in played if one.number in second for seed in (one.winner, one.loser)}
    if there != (first_losers if len(first_losers) > 1 else set()):
        yield Fault("second", "not those who lost their first match are in the consolation")
    lost = Counter(one.loser for one in played if one.number in second)
    if sorted(lost[seed] for seed in there) != [0] * bool(there) + [1] * (len(there) - 1):
        yield Fault("losses", "not everybody but one loses once in the consolation")
