"""What a board and a deck imply, cached for a rule set and a number of seats: dangers, and the ways of a card.

Everything is derived from the rule set's data, so a new rule set needs no change here.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

from games.engine.cards import RANK, TEXTS
from games.engine.tock.board import Board, Path
from games.engine.tock.rules import Back, Forward, Out, Power, Split, TockRules

# A leg of a shared card needs other marbles to take the other steps, so it threatens less than a whole card.
SHARED = 0.7


class Way(NamedTuple):
    """One way of a seat's marble with one card that is not shared."""

    block: int  # `guard & block` forbids it
    spaces: tuple[int, ...]  # where it eats
    inside: bool  # it leads from the track into the heaven


class Terrain:
    """The tables of a rule set for a number of seats."""

    def __init__(self, rules: TockRules, seats: int) -> None:
        self.board = board = rules.board(seats)
        length, powers = board.length, rules.powers(seats)
        ranks = Counter(RANK[card] for card in rules.deck(seats))
        size = sum(ranks.values())
        outs = {rank for rank, able in powers.items() if Out() in able}
        # the chance that an unknown card brings a marble out
        self.out = sum(ranks[rank] for rank in outs) / size
        # by card: whether it brings a marble out
        self.outs = tuple(rank in outs for rank in RANK)
        # hit[space][src]: the chance that an unknown card lets a marble on track space `src` eat on `space`
        self.hit = [[0.0] * length for _ in range(length)]
        for rank, able in powers.items():
            for power in able:
                for steps, weight in _reaches(power):
                    for src in range(length):
                        for space in _eats(_along(board, power, src, steps), power):
                            self.hit[space][src] += weight * ranks[rank] / size
        by_rank = {rank: _all_ways(board, able) for rank, able in powers.items()}
        # ways[card][seat][space]: the ways of a marble of `seat` on track space `space`; None for a card that moves no
        # marble forward or back
        self.ways = tuple(by_rank.get(RANK[card]) for card in range(len(TEXTS)))


@cache
def terrain(rules: TockRules, seats: int) -> Terrain:
    """Return the cached Terrain of a rule set for this number of seats."""
    return Terrain(rules, seats)


def _reaches(power: Power) -> list[tuple[int, float]]:
    """Return the numbers of steps by which a power moves one marble, each with the share of the card's chance that it
    counts.
    """
    if isinstance(power, Split):
        return [(steps, SHARED) for steps in range(1, power.steps)] + [(power.steps, 1.0)]
    if isinstance(power, Forward | Back):
        return [(power.steps, 1.0)]
    return []


def _along(board: Board, power: Power, src: int, steps: int) -> Path:
    """Return the way along the track, whoever owns the marble."""
    return board.back(src, steps)[0] if isinstance(power, Back) else board.forward(0, src, steps)[-1]


def _eats(path: Path, power: Power) -> tuple[int, ...]:
    """Return the track spaces where a marble on its path would eat."""
    ends = () if path.land < 0 else (path.land,) if path.land == path.end else (path.land, path.end)
    return (*path.swept, *ends) if getattr(power, "eats_passed", False) else ends


def _all_ways(board: Board, powers: tuple[Power, ...]) -> tuple[tuple[tuple[Way, ...], ...], ...] | None:
    movers = [power for power in powers if isinstance(power, Forward | Back | Split)]
    if not movers:
        return None
    return tuple(
        tuple(tuple(_ways(board, movers, seat, space)) for space in range(board.length)) for seat in range(board.seats)
    )


def _ways(board: Board, movers: list[Forward | Back | Split], seat: int, space: int) -> list[Way]:
    found = []
    for power in movers:
        paths = board.back(space, power.steps) if isinstance(power, Back) else board.forward(seat, space, power.steps)
        found += [Way(path.block, _eats(path, power), path.entered > 0) for path in paths]
    return found
