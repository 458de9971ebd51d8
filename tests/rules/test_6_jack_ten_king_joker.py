"""The five of Shawinigan, the jack, the ten, the king, the joker."""

from games.engine.tock.game import GAME
from tests.boards import after, at, lines
from tests.rules.sheets import sentence
from tests.rules.words import does, hand, places, played


@sentence
def test_a_5_moves_any_marble_on_the_track(rules: str) -> None:
    assert does(rules, "5S", "0: t21 / 1: t44 / 3: t62 h2") == ["t21-t26", "t44-t49", "t62-t67"]


@sentence
def test_a_5_moves_a_protected_marble(rules: str) -> None:
    assert does(rules, "5S", "1: t8 t18*") == ["t18-t23", "t8-t13"]
    p = played(rules, "5S t18-t23", "1: t18*")
    assert (places(p, 1), p.fresh()) == (["t23"], [])


@sentence
def test_a_5_brings_anothers_marble_home(rules: str) -> None:
    assert does(rules, "5S", "1: t14") == ["t14-h3", "t14-t19"]
    assert places(played(rules, "5S t14-h3", "1: t14"), 1) == ["h3"]


@sentence
def test_with_six_or_eight_a_5_passes_over_fresh_marbles(rules: str) -> None:
    for seats in (6, 8):
        assert does(rules, "5S", "0: t34 t53 / 2: t36* / 3: t54*", seats=seats) == ["t34-t39", "t53-t58"]
        # The own fresh marble too; it eats nothing on the way.
        p = played(rules, "5S t53-t58", "0: t53 / 1: t55 / 3: t54*", seats=seats)
        assert (places(p, 0), places(p, 1), places(p, 3), p.fresh()) == (["t58"], ["t55"], ["t54"], [3])


@sentence
def test_a_5_cannot_land_on_a_fresh_marble(rules: str) -> None:
    for seats in (6, 8):
        assert does(rules, "5S", "0: t31 / 2: t36*", seats=seats) == []


@sentence
def test_with_four_a_5_is_blocked_too(rules: str) -> None:
    assert does(rules, "5S", "0: t34 / 2: t36*") == []
    assert does(rules, "5S", "0: t34 / 2: t36") == ["t34-t39"]


@sentence
def test_a_jack_swaps_on_the_track(rules: str) -> None:
    p = played(rules, "JD t20xt40", "0: t20 / 1: t40")
    assert (places(p, 0), places(p, 1)) == (["t40"], ["t20"])
    assert does(rules, "JD", "0: h2 / 1: t40") == []
    assert does(rules, "JD", "0: t20 / 1: h2") == []


@sentence
def test_a_jack_swaps_only_with_another_players(rules: str) -> None:
    assert does(rules, "JD", "0: t20 t30") == []
    assert does(rules, "JD", "0: t20 / 1: t40 / 2: t50") == ["t20xt40", "t20xt50"]


@sentence
def test_a_jack_may_swap_two_of_your_own(rules: str) -> None:
    assert does(rules, "JD", "0: t20 t30") == ["t20xt30"]
    p = played(rules, "JD t20xt30", "0: t20 t30")
    assert places(p, 0) == ["t20", "t30"]
    assert p.turn == 1


@sentence
def test_a_jack_takes_no_protected_marble(rules: str) -> None:
    assert does(rules, "JD", "0: t20 / 1: t45 t18*") == ["t20xt45"]
    assert does(rules, "JD", "0: t20 / 1: t26") == []
    assert does(rules, "JD", "0: t0* t8 / 1: t45") == []


@sentence
def test_a_jack_takes_no_other_fresh_marble(rules: str) -> None:
    assert does(rules, "JD", "0: t20 / 1: t18* t44") == ["t20xt44"]
    assert does(rules, "JD", "0: t0* / 1: t44") == ["t0xt44"]


@sentence
def test_nothing_happens_after_a_swap(rules: str) -> None:
    p = played(rules, "JD t20xt25", "0: t20 / 1: t25 / 2: t61")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t25"], ["t20"], ["t61"])


@sentence
def test_nothing_is_eaten_by_a_swap(rules: str) -> None:
    p = played(rules, "JD t20xt40", "0: t20 / 1: t40 t30 / 2: t35")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t40"], ["t20", "t30"], ["t35"])


@sentence
def test_neither_is_fresh_after_a_swap(rules: str) -> None:
    # A marble that is on its own start after a swap did not come out.
    onto_its_start = played(rules, "JD t20xt0", "0: t20 / 1: t0")
    assert (places(onto_its_start, 0), onto_its_start.fresh()) == (["t0"], [])
    if rules != "shawinigan/1":
        moved = played(rules, "JD t0xt40", "0: t0* / 1: t40")
        assert (places(moved, 0), places(moved, 1), moved.fresh()) == (["t40"], ["t0"], [])


