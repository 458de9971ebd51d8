"""Rulebook T3: showing, the window, the talon, burying."""

import pytest

from games.engine.game import Chance
from games.engine.tractor.game import GAME
from games.engine.tractor.round import Position

from .tables import DRAWN, PASSED, after, cards, deck, json_of, new, refused

DEALT = deck("2xRJ 2H 2D", "2xBJ 2x2S", "2C 2H", "2C 2D", talon="3C 4C 6C 7C 8C 9C JC QC")


def drawn(count: int = 25) -> Position:
    return after(new(), DEALT, *DRAWN[:count])


def later(starter: int = 1, rank: str = "9", **changes: object) -> Position:
    """Return round two before its deck: `starter` starts, with the team at `rank`."""
    team = starter % 2
    ranks = ["2", "2"]
    ranks[team] = rank
    before = {
        "round": 1, "declarers": 1 - team, "starter": (starter - 1) % 4, "trump": {"rank": "2", "suit": "S"},
        "buried": cards("3C 3D 4C 4D 6C 6D 7C 7D"), "captured": [100, 100], "talon": 0, "paid": [0, 0], "total": 100,
        "gains": [0, 0], "ranks": ranks,
    }  # fmt: skip
    data = json_of(
        new(), round=2, ranks=ranks, drawer=starter, turn=starter, starter=starter, declarers=team, previous=before
    )
    return GAME.from_json(data | changes)


# --- point 1 ---------------------------------------------------------------------------------------------------------


def test_one_card_of_the_rank_shows_its_suit() -> None:
    assert after(drawn(), "show 0: 2H", *PASSED).suit == "CDHS".index("H")


def test_two_identical_cards_of_the_rank_show_their_suit() -> None:
    assert after(drawn(), "show 1: 2S 2S", *PASSED).suit == "CDHS".index("S")


@pytest.mark.parametrize("show", ["show 0: RJ RJ", "show 1: BJ BJ"])
def test_two_identical_jokers_show_no_trump(show: str) -> None:
    p = after(drawn(), show)
    assert (p.phase, p.suit) == ("bury", -1)
    assert GAME.to_json(p)["trump"] == {"rank": "2"}


@pytest.mark.parametrize("show", ["show 0: RJ", "show 1: BJ", "show 0: 2H 2D", "show 0: RJ RJ 2H", "show 0: 2D RJ"])
def test_other_cards_are_not_accepted_as_a_show(show: str) -> None:
    assert refused(drawn(), show) == "NOT_A_SHOW"


def test_a_card_that_is_not_of_the_rank_shows_nothing() -> None:
    p = drawn()
    other = next(card for card in p.hand(0) if card[:-1] not in ("2", "R", "B"))
    assert refused(p, f"show 0: {other}") == "NOT_A_SHOW"


def test_a_card_that_is_not_in_the_hand_cannot_be_shown() -> None:
    assert refused(drawn(), "show 3: 2S") == "NOT_IN_HAND"
    assert refused(drawn(), "show 0: 2H 2H") == "NOT_IN_HAND"


def test_a_show_is_accepted_from_the_first_card_drawn_and_only_of_cards_drawn() -> None:
    p = after(new(), deck("3C 2H", "2D"))
    assert refused(p, "show 1: 2D") == "not_now"
    p = after(p, "draw 4")
    assert refused(p, "show 0: 2H") == "NOT_IN_HAND"
    shown = after(p, "show 1: 2D")
    assert (shown.phase, shown.show.seat if shown.show else None) == ("draw", 1)


def test_the_window_closes_when_every_card_is_drawn_and_all_four_have_passed() -> None:
    p = after(drawn(), "show 0: 2H")
    for seat in range(4):
        assert p.phase == "show"
        assert GAME.to_act(p) == frozenset(range(seat, 4))
        p = after(p, f"pass {seat}")
    assert p.phase == "bury"
    assert refused(p, "show 1: 2S 2S") == "not_now"


def test_passes_while_cards_are_drawn_count_and_do_not_forbid_a_show() -> None:
    p = after(drawn(1), *PASSED)
    assert GAME.to_act(p) == Chance("draw")
    assert refused(p, "pass 2") == "already_passed"
    p = after(p, "show 2: 2C", "pass 2", *DRAWN[1:])
    assert GAME.to_act(p) == frozenset((0, 1, 3))


def test_after_a_show_everybody_may_answer_it_who_had_passed_too() -> None:
    p = after(drawn(), "pass 1", "pass 2", "show 0: 2H")
    assert GAME.to_act(p) == frozenset(range(4))
    assert after(p, "show 1: 2S 2S").show.seat == 1  # type: ignore[union-attr]


def test_all_who_passed_while_cards_were_drawn_close_the_window_with_the_last_card() -> None:
    p = after(drawn(3), "show 2: 2C", *PASSED)
    assert GAME.to_act(p) == Chance("draw")
    p = after(p, *DRAWN[3:])
    assert (p.phase, p.turn, p.suit) == ("bury", 2, "CDHS".index("C"))


# --- point 2 ---------------------------------------------------------------------------------------------------------


def test_a_pair_overrides_a_single_and_a_pair_of_jokers_a_pair() -> None:
    p = after(drawn(), "show 2: 2C", "show 1: 2S 2S", "show 0: RJ RJ")
    assert (p.starter, p.suit) == (0, -1)


@pytest.mark.parametrize(("first", "second"), [("show 0: 2H", "show 2: 2C"), ("show 1: 2S 2S", "show 3: 2D")])
def test_a_show_that_is_not_strictly_stronger_is_refused(first: str, second: str) -> None:
    assert refused(after(drawn(), first), second) == "SHOW_TOO_WEAK"


