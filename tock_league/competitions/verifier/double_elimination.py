"""Checks a double elimination. Definition: docs/formats/double_elimination.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from .bracket import LOSS, WIN, MatchRow
from .bracket import check as check_tree
from .facts import Fault
from .playing import Edge, play, results_of, shape


def check(
    size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], *, reset_final: bool = True
) -> tuple[Fault, ...]:
    """Return what is wrong with the bracket of `size` entries; () accepts it.

    Codes: those of `bracket.check` for the winners' bracket, "count", "losses" (somebody is out after another number of
    losses than two, or plays on), "reset" (the second final is played when it must not be, or the other way round),
    "rematch" (two can meet again earlier than they must).
    """
    return tuple(_faults(size, matches, edges, reset_final))


def unavoidable(size: int) -> int:
    """Return the earliest round of the losers' bracket in which two must be able to meet again, however losers drop.

    Rounds 2m - 3 and 2m - 2 are those before and at which the losers of round m of the winners' bracket come in. The
    losers of nested parts of the draw, one of each round before m, have to come into different parts of the losers'
    bracket, of which there are 2^(k - m + 1) or 2^(k - m).
    """
    rounds = (size - 1).bit_length()
    return max(
        step
        for m in range(2, rounds + 1)
        for step, parts in ((2 * m - 3, 2 ** (rounds - m + 1)), (2 * m - 2, 2 ** (rounds - m)))
        if m - 1 <= parts
    )


def _faults(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], reset: bool) -> Iterator[Fault]:
    if len(matches) != 2 * size - 2 + reset:
        yield Fault("count", f"{len(matches)} matches for {size} entries")
    broken = tuple(shape(size, matches, edges))
    yield from broken
    if broken:
        return
    winners = _winners(matches, edges)
    inside = [(s, o, to, at) for s, o, to, at, _only in edges if s in winners and to in winners]
    tree = [row for row in matches if row.number in winners]
    order = {round_no: place for place, round_no in enumerate(sorted({row.round for row in tree}), start=1)}
    broken = check_tree(size, [MatchRow(row.number, order[row.round], row.seeds) for row in tree], inside)
    yield from broken
    if broken:
        return
    yield from _losses(size, matches, edges, reset)
    if size > 2:
        yield from _rematches(size, {row.number: order[row.round] for row in tree}, matches, edges)


def _winners(matches: Sequence[MatchRow], edges: Sequence[Edge]) -> set[int]:
    """Return the matches in which nobody has lost before."""
    lost = {to for _source, outcome, to, _at, _only in edges if outcome == LOSS}
    for source, _outcome, to, _at, _only in sorted(edges, key=lambda edge: edge[0]):
        if source in lost:
            lost.add(to)
    return {row.number for row in matches} - lost


def _losses(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge], reset: bool) -> Iterator[Fault]:
    final = max(row.number for row in matches) - reset
    for wins in results_of(size):
        played, _ends = play(matches, edges, wins)
        lost: Counter[int] = Counter()
        for one in played:
            if lost[one.winner] > 1 or lost[one.loser] > 1:
                yield Fault("losses", "somebody plays after two losses")
            decisive = one.number == final
            if decisive and reset:
                again = any(other.number > final for other in played)
                if again != (lost[one.loser] == 0):
                    yield Fault("reset", "the second final does not follow the first one's result")
            lost[one.loser] += 1
        champion = played[-1].winner
        spared = {champion, *((played[-1].loser,) if not reset else ())}
        if any(lost[seed] != 2 for seed in range(1, size + 1) if seed not in spared) or lost[champion] > 1:
            yield Fault("losses", "somebody is out after one loss, or wins after two")


def _rematches(
    size: int, rounds: dict[int, int], matches: Sequence[MatchRow], edges: Sequence[Edge]
) -> Iterator[Fault]:
    """Check where two who have met can meet again. `rounds`: of the winners' bracket, by match."""
    onward = {source: to for source, outcome, to, _at, _only in edges if outcome == WIN and to in rounds}
    later = {number: set(_path(number, onward)) for number in rounds}
    feeds: dict[int, dict[int, set[int]]] = defaultdict(dict)  # by match and position: the losses that led there
    for source, outcome, to, at, _only in sorted(edges, key=lambda edge: edge[0]):
        if to in rounds:
            continue
        feeds[to][at] = {source} if outcome == LOSS else set().union(*feeds[source].values())
    final = next(edge[2] for edge in edges if edge[0] == max(rounds) and edge[1] == WIN)
    least = unavoidable(size)
    for row in matches:
        if row.number in rounds or row.number >= final:
            continue
        left, right = feeds[row.number][0], feeds[row.number][1]
        deepest = [max(rounds[one] for one in side) for side in (left, right)]
        step = 2 * max(deepest) - (1 if deepest[0] == deepest[1] else 2)
        again = any(one in later[other] or other in later[one] for one in left for other in right)
        if again and step < least:
            yield Fault(
                "rematch", f"two can meet again in round {step} of the losers' bracket, not only from {least} on"
            )


def _path(number: int, onward: dict[int, int]) -> Iterator[int]:
    while number in onward:
        number = onward[number]
        yield number
