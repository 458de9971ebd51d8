"""Rulebook sections 3 and 4, and points 12 to 15 of section 14: what each card does on the board."""

import pytest

from games.engine.errors import EngineError, IllegalPlay
from games.engine.tock.game import GAME
from games.engine.tock.legal import playable, sheet
from games.engine.tock.rules import Split
from tests.boards import after, at, lines, marbles
from tests.engine.records import random_game
from tests.engine.slow_sevens import spellings


@pytest.mark.parametrize("card", ["AS", "KS", "JK"])
def test_ace_king_and_joker_come_out_fresh(card: str) -> None:
    p = at(hands=f"1: {card}", turn=1)
    assert lines(p) == [f"{card} out"]
    assert marbles(after(p, f"{card} out")) == "1: t18*"


def test_coming_out_eats_whoever_stands_on_the_start_an_own_marble_too() -> None:
    assert marbles(after(at(marbles="2: t18", hands="1: KS", turn=1), "KS out")) == "1: t18*"
    p = at(marbles="1: t18", hands="1: KS", turn=1)
    assert marbles(after(p, "KS out")) == "1: t18*"
    assert p.reserve[1] == 3


def test_nothing_comes_out_onto_a_fresh_marble() -> None:
    assert lines(at(marbles="1: t18*", hands="1: KS", turn=1)) == ["KS t18-t31"]


def test_nothing_comes_out_of_an_empty_reserve() -> None:
    assert lines(at(marbles="1: t20 t21 t22 h4", hands="1: AS", turn=1)) == ["AS t20-t21", "AS t21-t22", "AS t22-t23"]


@pytest.mark.parametrize(
    ("card", "end"),
    [("AS", 31), ("2D", 32), ("3S", 33), ("5S", 35), ("6S", 36), ("7S", 37), ("8S", 38), ("9S", 39), ("QS", 42)],
)
def test_plain_cards_go_forward_by_their_number(card: str, end: int) -> None:
    p = at(marbles="2: t30", hands=f"2: {card}", turn=2)
    assert f"{card} t30-t{end}" in lines(p)


def test_the_four_goes_back_along_the_track_only() -> None:
    assert lines(at(marbles="0: t2 h1", hands="0: 4S")) == ["4S t2-t70"]
    # It passes its own pieu (t70) like any space.
    assert lines(at(marbles="0: t71", hands="0: 4S")) == ["4S t71-t67"]


def test_a_marble_that_stepped_back_over_its_pieu_may_turn_in() -> None:
    p = after(
        at(marbles="0: t1", hands="0: 4S 3S / 1: 2C / 2: 2D / 3: 2H"), "4S t1-t69", "burn 2C", "burn 2D", "burn 2H"
    )
    assert lines(p) == ["3S t69-h2", "3S t69-t0"]


def test_a_marble_past_its_pieu_goes_round_again() -> None:
    assert lines(at(marbles="0: t71", hands="0: 3S")) == ["3S t71-t2"]
    assert lines(at(marbles="0: t0", hands="0: 3S")) == ["3S t0-t3"]


def test_at_the_pieu_one_step_is_the_first_heaven_or_the_next_space_as_the_player_likes() -> None:
    assert lines(at(marbles="0: t70", hands="0: AS")) == ["AS out", "AS t70-h1", "AS t70-t71"]


def test_another_seats_pieu_leads_nowhere() -> None:
    assert lines(at(marbles="0: t16", hands="0: AS")) == ["AS out", "AS t16-t17"]


def test_in_heaven_nothing_is_stepped_over_and_a_count_must_fit() -> None:
    assert lines(at(marbles="0: h1 h3", hands="0: 2D AS", turn=0)) == ["AS h1-h2", "AS h3-h4", "AS out"]
    assert lines(at(marbles="0: t70 h2", hands="0: 3S")) == ["3S t70-t1"]
    assert lines(at(marbles="0: t70 h4", hands="0: 3S")) == ["3S t70-h3", "3S t70-t1"]
    assert lines(at(marbles="0: t70", hands="0: 5S")) == ["5S t70-t3"]


