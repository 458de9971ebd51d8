"""Rulebook section 7: the obligation to play, burning, the ten."""

import pytest

from games.engine.errors import IllegalPlay
from games.engine.tock.game import GAME
from tests.boards import after, at, lines


def refusal(p, line: str) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(IllegalPlay) as refused:
        after(p, line)
    return refused.value.code


def test_a_seat_that_can_play_must_play_however_bad() -> None:
    p = at(marbles="0: t30 / 2: t39", hands="0: 9C KH")
    assert "burn KH" not in lines(p)
    assert refusal(p, "burn 9C") == "must_play"


def test_a_seat_without_a_playable_card_burns_one_of_its_choice() -> None:
    p = at(hands="0: 9C 2H 9D")
    assert lines(p) == ["burn 2H", "burn 9C", "burn 9D"]
    q = after(p, "burn 9C")
    assert (q.turn, len(q.hands[0])) == (1, 2)
    assert refusal(p, "9C t0-t9") == "not_possible"


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    assert refusal(at(marbles="0: t30", hands="0: 9C"), "8C t30-t38") == "no_such_card"


def test_a_ten_moves_or_is_sacrificed_and_then_moves_nothing() -> None:
    p = at(marbles="0: t30", hands="0: 10H / 1: 2C 3C")
    assert lines(p) == ["10H skip", "10H t30-t40"]
    q = after(p, "10H skip")
    assert (q.phase, q.turn, q.tracks[0]) == ("forced", 1, [30])
    assert after(p, "10H t30-t40").phase == "play"


def test_a_ten_that_can_be_sacrificed_is_playable() -> None:
    assert lines(at(hands="0: 10H 9C")) == ["10H skip"]


def test_the_seat_hit_burns_any_card_playable_or_not_and_that_was_its_turn() -> None:
    p = after(at(marbles="1: t30", hands="0: 10H / 1: 9C 2H KS"), "10H skip")
    assert lines(p) == ["burn 2H", "burn 9C", "burn KS"]
    assert refusal(p, "9C t30-t39") == "not_now"
    q = after(p, "burn 9C")
    assert (q.turn, q.phase, q.tracks[1]) == (2, "play", [30])


def test_an_exchanged_or_blindly_burned_card_is_not_a_play_of_a_turn() -> None:
    p = at(marbles="0: t30", hands="0: 9C 2H")
    assert refusal(p, "give 9C") == "not_possible"
    assert refusal(p, "blind 9C") == "not_possible"


def test_a_burned_ten_forces_nobody() -> None:
    p = after(at(hands="0: 10H / 1: 10S 2H"), "10H skip")
    assert after(p, "burn 10S").phase == "play"


def test_no_sacrifice_when_the_next_seat_has_no_card_left() -> None:
    p = at(marbles="0: t30", hands="0: 10H 2H / 1: / 2: / 3: 3H")
    assert "10H skip" not in lines(p)
    assert refusal(p, "10H skip") == "not_possible"
    assert lines(at(hands="0: 10H / 1: / 2: / 3:")) == ["burn 10H"]


def test_the_next_seat_in_teams_is_hit_also_when_it_has_finished() -> None:
    p = at(marbles="1: h1 h2 h3 h4", hands="0: 10H / 1: 9C")
    assert lines(p) == ["10H skip"]
    assert after(p, "10H skip").turn == 1


def test_a_sacrifice_and_a_forced_burn_are_facts() -> None:
    p = at(hands="0: 10H / 1: 9C")
    assert GAME.fx(p, GAME.parse_play(p, "10H skip")) == [["forced", 1]]


def test_equal_cards_give_equal_plays_listed_once() -> None:
    assert lines(at(hands="0: JK JK")) == ["JK out"]
    assert lines(at(marbles="0: h1 h2 h3 t20 / 2: t36*", hands="0: JK JK")) == ["burn JK"]
