"""Rulebook section 6, points 17 and 18 of section 14: the joker draws and replays."""

import pytest

from games.engine.cards import TEXTS
from games.engine.errors import BadPosition
from games.engine.tock.game import GAME
from tests.boards import after, at, json_at, lines


def replaying(hand: str, **others):  # type: ignore[no-untyped-def]
    return at(hands=f"0: {hand}", phase="joker", **others)


def test_a_joker_draws_the_top_card_and_the_same_seat_replays_the_same_marble() -> None:
    p = at(marbles="0: t20", hands="0: JK 2H")
    top = p.to_json()["stock"][0]
    q = after(p, "JK t20-t38")
    assert (q.phase, q.turn, q.to_json()["joker"]) == ("joker", 0, "t38")
    assert [TEXTS[card] for card in q.hands[0]] == sorted(["2H", top])
    assert GAME.fx(p, GAME.parse_play(p, "JK t20-t38")) == [["move", 0, "t20", "t38"], ["drawn", 0]]


def test_a_marble_brought_out_by_the_joker_is_followed_from_the_start() -> None:
    assert after(at(hands="0: JK"), "JK out").to_json()["joker"] == "t0"


def test_after_a_jump_the_marble_is_followed_where_it_ended() -> None:
    q = after(at(marbles="0: t43", hands="0: JK"), "JK t43-t25")
    assert q.to_json()["joker"] == "t25"


def test_a_marble_brought_home_is_followed_with_its_seats_number() -> None:
    q = after(at(marbles="0: t55", hands="0: JK 2H"), "JK t55-h3")
    assert q.to_json()["joker"] == "0h3"


def test_only_the_followed_marble_is_replayed() -> None:
    assert lines(replaying("2H 4C", marbles="0: t20 t38", joker="t38")) == ["2H t38-t40", "4C t38-t34"]


def test_the_followed_marble_moves_on_in_heaven() -> None:
    assert lines(replaying("2H 3H", marbles="0: t20 h2", joker="0h2")) == ["2H h2-h4"]


def test_a_seven_is_undivided_and_no_card_brings_another_marble_out() -> None:
    assert lines(replaying("7C AS KS", marbles="0: t20 t38", joker="t38")) == ["7C t38-t45", "AS t38-t39", "KS t38-t51"]


def test_the_jack_must_swap_the_followed_marble() -> None:
    assert lines(replaying("JS", marbles="0: t20 t38 / 1: t30", joker="t38")) == ["JS t38xt30"]
    assert lines(replaying("JS", marbles="0: t20 t0* / 1: t30", joker="t0")) == ["burn JS"]


def test_a_five_may_move_anybody_and_a_ten_be_sacrificed() -> None:
    p = replaying("5S 10H", marbles="0: t20 t38 / 1: t30", joker="t38")
    assert lines(p) == ["10H skip", "10H t38-t48", "5S t20-t61", "5S t30-t35", "5S t38-t7"]


def test_another_joker_draws_and_replays_again() -> None:
    p = after(replaying("JK", marbles="0: t38", joker="t38"), "JK t38-t56")
    assert (p.phase, p.to_json()["joker"]) == ("joker", "t56")


def test_one_card_is_burned_when_no_replay_is_possible_the_one_just_drawn_too() -> None:
    stuck = replaying("3S", marbles="0: t20 h3", joker="0h3")
    assert lines(stuck) == ["burn 3S"]
    # The stock's next card, a nine, cannot move a marble from h1: it may be burned, like the two in the hand.
    stock = json_at(hands="0: JK KS")["stock"]
    stock.remove("9S")
    p = after(at(marbles="0: t53 h2", hands="0: JK KS", stock=["9S", *stock]), "JK t53-h1")
    assert lines(p) == ["burn 9S", "burn KS"]


def test_a_replay_ends_the_turn() -> None:
    p = after(replaying("2H", marbles="0: t38", joker="t38"), "2H t38-t40")
    assert (p.phase, p.turn, "joker" in p.to_json()) == ("play", 1, False)


def test_whether_a_joker_is_playable_does_not_depend_on_the_replay() -> None:
    assert lines(at(hands="0: JK")) == ["JK out"]


def test_a_joker_that_cannot_move_is_burned_and_draws_nothing() -> None:
    p = at(marbles="0: h1 h2 h3 t20 / 2: t36*", hands="0: JK / 1: 9C 2C")
    assert lines(p) == ["burn JK"]
    q = after(p, "burn JK")
    assert (q.turn, q.hands[0], q.stock) == (1, [], p.stock)


def test_the_game_ends_before_the_replay() -> None:
    p = at(marbles="0: h2 h3 h4 t53 / 2: h1 h2 h3 h4", hands="0: JK 2H")
    q = after(p, "JK t53-h1")
    assert (q.phase, q.stock, "joker" in q.to_json()) == ("over", p.stock, False)


def test_a_joker_that_brings_the_last_marble_home_leaves_five_ten_or_a_burn() -> None:
    p = at(marbles="0: h2 h3 h4 t53 / 2: t40", hands="0: JK 2H 5H 10H")
    q = after(p, "JK t53-h1")
    assert [line for line in lines(q) if line[:2] in ("2H", "5H", "10")] == ["10H skip", "5H t40-t45"]
    stuck = replaying("2H 6S", marbles="0: h1 h2 h3 h4 / 2: t40", joker="0h4")
    assert lines(stuck) == ["burn 2H", "burn 6S"]


def test_a_stock_that_could_not_answer_a_joker_cannot_be() -> None:
    with pytest.raises(BadPosition, match="stock"):
        at(marbles="0: t20", hands="0: JK", stock=[])
    with pytest.raises(BadPosition, match="stock"):
        at(marbles="0: t20", hands="0: JK", stock=["JK"])


def test_a_followed_marble_that_is_not_the_sides_cannot_move() -> None:
    p = replaying("2H 4C 7C JS", marbles="0: t20 / 1: t40 / 3: t60", joker="t40")
    assert lines(p) == ["burn 2H", "burn 4C", "burn 7C", "burn JS"]