@pytest.mark.parametrize(("card", "src"), [("9C", "t30"), ("6S", "t30"), ("8S", "t30"), ("4S", "t40")])
def test_no_marble_passes_over_or_lands_on_a_fresh_one_forward_or_back(card: str, src: str) -> None:
    p = at(marbles=f"0: {src} / 2: t36*", hands=f"0: {card}")
    assert lines(p) == [f"burn {card}"]
    assert lines(at(marbles=f"0: {src} / 2: t36", hands=f"0: {card}")) != [f"burn {card}"]


def test_the_owner_of_a_fresh_marble_is_stopped_by_it_too() -> None:
    assert lines(at(marbles="2: t30 t36*", hands="2: 9C", turn=2)) == ["9C t36-t45"]


def test_a_marble_standing_on_a_start_unfresh_stops_nobody() -> None:
    assert marbles(after(at(marbles="0: t30 / 2: t36", hands="0: 6S"), "6S t30-t36")) == "0: t36"


def test_the_space_where_a_move_starts_is_not_passed_over() -> None:
    assert lines(at(marbles="2: t36*", hands="2: 9C", turn=2)) == ["9C t36-t45"]


def test_a_marble_loses_its_freshness_by_any_move_whoever_makes_it() -> None:
    p = after(at(marbles="2: t36*", hands="0: 5S"), "5S t36-t41")
    assert marbles(p) == "2: t41"
    back = at(marbles="0: t0*", hands="0: 4S 4H / 1: / 2: / 3:")
    assert marbles(after(back, "4S t0-t68")) == "0: t68"


def test_coming_to_the_own_start_in_another_way_is_not_fresh() -> None:
    assert marbles(after(at(marbles="0: t69", hands="0: 3S"), "3S t69-t0")) == "0: t0"


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_a_marble_that_lands_on_another_eats_it_partner_and_own_ones_too(victim: int) -> None:
    where = {0: "0: t30 t39", 1: "0: t30 / 1: t39", 2: "0: t30 / 2: t39"}[victim]
    p = at(marbles=where, hands="0: 9C")
    q = after(p, "9C t30-t39")
    assert marbles(q) == "0: t39"
    assert q.reserve[victim] == p.reserve[victim] + 1


def test_plain_cards_pass_over_marbles_and_leave_them() -> None:
    assert marbles(after(at(marbles="0: t30 / 1: t33", hands="0: 9C"), "9C t30-t39")) == "0: t39 / 1: t33"


def test_the_king_eats_all_it_passes_own_ones_and_partners_too_but_not_where_it_started() -> None:
    p = at(marbles="0: t27 t29 / 1: t31 / 2: t33 / 3: t40", hands="0: KS")
    q = after(p, "KS t27-t40")
    assert marbles(q) == "0: t40"
    assert GAME.fx(p, GAME.parse_play(p, "KS t27-t40")) == [
        ["move", 0, "t27", "t40"], ["eaten", 0, "t29"], ["eaten", 1, "t31"], ["eaten", 2, "t33"], ["eaten", 3, "t40"],
    ]  # fmt: skip


def test_the_king_on_its_way_home_sweeps_the_track_up_to_and_with_the_pieu() -> None:
    p = at(marbles="0: t58 h2 / 1: t61 / 3: t70", hands="0: KS")
    q = after(p, "KS t58-h1")
    assert marbles(q) == "0: h1 h2"
    assert marbles(after(at(marbles="0: t58 / 1: t71", hands="0: KS"), "KS t58-h1")) == "0: h1 / 1: t71"


def test_the_kings_sweep_covers_no_jump() -> None:
    # t48 + 13 = t61, a case 7: the marble ends on t25, and t40 is not on its way.
    p = at(marbles="0: t48 / 1: t40 / 2: t25 / 3: t61", hands="0: KS")
    assert marbles(after(p, "KS t48-t25")) == "0: t25 / 1: t40"


