"""The seven: shared among marbles, part by part."""

from games.engine.errors import EngineError
from games.engine.tock.game import GAME
from tests.boards import at
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played


def accepted(rules: str, line: str, marbles: str) -> bool:
    """Return whether the authority accepts this line of seat 0, listed or not."""
    p = at(rules=rules, marbles=marbles, hands="0: 7C")
    try:
        return GAME.is_legal(p, GAME.parse_play(p, line))
    except EngineError:
        return False


def _seven_steps(rules: str, most: int) -> None:
    marbles = "0: t10 t28 t46 t52"
    for line in does(rules, "7C", marbles):
        legs = [leg.split("-") for leg in line.split()]
        steps = [int(end[1:]) - int(src[1:]) for src, end in legs]
        assert sum(steps) == 7
        assert all(step >= 1 for step in steps)
        assert len({src for src, _ in legs}) == len(legs) <= most
    assert not accepted(rules, "7C t10-t13 t28-t31", marbles)
    assert not accepted(rules, "7C t10-t14 t28-t32", marbles)
    assert accepted(rules, "7C t28-t32 t10-t13", marbles)
    assert accepted(rules, "7C t10-t12 t28-t30 t46-t49", marbles) == (most > 2)
    assert accepted(rules, "7C t52-t54 t10-t12 t28-t30 t46-t47", marbles) == (most > 3)


@sentence
def test_seven_steps_over_one_or_two_marbles(rules: str) -> None:
    _seven_steps(rules, 2)


@sentence
def test_seven_steps_over_one_to_four_marbles(rules: str) -> None:
    _seven_steps(rules, 4)


@sentence
def test_a_seven_moves_each_marble_once(rules: str) -> None:
    assert not accepted(rules, "7C t20-t22 t30-t32 t22-t25", "0: t20 t30")
    assert not accepted(rules, "7C t20-t22 t22-t27", "0: t20 t30")


@sentence
def test_a_seven_eats_on_the_way(rules: str) -> None:
    p = played(rules, "7C t20-t27", "0: t20 t22 / 1: t21 / 2: t24 / 3: t27")
    assert (places(p, 0), places(p, 1), places(p, 2), places(p, 3)) == (["t27"], [], [], [])
    split = played(rules, "7C t20-t23 t40-t44", "0: t20 t40 / 1: t22 / 3: t43")
    assert (places(split, 0), places(split, 1), places(split, 3)) == (["t23", "t44"], [], [])


@sentence
def test_parts_of_a_seven_one_after_the_other(rules: str) -> None:
    # The first part's marble has moved from t20 to t23 when the second one moves: it is eaten there.
    p = played(rules, "7C t20-t23 t19-t23", "0: t20 t19")
    assert (places(p, 0), p.reserve[0]) == (["t23"], 3)
    # Into heaven in order: first the deeper place, then the one before it.
    assert accepted(rules, "7C t69-h3 t68-h1", "0: t69 t68")
    assert not accepted(rules, "7C t68-h1 t69-h3", "0: t69 t68")


@sentence
def test_an_eaten_marble_plays_no_part(rules: str) -> None:
    assert not accepted(rules, "7C t20-t23 t23-t27", "0: t20 t23")
    assert not accepted(rules, "7C t20-t23 t23-t27", "0: t20 t23 / 1: t40")
    assert accepted(rules, "7C t23-t27 t20-t23", "0: t20 t23")


@sentence
def test_a_fresh_marble_that_left_opens_the_way(rules: str) -> None:
    marbles = "0: t0* t69"
    assert accepted(rules, "7C t0-t2 t69-t2", marbles)
    assert not accepted(rules, "7C t69-t2 t0-t2", marbles)


@sentence
def test_parts_of_a_seven_in_heaven(rules: str) -> None:
    p = played(rules, "7C h1-h3 t20-t25" if rules != "shawinigan/1" else "7C h1-h3 t21-t26", "0: h1 t20 t21")
    assert "h3" in places(p, 0)
    assert does(rules, "7C", "0: h1 h2") == []


@sentence
def test_a_seven_in_full_or_not_at_all(rules: str) -> None:
    assert does(rules, "7C", "0: h1 h3") == []
    assert does(rules, "7C", "0: t34 / 2: t36*") == []
    assert does(rules, "7C", "0: h1 t34 / 2: t36*") == []


@sentence
def test_a_seven_is_never_shared_with_the_partner(rules: str) -> None:
    marbles = "0: t69 h2 h3 h4 / 2: t20 t30"
    assert not accepted(rules, "7C t69-h1 t20-t25", marbles)
    assert does(rules, "7C", marbles) == ["t69-t4"]
    assert does(rules, "7C", "0: h1 h2 h3 h4 / 2: t20 t40")[0].startswith("t20-")
