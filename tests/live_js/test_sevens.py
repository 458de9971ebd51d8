"""A shared seven on the page: its orders of legs are those of the engine, and they are laid one by one."""

import random
from itertools import permutations

import pytest

from games.engine.errors import IllegalPlay
from games.engine.tock.game import GAME
from games.engine.tock.legal import side
from games.engine.tock.rules import Split
from tests.engine.built import KINDS, built
from tests.engine.configurations import ALL
from tests.engine.slow_sevens import spellings

pytestmark = pytest.mark.browser

EACH = 8  # positions of each kind of table
TEXTS = "a[0].map(([view, seat, card]) => m.orders(view, seat, card).map((play) => play.text).sort())"


def sevens(table, count, roll):
    """Yield (position, card) of turns with a seven in hand, at one kind of table."""
    kinds = sorted(KINDS)
    while count:
        data = built(roll, table, roll.choice(kinds))
        cards = [card for card in data["hands"][data["turn"]] if card.startswith("7")]
        if data["phase"] == "play" and cards:
            p = GAME.from_json(data)
            if any(line.startswith("7") for line in GAME.view(p, p.turn)["legal"]):
                count -= 1
                yield p, cards[0]


def every_order(p, card):
    (split,) = (power for power in p.rules.powers(p.seats)["7"] if isinstance(power, Split))
    return sorted({f"{card} {text}" for text, _, _ in spellings(p, side(p, p.turn), split)})


def test_the_page_finds_exactly_the_orders_that_the_engine_takes(js):
    roll = random.Random(4)
    asked, wanted = [], []
    for table in ALL:
        for p, card in sevens(table, EACH, roll):
            asked.append([GAME.view(p, p.turn), p.turn, card])
            wanted.append(every_order(p, card))
    assert sum(map(len, wanted)) > 3_000
    assert max(len(line.split()) for lines in wanted for line in lines) == 5  # four marbles
    found = js("seven.js", TEXTS, asked)
    for (view, _, _), lines, right in zip(asked, found, wanted, strict=True):
        assert lines == right, view


def test_touched_marbles_leave_the_orders_that_the_engine_leaves(js):
    roll = random.Random(5)
    asked, wanted = [], []
    for table in ALL[::3]:
        for p, card in sevens(table, 1, roll):
            whole = every_order(p, card)
            used = sorted({word.split("-")[0] for line in whole for word in line.split()[1:]})
            touches = [(marble,) for marble in used] + list(permutations(used, 2))
            for marbles in roll.sample(touches, min(2, len(touches))):
                legal = [GAME.play_text(play) for play in GAME.narrow(p, card=card, marbles=marbles)]
                touched = {"card": card, "marble": marbles[0], "marbles": list(marbles)}
                asked.append([GAME.view(p, p.turn) | {"legal": legal, "touched": touched}, p.turn, card])
                lines = roll.sample(whole, min(6, len(whole)))
                wanted.append({line: takes(p, line, card, marbles) for line in lines})
    assert {True, False} == {answer for lines in wanted for answer in lines.values()}
    found = js("seven.js", TEXTS, asked)
    for (view, _, _), lines, right in zip(asked, found, wanted, strict=True):
        assert {line: line in lines for line in right} == right, view


def takes(p, line, card, marbles):
    """Return whether the engine accepts an order after these touches."""
    try:
        GAME.check(p, GAME.parse_play(p, line), card=card, marbles=marbles)
    except IllegalPlay:
        return False
    return True