def test_the_five_moves_any_marble_on_the_track_protected_or_not_even_into_its_heaven() -> None:
    p = at(marbles="0: t30 h1 / 1: t18* / 2: t44 / 3: t50", hands="0: 5S")
    assert lines(p) == ["5S t18-t23", "5S t30-t35", "5S t44-t49", "5S t50-h3", "5S t50-t55"]
    assert marbles(after(p, "5S t50-h3")) == "0: h1 t30 / 1: t18* / 2: t44 / 3: h3"


def test_the_five_that_can_move_anybody_is_playable() -> None:
    assert lines(at(marbles="3: t50", hands="0: 5S")) == ["5S t50-h3", "5S t50-t55"]
    assert lines(at(hands="0: 5S")) == ["burn 5S"]


def test_the_jack_swaps_an_own_marble_with_another_seats_partner_included() -> None:
    p = at(marbles="0: t9 t30 / 1: t20 / 2: t60", hands="0: JS")
    assert lines(p) == ["JS t30xt20", "JS t30xt60", "JS t9xt20", "JS t9xt60"]
    assert marbles(after(p, "JS t9xt60")) == "0: t30 t60 / 1: t20 / 2: t9"


def test_the_jack_neither_takes_nor_gives_a_protected_marble() -> None:
    assert lines(at(marbles="0: t0* / 1: t20", hands="0: JS")) == ["burn JS"]
    assert lines(at(marbles="0: t30 / 1: t18*", hands="0: JS")) == ["burn JS"]
    assert lines(at(marbles="0: t8 / 1: t20", hands="0: JS")) == ["burn JS"]
    assert lines(at(marbles="0: t30 / 1: t26", hands="0: JS")) == ["burn JS"]
    assert lines(at(marbles="0: t30 h1 / 1: h2", hands="0: JS")) == ["burn JS"]


def test_nothing_happens_on_arrival_after_a_swap() -> None:
    p = after(at(marbles="0: t30 / 1: t7", hands="0: JS"), "JS t30xt7")
    assert marbles(p) == "0: t7 / 1: t30"
    to_start = after(at(marbles="0: t30 / 1: t0", hands="0: JS"), "JS t30xt0")
    assert marbles(to_start) == "0: t0 / 1: t30"


def test_the_jack_is_written_own_marble_first() -> None:
    p = at(marbles="0: t30 / 1: t20", hands="0: JS")
    with pytest.raises(IllegalPlay):
        after(p, "JS t20xt30")


# ---- the seven


def test_the_seven_goes_whole_or_shared_by_two_own_marbles_each_at_least_one_step() -> None:
    p = at(marbles="0: t30 t50 / 1: t20", hands="0: 7C")
    assert lines(p) == [
        "7C t30-t31 t50-t56", "7C t30-t32 t50-t55", "7C t30-t33 t50-t54", "7C t30-t34 t50-t53", "7C t30-t35 t50-t52",
        "7C t30-t36 t50-t51", "7C t30-t37", "7C t50-t57",
    ]  # fmt: skip


def test_a_seven_that_does_not_add_up_is_not_playable() -> None:
    assert lines(at(marbles="0: h1 h2", hands="0: 7C")) == ["burn 7C"]
    for wrong in ("7C t30-t33", "7C t30-t33 t50-t55", "7C t30-t32 t50-t53 t30-t34"):
        with pytest.raises(EngineError):
            after(at(marbles="0: t30 t50", hands="0: 7C"), wrong)


def test_a_seven_is_shared_with_nobody_else_and_never_by_one_marble_twice() -> None:
    p = at(marbles="0: t30 / 2: t50", hands="0: 7C")
    assert lines(p) == ["7C t30-t37"]
    for wrong in ("7C t30-t33 t50-t54", "7C t30-t33 t33-t37"):
        with pytest.raises(EngineError):
            after(p, wrong)


def test_legs_may_be_in_heaven_and_lead_there() -> None:
    p = at(marbles="0: h1 t69", hands="0: 7C")
    assert "7C h1-h3 t69-t2" in lines(p)
    assert "7C h1-h4 t69-h3" in lines(p)


