"""The fast listing of shared cards finds what trying every order of every division finds, with the first notation of
each.

The positions are crowded: marbles in each other's way, at the pieu, in heaven, fresh, in shelters and at jumps.
"""

import random
from dataclasses import replace

import pytest

from games.engine import registry
from games.engine.cards import NUMBER
from games.engine.tock.board import MARBLES, SECTION, Path
from games.engine.tock.legal.legs import sharing
from games.engine.tock.legal.sevens import orders, splits
from games.engine.tock.position import Position
from games.engine.tock.rules import Split, TockRules
from tests.engine.slow_sevens import reached, spellings

POSITIONS = 1_500
SEVEN = NUMBER["7C"]
OFFERED = [
    pytest.param(entry.rules, seats, power, id=f"{rule_set}-{seats}")
    for rule_set, entry in registry.entries().items()
    if isinstance(entry.rules, TockRules)
    for seats in entry.rules.teams
    for power in entry.rules.cards["7"]
]
# House variants: as many legs as a seat has marbles, eating or not, with jumps and shelters.
VARIANTS = [
    pytest.param(replace(rules, cards={**rules.cards, "7": (power,)}), 4, power, id=f"{power.legs}-{power.eats_passed}")
    for rules in [registry.rules("shawinigan/1")]
    for power in (Split(7, 3), Split(7, 4), Split(7, 2, eats_passed=True), Split(7, 4, eats_passed=True), Split(5, 3))
    if isinstance(rules, TockRules)
]


def crowded(rules: TockRules, seats: int, roll: random.Random) -> Position:
    """Return a position with marbles of all seats on a stretch of the track, often around seat 0's pieu."""
    p = Position(rules, seats, 2, 0)
    middle = roll.choice((roll.randrange(p.board.length), p.board.pieux[0]))
    wide = roll.choice((10, 20, 40, p.board.length))
    free = [(middle + i - wide // 2) % p.board.length for i in range(wide)]
    roll.shuffle(free)
    for seat in range(seats):
        for _ in range(roll.randint(1 if seat == 0 else 0, MARBLES)):
            high = roll.randrange(MARBLES)
            if roll.random() < 0.25 and not p.heaven[seat] >> high & 1:
                p.heaven[seat] |= 1 << high
            elif free:
                space = free.pop()
                p.at[space] = seat
                p.tracks[seat].append(space)
                p.guard |= p.board.cover[space]
                if space == SECTION * seat and roll.random() < 0.5:
                    p.guard |= 1 << seat
            else:
                continue
            p.reserve[seat] -= 1
    return p


@pytest.mark.parametrize(("rules", "seats", "power"), [*OFFERED, *VARIANTS])
def test_sevens_are_listed_as_trying_every_order_lists_them(rules: TockRules, seats: int, power: Split) -> None:
    roll = random.Random(seats)
    several = 0
    for _ in range(POSITIONS // 10 if power.legs > 2 else POSITIONS):
        p = crowded(rules, seats, roll)
        first: dict[object, str] = {}
        every: dict[str, object] = {}
        for text, _, after in spellings(p, 0, power):
            every[text] = key = reached(after)
            first[key] = min(text, first.get(key, text))
        # Every legal order, and which of them reach the same position.
        numbered = {text: number for text, _, number in orders(p, 0, power)}
        assert numbered.keys() == every.keys()
        assert len({(numbered[text], every[text]) for text in every}) == len(first) == len(set(numbered.values()))
        listed = [
            (play.text.removeprefix("7C "), play.what) for play in splits(p, 0, SEVEN, sharing(p.board, power, 0))
        ]
        assert [text for text, _ in listed] == sorted(first.values()), p
        assert all(" ".join(_named(p, leg.path) for leg in legs) == text for text, legs in listed)
        several += len(listed) > 1
    assert several > POSITIONS // 20


def _named(p: Position, path: Path) -> str:
    return f"{p.board.names[path.src]}-{p.board.names[path.end]}"


def test_a_seven_of_four_marbles_in_the_open_reaches_a_hundred_and_twenty_positions() -> None:
    """Seven steps over four marbles that never meet: the binomial coefficient of 10 and 3, each listed once."""
    rules = VARIANTS[3].values[0]
    assert isinstance(rules, TockRules)
    p = Position(rules, 4, 2, 0)
    for space in (9, 27, 45, 63):
        p.at[space] = 0
        p.tracks[0].append(space)
        p.reserve[0] -= 1
    assert len(splits(p, 0, SEVEN, sharing(p.board, Split(7, 4, eats_passed=True), 0))) == 120
