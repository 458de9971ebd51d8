"""Rulebook sections 9 and 10, and points 6, 10 of section 14: partners, the end, ranks."""

from games.engine.game import Outcome
from games.engine.tock.game import GAME
from tests.boards import after, at, lines, marbles, outcome


def test_seats_opposite_are_partners_and_a_finished_seat_moves_its_partners_marbles() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 1: t20 / 2: t40", hands="0: 9C KS")
    assert lines(p) == ["9C t40-t49", "KS out", "KS t40-t53"]
    assert marbles(after(p, "KS out")) == "0: h1 h2 h3 h4 / 1: t20 / 2: t36* t40"


def test_the_partners_marbles_turn_in_at_the_partners_pieu() -> None:
    assert lines(at(marbles="0: h1 h2 h3 h4 / 2: t33", hands="0: 2H")) == ["2H t33-h1", "2H t33-t35"]
    assert lines(at(marbles="0: h1 h2 h3 h4 / 2: t32", hands="0: 2H")) == ["2H t32-t34"]
    assert "2H t34-h2" in lines(at(marbles="0: h1 h2 h3 h4 / 2: t34", hands="0: 2H"))


def test_the_jack_of_a_finished_seat_swaps_the_partners_marble_with_another_seats() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 1: t20 / 2: t40", hands="0: JS")
    assert lines(p) == ["JS t40xt20"]


def test_a_seven_is_never_shared_between_a_seats_last_marble_and_its_partners() -> None:
    p = at(marbles="0: h2 h3 h4 t68 / 2: t40", hands="0: 7C")
    assert lines(p) == ["7C t68-t3"]
    p = at(marbles="0: h1 h2 h3 h4 / 2: t40 t50", hands="0: 7C")
    assert "7C t40-t41 t50-t56" in lines(p)


def test_a_seat_moves_its_own_marbles_again_only_while_it_has_not_finished() -> None:
    p = at(marbles="0: h2 h3 h4 t69 / 2: t40", hands="0: 2H 9C / 1: / 2: / 3:")
    q = after(p, "2H t69-h1")
    assert lines(q) == ["9C t40-t49"]
    assert GAME.fx(p, GAME.parse_play(p, "2H t69-h1")) == [["move", 0, "t69", "h1"], ["home", 0]]


def test_the_game_ends_the_moment_a_team_is_in_heaven() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 1: h4 / 2: h2 h3 h4 t33 / 3: h3", hands="2: 2H 3C", turn=2)
    assert outcome(p) is None
    q = after(p, "2H t33-t35")
    assert outcome(q) is None
    p = at(marbles="0: h1 h2 h3 h4 / 1: h4 / 2: h2 h3 h4 t34 / 3: h3", hands="2: AS 3C / 3: 9H", turn=2)
    q = after(p, "AS t34-h1")
    assert outcome(q) == Outcome((0, 1), "played")
    assert (q.phase, q.turn, [len(hand) for hand in q.hands], q.stock) == ("over", 2, [1, 1, 1, 1], p.stock)
    assert lines(q) == []
    assert GAME.to_act(q) == frozenset()
    assert GAME.fx(p, GAME.parse_play(p, "AS t34-h1"))[-2:] == [["home", 2], ["over", [0, 1]]]


def test_a_five_may_bring_the_other_teams_last_marble_home_and_so_end_the_game() -> None:
    p = at(marbles="1: h1 h2 h3 h4 / 3: h1 h2 h3 t51", hands="0: 5S")
    assert "5S t51-h4" not in lines(p)
    p = at(marbles="1: h1 h2 h3 h4 / 3: h2 h3 h4 t48", hands="0: 5S")
    q = after(p, "5S t48-h1")
    assert outcome(q) == Outcome((1, 0), "played")


def test_the_last_card_of_a_deal_that_ends_the_game_deals_nothing() -> None:
    p = at(marbles="0: h1 h2 h3 h4 / 2: h2 h3 h4 t34", hands="2: AS / 0: / 1: / 3:", turn=2, deal=1)
    q = after(p, "AS t34-h1")
    assert (q.phase, q.deal, q.stock, q.hands) == ("over", 1, p.stock, [[], [], [], []])
