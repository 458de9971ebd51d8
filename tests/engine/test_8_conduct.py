"""Rulebook section 8: touched cards and marbles, talking penalties."""

import pytest

from games.engine.errors import IllegalPlay
from games.engine.game import Chance
from games.engine.tock import conduct
from games.engine.tock.game import GAME
from tests.boards import after, at, lines

TWO = at(marbles="0: t12 t15", hands="0: 7C 2H")


def open_after(p, card=None, *marbles: str) -> list[str]:  # type: ignore[no-untyped-def]
    return [play.text for play in GAME.narrow(p, card=card, marbles=marbles)]


def refusal(p, line: str, card=None, *marbles: str) -> str | None:  # type: ignore[no-untyped-def]
    try:
        GAME.check(p, GAME.parse_play(p, line), card=card, marbles=marbles)
    except IllegalPlay as refused:
        return refused.code
    return None


def test_without_touches_all_plays_are_open() -> None:
    assert open_after(TWO) == lines(TWO)


def test_a_card_laid_must_be_played_if_it_is_playable() -> None:
    assert open_after(TWO, "2H") == ["2H t12-t14", "2H t15-t17"]
    assert refusal(TWO, "7C t12-t19", "2H") == "touched_card"
    assert conduct.may_touch_card(TWO, "2H")


def test_a_card_that_is_not_playable_binds_nothing() -> None:
    p = at(marbles="0: h4", hands="0: 9C KS")
    assert open_after(p, "9C") == ["KS out"]
    assert not conduct.may_touch_card(p, "9C")
    assert refusal(p, "KS out", "9C") is None


def test_a_marble_touched_must_be_played_if_it_is_playable() -> None:
    assert open_after(TWO, "2H", "t15") == ["2H t15-t17"]
    assert refusal(TWO, "2H t12-t14", "2H", "t15") == "touched_marble"
    assert refusal(TWO, "2H t15-t17", "2H", "t15") is None


def test_a_marble_that_cannot_be_played_binds_nothing() -> None:
    p = at(marbles="0: t12 h1 / 1: t40", hands="0: 9C")
    assert open_after(p, "9C", "h1") == open_after(p, "9C", "t40") == open_after(p, "9C", "t50") == ["9C t12-t21"]
    assert not conduct.may_touch_marble(p, "h1", card="9C")
    assert conduct.may_touch_marble(p, "t12", card="9C")


def test_the_spelling_that_uses_the_touched_marble_is_offered() -> None:
    assert "7C t12-t19" in lines(TWO)
    touched = open_after(TWO, "7C", "t15")
    assert "7C t15-t19 t12-t15" in touched
    assert "7C t12-t19" not in touched
    assert "7C t15-t22" in touched
    assert refusal(TWO, "7C t15-t19 t12-t15", "7C", "t15") is None
    assert refusal(TWO, "7C t12-t19", "7C", "t15") == "touched_marble"


def test_both_marbles_of_a_seven_may_be_touched() -> None:
    both = open_after(TWO, "7C", "t15", "t12")
    assert both
    assert all("t15-" in line and "t12-" in line for line in both)
    assert refusal(TWO, "7C t15-t22", "7C", "t15", "t12") == "touched_marble"


def test_every_order_of_the_legs_is_accepted_once_both_are_touched() -> None:
    p = at(marbles="0: t9 t30", hands="0: 7C")
    assert refusal(p, "7C t9-t15 t30-t31", "7C", "t9", "t30") is None
    assert open_after(p, "7C", "t9", "t30") == open_after(p, "7C", "t30", "t9")


def test_a_marble_in_the_reserve_is_touched_as_r() -> None:
    p = at(marbles="0: t30", hands="0: KS")
    assert open_after(p, "KS", "r") == ["KS out"]
    assert open_after(p, "KS", "t30") == ["KS t30-t7"]
    assert not conduct.may_touch_marble(at(marbles="0: t30", hands="0: 9C"), "r", card="9C")


