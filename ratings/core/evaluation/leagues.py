"""Simulated leagues whose true strengths are known: seeded, and made game by game.

The caller gives the dice, because nothing here may be random by itself. A strength is a number of rating points; the
stronger side wins with the probability of the model: the normal distribution of the gap, with beta per player.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt
from typing import Any, Protocol

from ratings.core.gaussian import cdf
from ratings.core.params import DEFAULT
from ratings.core.recompute import Entry, Subject

BEGIN = datetime(2030, 1, 1, 18, tzinfo=UTC)
STEP = timedelta(minutes=40)  # from game to game
GIVEN_AWAY = 0.95  # share of the games that a cheat loses on purpose, until the middle


class Dice(Protocol):
    """What is needed of random.Random."""

    def random(self) -> float: ...
    def gauss(self, mu: float, sigma: float) -> float: ...
    def sample(self, population: Sequence[Any], k: int) -> list[Any]: ...
    def choice(self, seq: Sequence[Any]) -> Any: ...


@dataclass(frozen=True)
class League:
    """What is simulated."""

    name: str
    partners: int = 1  # least number of partners of each player; 0: partners are drawn for every game
    synergy: float = 2.0  # standard deviation of what a pair plays better than the sum of its players
    late: float = 0.5  # share of the pairs (of the players, where partners are drawn) that appear in the middle
    cheats: int = 0  # so many pairs lose on purpose until the middle, and play to win afterwards
    people: int = 200
    spread: float = DEFAULT.sigma0  # standard deviation of the players' strengths: what the method assumes of newcomers


LEAGUES = (
    League("fixed", partners=1),
    League("two_partners", partners=2),
    League("three_partners", partners=3),
    League("rotating", partners=0, synergy=0.0, late=0.0),
    League("newcomers", partners=0, synergy=0.0, late=0.5),
    League("cheat", partners=1, cheats=4),
    League("closer", partners=2, spread=5.0),  # nearer to each other than the method assumes
)


def pairs_of(league: League) -> list[Subject]:
    """Return the pairs of a league with lasting partners: each player plays with `partners` neighbours in a circle."""
    if league.partners == 1:
        return [(i, i + 1) for i in range(1, league.people, 2)]
    steps = [*range(1, league.partners // 2 + 1)]
    people = range(1, league.people + 1)
    pairs = [(i, (i + step - 1) % league.people + 1) for step in steps for i in people]
    if league.partners % 2:
        half = league.people // 2
        pairs += [(i, i + half) for i in range(1, half + 1)]
    return [tuple(sorted(pair)) for pair in pairs]


def simulated(league: League, games: int, dice: Dice) -> Iterator[Entry]:
    """Yield the games of a league: a side each of two players, the winner by their true strengths."""
    skill = {person: dice.gauss(DEFAULT.mu0, league.spread) for person in range(1, league.people + 1)}
    pairs = pairs_of(league) if league.partners else []
    bonus = {pair: dice.gauss(0.0, league.synergy) for pair in pairs}
    order: list[Any] = dice.sample(pairs or list(skill), len(pairs or skill))
    early = order[: max(8, round(len(order) * (1.0 - league.late)))]
    cheats = frozenset(early[: league.cheats])
    noise = DEFAULT.beta * sqrt(4.0)
    for number in range(games):
        there = early if number < games // 2 else order
        a, b = _meeting(there, drawn=not league.partners, dice=dice)
        gap = sum(skill[person] for person in a) - sum(skill[person] for person in b)
        gap += bonus.get(a, 0.0) - bonus.get(b, 0.0)
        chance = cdf(gap / noise)
        if number < games // 2 and (a in cheats) != (b in cheats):
            chance = chance * (1.0 - GIVEN_AWAY) if a in cheats else 1.0 - (1.0 - chance) * (1.0 - GIVEN_AWAY)
        yield Entry(
            source=f"{number:09}",
            completed_at=BEGIN + number * STEP,
            sides=(a, b),
            ranks=(0, 1) if dice.random() < chance else (1, 0),
        )


def _meeting(there: Sequence[Any], *, drawn: bool, dice: Dice) -> tuple[Subject, Subject]:
    if drawn:
        four = dice.sample(there, 4)
        return tuple(sorted(four[:2])), tuple(sorted(four[2:]))
    while True:
        a, b = dice.sample(there, 2)
        if not set(a) & set(b):
            return a, b