def test_a_partner_too_may_override() -> None:
    p = after(after(new(), deck("2H", "3C", "2x2S"), *DRAWN), "show 0: 2H", "show 2: 2S 2S", *PASSED)
    assert (p.starter, p.suit) == (2, "CDHS".index("S"))


def test_a_pair_of_jokers_is_final() -> None:
    p = after(drawn(3), "show 0: RJ RJ")
    assert GAME.to_act(p) == Chance("draw")
    assert refused(p, "show 1: BJ BJ") == "SHOW_TOO_WEAK"
    assert refused(p, "pass 1") == "already_passed"
    assert after(p, *DRAWN[3:]).phase == "bury"


def test_a_player_may_strengthen_the_own_single_to_a_pair_of_the_same_card() -> None:
    p = after(drawn(), "show 1: 2S", "show 1: 2S 2S", *PASSED)
    assert (p.starter, p.suit) == (1, "CDHS".index("S"))


def test_a_player_may_not_override_the_own_show_in_another_way() -> None:
    p = after(drawn(), "show 1: 2S")
    assert refused(p, "show 1: BJ BJ") == "OWN_SHOW"
    q = after(after(new(), deck("2H 2x2S"), *DRAWN), "show 0: 2H")
    assert refused(q, "show 0: 2S 2S") == "OWN_SHOW"


# --- point 3 ---------------------------------------------------------------------------------------------------------


def test_in_round_one_the_last_accepted_show_makes_the_starter_and_his_team_the_declarers() -> None:
    p = after(drawn(), "show 0: 2H", "show 1: 2S 2S", *PASSED)
    assert (p.starter, p.declarers, p.turn, p.phase) == (1, 1, 1, "bury")


def test_in_later_rounds_a_show_only_fixes_the_suit() -> None:
    p = after(later(starter=1), deck("9D", "3C", drawer=1), *DRAWN, "show 0: 9D", *PASSED)
    assert (p.starter, p.declarers, p.suit, p.turn) == (1, 1, "CDHS".index("D"), 1)


# --- point 4 ---------------------------------------------------------------------------------------------------------


def test_nobody_shows_in_round_one_all_cards_go_back_and_the_same_seat_draws_first() -> None:
    p = after(new(dealer=3), deck(drawer=3), *DRAWN, *PASSED)
    assert p == new(dealer=3)
    assert [fact.word for fact in GAME.facts(*before_last(new(dealer=3), deck(drawer=3)))] == ["passed", "redeal"]


def before_last(p: Position, line: str) -> tuple[Position, object]:
    p = after(p, line, *DRAWN, *PASSED[:3])
    return p, GAME.parse_play(p, "pass 3")


def test_nobody_shows_later_the_first_card_of_the_rank_in_the_talon_names_the_suit() -> None:
    line = deck(talon="KD 2S 9C 9H 4S 5S 6S 7S", drawer=1)
    p = after(later(starter=1), line, *DRAWN, *PASSED)
    assert (p.suit, p.turn, p.phase) == ("CDHS".index("C"), 1, "bury")
    assert GAME.to_json(p)["turned"] == ["KD", "2S", "9C"]


def test_nobody_shows_later_without_the_rank_the_highest_card_names_it_the_earliest_on_a_tie() -> None:
    line = deck(talon="KD RJ KS 2S BJ 5S 6S 7S", drawer=1)
    p = after(later(starter=1), line, *DRAWN, *PASSED)
    assert p.suit == "CDHS".index("D")
    assert len(p.turned) == 8


def test_the_talon_goes_to_the_starter() -> None:
    p = after(drawn(), "show 2: 2C", *PASSED)
    assert [p.count(seat) for seat in range(4)] == [25, 25, 33, 25]
    assert set(cards("3C 4C 6C 7C 8C 9C JC QC")) <= set(p.hand(2))


# --- point 5 ---------------------------------------------------------------------------------------------------------


def burying() -> Position:
    return after(drawn(), "show 2: 2C", *PASSED)


def test_the_starter_buries_any_eight_of_the_33_and_leads() -> None:
    p = burying()
    hand = p.hand(2)
    q = after(p, "bury " + " ".join(hand[10:18]))
    assert (q.phase, q.turn, q.leader) == ("play", 2, 2)
    assert q.hand(2) == hand[:10] + hand[18:]
    assert GAME.to_json(q)["buried"] == hand[10:18]


@pytest.mark.parametrize("count", [1, 7, 9, 33])
def test_burying_another_number_than_eight_is_refused(count: int) -> None:
    p = burying()
    assert refused(p, "bury " + " ".join(p.hand(2)[:count])) == "WRONG_COUNT"


def test_burying_a_card_that_is_not_there_is_refused() -> None:
    p = burying()
    hand = p.hand(2)
    other = next(card for card in p.hand(0) if card not in hand)
    assert refused(p, "bury " + " ".join([*hand[:7], other])) == "NOT_IN_HAND"
    single = next(card for card in hand if hand.count(card) == 1)
    others = [card for card in hand if card != single]
    assert refused(p, "bury " + " ".join([single, single, *others[:6]])) == "NOT_IN_HAND"


def test_only_the_starter_buries() -> None:
    p = burying()
    assert refused(p, "bury " + " ".join(p.hand(2)[:8]), seat=0) == "not_your_turn"
    assert refused(p, "play " + p.hand(2)[0]) == "not_now"


def test_nobody_speaks_for_another_seat() -> None:
    p = drawn()
    assert refused(p, "show 1: 2S", seat=0) == "not_your_turn"
    assert refused(p, "pass 1", seat=0) == "not_your_turn"
