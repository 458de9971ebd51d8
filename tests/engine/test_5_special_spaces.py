"""Rulebook section 5: cases 7, 8 and 18 of shawinigan."""

import pytest

from games.engine.tock.game import GAME
from tests.boards import after, at, lines, marbles


@pytest.mark.parametrize(("src", "card", "end"), [("t4", "3D", "t43"), ("t20", "5S", "t61"), ("t33", "10H", "t7")])
def test_a_marble_that_arrives_on_a_case_seven_jumps_to_the_opposite_one(src: str, card: str, end: str) -> None:
    assert f"{card} {src}-{end}" in lines(at(marbles=f"0: {src}", hands=f"0: {card}"))


def test_a_marble_jumps_after_a_step_back_too() -> None:
    assert lines(at(marbles="0: t47", hands="0: 4S")) == ["4S t47-t7"]


def test_a_jumping_marble_eats_where_it_arrives_and_where_the_jump_ends() -> None:
    p = at(marbles="0: t4 / 1: t7 / 3: t43", hands="0: 3D")
    assert marbles(after(p, "3D t4-t43")) == "0: t43"
    assert GAME.fx(p, GAME.parse_play(p, "3D t4-t43")) == [
        ["move", 0, "t4", "t7"], ["eaten", 1, "t7"], ["jump", 0, "t7", "t43"], ["eaten", 3, "t43"],
    ]  # fmt: skip


def test_a_jumping_marble_eats_own_marbles_too() -> None:
    assert marbles(after(at(marbles="0: t4 t7 t43", hands="0: 3D"), "3D t4-t43")) == "0: t43"


def test_a_marble_jumps_once() -> None:
    assert marbles(after(at(marbles="0: t4", hands="0: 3D"), "3D t4-t43")) == "0: t43"


def test_passing_over_a_case_seven_is_no_arrival() -> None:
    assert marbles(after(at(marbles="0: t4 / 1: t7", hands="0: 6S"), "6S t4-t10")) == "0: t10 / 1: t7"


def test_a_jump_passes_over_nothing() -> None:
    p = at(marbles="0: t4 / 1: t18* / 2: t36*", hands="0: 3D")
    assert marbles(after(p, "3D t4-t43")) == "0: t43 / 1: t18* / 2: t36*"


def test_a_marble_swapped_onto_a_case_seven_stays_and_leaves_it_like_any_other() -> None:
    p = after(at(marbles="0: t30 / 1: t7", hands="0: JS 2H / 1: / 2: / 3:"), "JS t30xt7")
    assert marbles(after(p, "2H t7-t9")) == "0: t9 / 1: t30"


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_nobody_ends_a_move_on_an_occupied_case_eight_its_own_side_neither(owner: int) -> None:
    where = {0: "0: t20 t26", 1: "0: t20 / 1: t26", 2: "0: t20 / 2: t26"}[owner]
    assert "6S t20-t26" not in lines(at(marbles=where, hands="0: 6S"))
    assert lines(at(marbles="0: t20", hands="0: 6S")) == ["6S t20-t26"]


def test_a_marble_on_a_case_eight_may_be_passed_over_by_a_king_too_who_does_not_eat_it() -> None:
    p = at(marbles="0: t20 / 1: t26 / 2: t27", hands="0: KS")
    assert marbles(after(p, "KS t20-t33")) == "0: t33 / 1: t26"


def test_a_marble_is_protected_on_a_case_eight_however_it_came_there() -> None:
    # A marble that was swapped onto the next space is in no danger; a seven cannot end there either.
    p = at(marbles="0: t24 t40 / 1: t26", hands="0: 7C")
    assert not any(leg == "t24-t26" for line in lines(p) for leg in line.split())


def test_a_five_of_any_seat_moves_a_protected_marble() -> None:
    assert lines(at(marbles="1: t26 / 3: t54*", hands="0: 5S")) == ["5S t26-t31", "5S t54-t59"]


def test_a_seven_may_leave_a_case_eight_first_and_land_there_second() -> None:
    p = at(marbles="0: t22 t26", hands="0: 7C")
    assert marbles(after(p, "7C t26-t29 t22-t26")) == "0: t26 t29"
    assert "7C t22-t29" in lines(p)


def test_a_marble_on_a_case_eighteen_that_is_not_fresh_has_no_protection() -> None:
    assert marbles(after(at(marbles="0: t15 / 1: t18", hands="0: 3D"), "3D t15-t18")) == "0: t18"
    assert "JS t15xt18" in lines(at(marbles="0: t15 / 1: t18", hands="0: JS"))
    assert "JS t15xt36" in lines(at(marbles="0: t15 / 1: t36", hands="0: JS"))
