"""Checks a single elimination bracket by its structure and by playing it. Definitions: docs/formats/knockout.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .facts import Fault

WIN, LOSS = "win", "loss"


@dataclass(frozen=True)
class MatchRow:
    """One match as stored."""

    number: int  # in the bracket
    round: int  # from 1
    seeds: tuple[int | None, int | None]  # by position; None where an edge leads to


EdgeRow = tuple[int, str, int, int]  # from number, outcome, to number, to position


def check(
    size: int, matches: Sequence[MatchRow], edges: Sequence[EdgeRow], *, third_place: bool = False
) -> tuple[Fault, ...]:
    """Return what is wrong with the bracket of `size` entries; () accepts it.

    Codes: "count", "rounds", "seats" (a place filled twice or never), "edges", "byes", "draw" (strong seeds too close),
    "losses" (somebody but the winner does not lose exactly once).
    """
    return tuple(_faults(size, matches, edges, third_place and size >= 4))


def _faults(size: int, matches: Sequence[MatchRow], edges: Sequence[EdgeRow], third: bool) -> Iterator[Fault]:
    rounds = 0
    while 2**rounds < size:
        rounds += 1
    if len(matches) != size - 1 + third:
        yield Fault("count", f"{len(matches)} matches for {size} entries")
    if {match.round for match in matches} != set(range(1, rounds + 1)):
        yield Fault("rounds", f"not the rounds 1 to {rounds}")
    filled = Counter((match.number, at) for match in matches for at, seed in enumerate(match.seeds) if seed is not None)
    filled.update((to, at) for _source, _outcome, to, at in edges)
    if filled != Counter((match.number, at) for match in matches for at in (0, 1)):
        yield Fault("seats", "a place of a match is filled twice or never")
        return
    seeded = Counter(seed for match in matches for seed in match.seeds if seed is not None)
    if seeded != Counter(range(1, size + 1)):
        yield Fault("seats", "a seed stands nowhere or twice")
        return
    by_number = {match.number: match for match in matches}
    if any(by_number[source].round >= by_number[to].round or source >= to for source, _o, to, _at in edges):
        yield Fault("edges", "an edge does not lead to a later round")
        return
    if max(Counter((source, outcome) for source, outcome, _to, _at in edges).values(), default=1) > 1:
        yield Fault("edges", "one outcome leads to two places")
        return
    by_loss = Counter(to for _source, outcome, to, _at in edges if outcome == LOSS)
    if sorted(by_loss.values()) != [2] * third:
        yield Fault("edges", "a loser plays on elsewhere than for third place")
        return
    late = {seed for match in matches if match.round > 1 for seed in match.seeds if seed is not None}
    if late != set(range(1, 2**rounds - size + 1)):
        yield Fault("byes", f"byes go to {sorted(late)}")
    yield from _draw(rounds, matches, edges)
    for upset in (False, True):
        losses = _losses(size, matches, edges, upset)
        if sorted(losses.values()) != [0] + [1] * (size - 1):
            yield Fault("losses", "somebody but the winner does not lose exactly once")


def _draw(rounds: int, matches: Sequence[MatchRow], edges: Sequence[EdgeRow]) -> Iterator[Fault]:
    """Check that the top 2^r seeds could not meet before only 2^r are left."""
    feeds = {(to, at): source for source, outcome, to, at in edges if outcome == WIN}
    thirds = {to for _source, outcome, to, _at in edges if outcome == LOSS}

    def below(match: MatchRow) -> list[int]:
        seeds = [seed for seed in match.seeds if seed is not None]
        for at, seed in enumerate(match.seeds):
            if seed is None:
                seeds += below(by_number[feeds[(match.number, at)]])
        return seeds

    by_number = {match.number: match for match in matches}
    for match in matches:
        if match.number in thirds:
            continue
        strong = 2 ** (rounds - match.round)
        if sum(seed <= strong for seed in below(match)) > 1:
            yield Fault("draw", f"two of the top {strong} meet in round {match.round}")


def _losses(size: int, matches: Sequence[MatchRow], edges: Sequence[EdgeRow], upset: bool) -> dict[int, int]:
    """Return how often each seed loses when the better one always wins, or, `upset`, always loses."""
    sides: dict[tuple[int, int], int] = {
        (match.number, at): seed for match in matches for at, seed in enumerate(match.seeds) if seed is not None
    }
    leads = {(source, outcome): (to, at) for source, outcome, to, at in edges}
    third = {to for _source, outcome, to, _at in edges if outcome == LOSS}
    losses = dict.fromkeys(range(1, size + 1), 0)
    for match in sorted(matches, key=lambda row: row.number):
        a, b = sides[(match.number, 0)], sides[(match.number, 1)]
        winner, loser = (max(a, b), min(a, b)) if upset else (min(a, b), max(a, b))
        losses[loser] += match.number not in third
        for outcome, who in ((WIN, winner), (LOSS, loser)):
            if (match.number, outcome) in leads:
                sides[leads[(match.number, outcome)]] = who
    return losses