def test_both_marbles_of_a_swap_are_used() -> None:
    p = at(marbles="0: t12 t15 / 1: t40 t50", hands="0: JS")
    assert open_after(p, "JS", "t40") == ["JS t12xt40", "JS t15xt40"]
    assert open_after(p, "JS", "t40", "t15") == ["JS t15xt40"]


def test_a_marble_in_heaven_is_the_sides_own() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 2: h1 t40", hands="0: 2H")
    assert open_after(p, "2H", "h1") == ["2H h1-h3"]


def test_a_marble_touched_before_any_card_leaves_every_card_that_moves_it() -> None:
    p = at(marbles="0: t12 t15", hands="0: 2H 3H KS")
    assert open_after(p, None, "t15") == ["2H t15-t17", "3H t15-t18", "KS t15-t28"]


def test_touches_narrow_a_jokers_replay_too() -> None:
    p = at(marbles="0: t12 t38 / 1: t50", hands="0: 5S 2H", phase="joker", joker="t38")
    assert open_after(p, "5S", "t50") == ["5S t50-t55"]


@pytest.mark.parametrize("phase", ["forced", "play"])
def test_a_burn_touches_no_marble(phase: str) -> None:
    p = at(hands="0: 9C 2H", marbles="", phase=phase)
    assert open_after(p, "9C") == ["burn 9C"]
    assert open_after(p, "9C", "r") == ["burn 9C"]


# ---- talking


def test_a_player_who_talked_burns_a_card_blind_at_its_next_turn_and_passes() -> None:
    p = conduct.penalise(at(marbles="0: t30", hands="0: 9C / 1: 2H 3H 3S"), 1)
    q = after(p, "9C t30-t39")
    assert (q.phase, q.turn) == ("blind", 1)
    assert GAME.to_act(q) == Chance("blind", 1)
    assert lines(q) == ["blind 2H", "blind 3H", "blind 3S"]
    r = after(q, "blind 3H")
    assert (r.phase, r.turn, r.penalties) == ("play", 2, [0, 0, 0, 0])
    assert GAME.facts(q, GAME.parse_play(q, "blind 3H"))[0].word == "blind"


def test_a_penalty_given_to_the_seat_whose_turn_runs_waits_for_its_next_turn() -> None:
    p = conduct.penalise(at(marbles="0: t30", hands="0: 9C 2S / 1: / 2: / 3:"), 0)
    assert p.phase == "play"
    assert after(p, "9C t30-t39").phase == "blind"


def test_several_penalties_take_one_turn_each() -> None:
    p = conduct.penalise(conduct.penalise(at(hands="0: 9C / 1: 2H 3H / 2: / 3:"), 1), 1)
    q = after(p, "burn 9C")
    q = after(q, "blind 2H")
    assert (q.turn, q.phase, q.penalties[1]) == (1, "blind", 1)


def test_a_forced_burn_comes_first_and_does_not_serve_the_penalty() -> None:
    p = conduct.penalise(at(hands="0: 10H / 1: 2H 3H / 2: / 3:"), 1)
    q = after(p, "10H skip")
    assert (q.phase, q.penalties[1]) == ("forced", 1)
    q = after(q, "burn 2H")
    assert (q.phase, q.turn) == ("blind", 1)


def test_a_penalty_left_at_the_end_of_a_deal_is_served_in_the_next() -> None:
    p = conduct.penalise(at(hands="0: 9C / 1: / 2: / 3:", deal=1, dealer=3), 0)
    q = after(p, "burn 9C")
    assert (q.deal, q.turn, q.phase) == (2, 0, "blind")


def test_a_penalty_given_before_the_first_turn_is_served_when_that_turn_begins() -> None:
    p = at(
        phase="give", first=True, deal=0, turn=0, dealer=0,
        hands="0: 9C / 1: 8C / 2: 7C / 3: 6C", penalties=[0, 1, 0, 0],
    )  # fmt: skip
    q = after(p, "give 9C", "give 8C", "give 7C", "give 6C")
    assert (q.turn, q.phase) == (1, "blind")


def test_penalties_change_no_other_position() -> None:
    p = at(hands="0: 9C")
    conduct.penalise(p, 0)
    assert p.penalties == [0, 0, 0, 0]