def test_a_marble_eaten_by_the_first_leg_cannot_make_the_second() -> None:
    p = at(marbles="0: t30 t33", hands="0: 7C")
    with pytest.raises(IllegalPlay):
        after(p, "7C t30-t33 t33-t37")
    assert marbles(after(p, "7C t33-t37 t30-t33")) == "0: t33 t37"
    assert "7C t30-t37" in lines(p)


def test_every_valid_order_is_accepted_and_the_one_that_sorts_first_listed() -> None:
    p = at(marbles="0: t9 t30", hands="0: 7C")
    assert "7C t30-t31 t9-t15" in lines(p)
    assert "7C t9-t15 t30-t31" not in lines(p)
    assert after(p, "7C t9-t15 t30-t31") == after(p, "7C t30-t31 t9-t15")


def test_one_play_for_each_position_that_can_be_reached() -> None:
    # Moving t12 by 7, or t15 by 4 and then t12 by 3, gives the same marbles: only the notation that sorts first is
    # listed.
    p = at(marbles="0: t12 t15", hands="0: 7C")
    assert "7C t12-t19" in lines(p)
    assert "7C t15-t19 t12-t15" not in lines(p)
    assert after(p, "7C t15-t19 t12-t15") == after(p, "7C t12-t19")


def test_a_whole_seven_is_accepted_where_a_shared_spelling_is_listed_for_it() -> None:
    p = at(marbles="0: t9 t12", hands="0: 7C")
    assert "7C t12-t16 t9-t12" in lines(p)
    assert "7C t9-t16" not in lines(p)
    assert after(p, "7C t9-t16") == after(p, "7C t12-t16 t9-t12")


def test_a_leg_that_ends_on_a_case_seven_jumps_before_the_next() -> None:
    # t4 by 3 lands on t7 and jumps to t43, where the own marble is eaten before it could move.
    p = at(marbles="0: t4 t43", hands="0: 7C")
    with pytest.raises(IllegalPlay):
        after(p, "7C t4-t43 t43-t47")
    assert marbles(after(p, "7C t43-t47 t4-t43")) == "0: t43 t47"


def test_a_fresh_marble_that_leaves_first_no_longer_stops_the_second_leg() -> None:
    p = at(marbles="0: t0* t71", hands="0: 7C")
    assert "7C t0-t1 t71-t5" in lines(p)
    assert marbles(after(p, "7C t0-t5 t71-t1")) == "0: t1 t5"
    with pytest.raises(IllegalPlay):
        after(p, "7C t71-t1 t0-t5")


def test_two_sevens_in_hand_each_list_all_their_plays() -> None:
    listed = lines(at(marbles="0: t30 t50", hands="0: 7C 7D"))
    assert [line.replace("7D", "7C") for line in listed if line.startswith("7D")] == [
        line for line in listed if line.startswith("7C")
    ]
    assert len(listed) == 16


def test_the_quick_way_of_listing_sevens_agrees_with_trying_every_order() -> None:
    """In positions of random games: the reachable positions, and the notation that sorts first."""
    seen = 0

    def look(p):  # type: ignore[no-untyped-def]
        nonlocal seen
        if p.phase != "play" or not any(card in sevens for card in p.hands[p.turn]):
            return
        me = p.turn if p.heaven[p.turn] != 0b1111 else (p.turn + 2) % 4
        if len(p.tracks[me]) < 2:
            return
        first: dict[object, str] = {}
        for text, _, reached in spellings(p, me, split):
            key = (reached.guard, tuple(reached.at), tuple(reached.heaven))
            first[key] = min(text, first.get(key, text))
        card = next(card for card in p.hands[p.turn] if card in sevens)
        quick = [play.text.partition(" ")[2] for play in playable(p) if play.card == card]
        assert sorted(quick) == sorted(first.values())
        seen += 1

    start = at(marbles="0: t30", hands="0: 7C")
    sevens = {card for card, does in enumerate(sheet(start).cards) if does and does.split}
    split = next(power for power in start.rules.cards["7"] if isinstance(power, Split))
    for seed in range(2_000, 2_012):
        random_game(seed, look=look)
    assert seen > 300
