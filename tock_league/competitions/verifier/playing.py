"""Plays a bracket through, and checks what holds for every bracket; for the checks of this package."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .bracket import LOSS, WIN, MatchRow
from .facts import Fault

# (source match, "win" or "loss", target match, position there, the position in the source that alone goes on, or None)
Edge = tuple[int, str, int, int, int | None]
Rank = tuple[int, str, int]  # match, "win" or "loss", the final rank of whoever goes nowhere from there
Wins = Callable[[int, int], bool]  # whether the first of two seeds wins


@dataclass(frozen=True)
class Played:
    """A match that two entries have played."""

    number: int
    winner: int
    loser: int


def shape(size: int, matches: Sequence[MatchRow], edges: Sequence[Edge]) -> Iterator[Fault]:
    """Yield what is wrong with seats, seeds and edges; codes "seats", "edges"."""
    rounds = {match.number: match.round for match in matches}
    filled = Counter((match.number, at) for match in matches for at, seed in enumerate(match.seeds) if seed is not None)
    filled.update((to, at) for _source, _outcome, to, at, _only in edges)
    if filled != Counter((match.number, at) for match in matches for at in (0, 1)):
        yield Fault("seats", "a place of a match is filled twice or never")
    seeded = Counter(seed for match in matches for seed in match.seeds if seed is not None)
    if seeded != Counter(range(1, size + 1)):
        yield Fault("seats", "a seed stands nowhere or twice")
    if not {number for source, _o, to, _at, _only in edges for number in (source, to)} <= rounds.keys():
        yield Fault("edges", "an edge leads from or to no match")
        return
    if any(rounds[source] >= rounds[to] or source >= to for source, _o, to, _at, _only in edges):
        yield Fault("edges", "an edge does not lead to a later round")
    if max(Counter((source, outcome) for source, outcome, _to, _at, _only in edges).values(), default=1) > 1:
        yield Fault("edges", "one outcome leads to two places")


def results_of(size: int) -> Iterator[Wins]:
    """Yield ways of deciding every match: the better seed wins, the worse one, and by coins."""
    yield lambda one, other: one < other
    yield lambda one, other: one > other
    for seed in range(1, 5):
        yield lambda one, other, by=seed * size: (one * 7919 + other * 104_729 + by * 31) % 101 < 50  # type: ignore[misc]


def play(matches: Sequence[MatchRow], edges: Sequence[Edge], wins: Wins) -> tuple[list[Played], dict[int, list[Rank]]]:
    """Return the matches that two entries played, in order, and by seed the outcomes that lead nowhere, with rank 0.

    An entry without an opponent wins without playing.
    """
    sides: dict[tuple[int, int], int] = {
        (match.number, at): seed for match in matches for at, seed in enumerate(match.seeds) if seed is not None
    }
    leads = {(source, outcome): (to, at, only) for source, outcome, to, at, only in edges}
    played: list[Played] = []
    ends: dict[int, list[Rank]] = defaultdict(list)
    for match in sorted(matches, key=lambda row: row.number):
        at = {sides[match.number, position]: position for position in (0, 1) if (match.number, position) in sides}
        if len(at) == 2:
            one, other = at
            winner, loser = (one, other) if wins(one, other) else (other, one)
            played.append(Played(match.number, winner, loser))
            found = [(WIN, winner), (LOSS, loser)]
        else:
            found = [(WIN, seed) for seed in at]
        for outcome, seed in found:
            to, place, only = leads.get((match.number, outcome), (0, 0, None))
            if to and only in (None, at[seed]):
                sides[to, place] = seed
            else:
                ends[seed].append((match.number, outcome, 0))
    return played, ends