@sentence
def test_a_ten_moves_and_the_next_burns(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20 / 1: t50", hands="0: 10S / 1: 2C KD / 2: 3H")
    q = after(p, "10S t20-t30")
    assert (q.phase, q.turn, lines(q)) == ("forced", 1, ["burn 2C", "burn KD"])
    assert after(q, "burn KD").turn == 2


@sentence
def test_no_burn_when_the_next_has_no_cards(rules: str) -> None:
    q = after(at(rules=rules, marbles="0: t20", hands="0: 10S / 1: / 2: 3H"), "10S t20-t30")
    assert (q.phase, q.turn) == ("play", 2)


@sentence
def test_the_kings_13_eats_on_the_way(rules: str) -> None:
    p = played(rules, "KS t20-t33", "0: t20 t22 / 1: t24 / 2: t30 / 3: t33")
    assert (places(p, 0), places(p, 1), places(p, 2), places(p, 3)) == (["t33"], [], [], [])


@sentence
def test_the_king_spares_a_case_8(rules: str) -> None:
    p = played(rules, "KS t20-t33", "0: t20 / 1: t26 t27")
    assert places(p, 1) == ["t26"]


@sentence
def test_the_king_sweeps_up_to_the_pieu(rules: str) -> None:
    p = played(rules, "KS t60-h3", "0: t60 / 1: t70 t65 / 2: t71")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["h3"], [], ["t71"])


@sentence
def test_a_jump_sweeps_nothing(rules: str) -> None:
    p = played(rules, "KS t12-t61", "0: t12 / 1: t40 t20 / 2: t61")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t61"], ["t40"], [])


@sentence
def test_the_king_eats_only_where_it_lands(rules: str) -> None:
    p = played(rules, "KS t20-t33", "0: t20 / 1: t24 / 2: t33")
    assert (places(p, 0), places(p, 1), places(p, 2)) == (["t33"], ["t24"], [])


def replaying(rules: str, cards: str, marbles: str, joker: str) -> list[str]:
    """Return the replays of seat 0 with these cards."""
    return lines(at(rules=rules, marbles=marbles, hands=f"0: {cards}", phase="joker", joker=joker))


@sentence
def test_a_joker_draws_and_replays(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20 t40", hands="0: JK 2C", deal=2)
    top = p.to_json()["stock"][0]
    q = after(p, "JK t20-t38")
    assert (q.phase, q.turn, q.to_json()["joker"]) == ("joker", 0, "t38")
    assert hand(q, 0) == sorted(["2C", top])
    assert replaying(rules, "9S", "0: t38 t40", "t38") == ["9S t38-t47"]
    won = played(rules, "JK t53-h1", "0: t53 h2 h3 h4 / 2: h1 h2 h3 h4")
    assert (won.phase, hand(won, 0)) == ("over", [])


@sentence
def test_replay_forward_or_back(rules: str) -> None:
    assert replaying(rules, "9S 4H JK", "0: t38 t40", "t38") == ["4H t38-t34", "9S t38-t47", "JK t38-t56"]
    p = at(rules=rules, marbles="0: t38", hands="0: JK", phase="joker", joker="t38")
    q = after(p, "JK t38-t56")
    assert (q.phase, q.to_json()["joker"], len(q.hands[0])) == ("joker", "t56", 1)


@sentence
def test_replay_of_a_seven_is_whole(rules: str) -> None:
    assert replaying(rules, "7C", "0: t38 t40", "t38") == ["7C t38-t45"]
    assert replaying(rules, "JD", "0: t38 t40 / 1: t50", "t38") == ["JD t38xt50"]


@sentence
def test_replay_with_a_5_or_a_sacrificed_10(rules: str) -> None:
    found = replaying(rules, "5S 10H", "0: t39 t41 / 1: t50", "t39")
    assert found == ["10H skip", "10H t39-t49", "5S t39-t44", "5S t41-t46", "5S t50-t55"]


@sentence
def test_no_replay_possible_burns(rules: str) -> None:
    assert replaying(rules, "9S 8H", "0: h3", "0h3") == ["burn 8H", "burn 9S"]
    p = at(rules=rules, marbles="0: t53 h4", hands="0: JK 9S", stock=["6C"])
    q = after(p, "JK t53-h1")
    # The card just drawn may be burned too.
    assert lines(q) == ["burn 6C", "burn 9S"]


@sentence
def test_no_other_marble_out_in_a_replay(rules: str) -> None:
    assert replaying(rules, "KS AS", "0: t38", "t38") == ["AS t38-t39", "KS t38-t51"]


@sentence
def test_the_marble_is_followed_after_a_jump(rules: str) -> None:
    p = played(rules, "JK t7-t61", "0: t7")
    assert p.to_json()["joker"] == "t61"


@sentence
def test_last_marble_home_by_a_joker(rules: str) -> None:
    p = at(rules=rules, marbles="0: h1 h2 h3 h4 / 2: t40", hands="0: 9S 5S 10H", phase="joker", joker="0h4")
    assert lines(p) == ["10H skip", "5S t40-t45"]
    nothing = at(rules=rules, marbles="0: h1 h2 h3 h4 / 2: t40", hands="0: 9S KS", phase="joker", joker="0h4")
    assert lines(nothing) == ["burn 9S", "burn KS"]


@sentence
def test_a_burned_joker_draws_nothing(rules: str) -> None:
    p = at(rules=rules, marbles="0: t0* h1 h2 h3", hands="0: 2C JK", phase="forced")
    stock = list(p.stock)
    q = after(p, "burn JK")
    assert (q.turn, hand(q, 0), q.stock) == (1, ["2C"], stock)


@sentence
def test_a_joker_does_not_replay(rules: str) -> None:
    for seats in (6, 8):
        p = at(rules=rules, seats=seats, marbles="0: t20", hands="0: JK 2C")
        stock = list(p.stock)
        q = after(p, "JK t20-t38")
        assert (q.phase, q.turn, hand(q, 0), q.stock) == ("play", 1, ["2C"], stock)
    assert GAME.outcome(p) is None
