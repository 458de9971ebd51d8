"""The centre of the eight-player board."""

import pytest

from games.engine.tock.game import GAME
from tests.boards import at
from tests.rules.sheets import sentence
from tests.rules.words import does, places, played

SEVENS = [7, 25, 43, 61, 79, 97, 115, 133]


@sentence
def test_a_king_enters_the_centre(rules: str) -> None:
    for space in SEVENS:
        assert f"t{space}-x{space}" in does(rules, "KD", f"0: t{space}", seats=8)
    assert not any("x" in line for line in does(rules, "KD", "0: t8 t6", seats=8))
    assert places(played(rules, "KD t43-x43", "0: t43", seats=8), 0) == ["x43"]


@sentence
def test_a_king_leaves_the_centre(rules: str) -> None:
    found = [line for line in does(rules, "KD", "0: x43", seats=8) if line.startswith("x")]
    assert sorted(found) == sorted(f"x43-t{space}" for space in SEVENS if space != 43)
    assert places(played(rules, "KD x43-t7", "0: x43", seats=8), 0) == ["t7"]


@sentence
def test_out_of_the_centre_it_eats(rules: str) -> None:
    for seat in (1, 4):
        p = played(rules, "KD x43-t7", f"0: x43 / {seat}: t7", seats=8)
        assert (places(p, 0), places(p, seat), p.reserve[seat]) == (["t7"], [], 4)
    own = played(rules, "KD x43-t7", "0: x43 t7", seats=8)
    assert (places(own, 0), own.reserve[0]) == (["t7"], 3)


@sentence
def test_any_number_in_the_centre(rules: str) -> None:
    p = played(rules, "KD t7-x7", "0: t7 x7 x43 / 1: x7 x7 / 2: x25", seats=8)
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["x43", "x7", "x7"], ["x7", "x7"], ["x25"])


@sentence
def test_nothing_else_touches_the_centre(rules: str) -> None:
    for card in ("AS", "4S", "5S", "7C", "10H", "JD", "JK"):
        assert [line for line in does(rules, card, "0: x43 / 1: t50", seats=8) if line != "out"] == []
    assert does(rules, "JD", "0: t30 / 1: x43", seats=8) == []
    p = played(rules, "KD t30-t43", "0: t30 / 1: x43", seats=8)
    assert (places(p, 0), places(p, 1)) == (["t43"], ["x43"])


@sentence
def test_no_centre_with_four_or_six(rules: str) -> None:
    for seats in (4, 6):
        assert does(rules, "KD", "0: t25", seats=seats) == ["out", "t25-t38"]
        with pytest.raises(ValueError, match="x25"):
            at(rules=rules, seats=seats, marbles="0: x25")
    assert GAME.outcome(at(rules=rules, seats=8, marbles="0: x25")) is None
