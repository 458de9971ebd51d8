"""Rulebook T1: cards, seats, deal."""

from collections import Counter

from games.engine.game import Chance
from games.engine.tractor.game import GAME

from .tables import DRAWN, RULES, after, deck, new, refused

PLAIN = deck()


def test_there_are_108_cards_each_exactly_twice() -> None:
    p = after(new(), PLAIN)
    found = Counter(PLAIN.split()[1:])
    assert len(found) == 54
    assert set(found.values()) == {2}
    assert {"RJ", "BJ", "2C", "10H"} <= found.keys()
    assert "JK" not in found
    assert len(RULES.deck()) == 108
    assert p.phase == "draw"


def test_a_deck_with_a_card_three_times_or_a_card_short_is_refused() -> None:
    words = PLAIN.split()
    other = "3C" if words[-1] != "3C" else "4D"
    assert refused(new(), " ".join([*words[:-1], other])) == "wrong_deck"
    assert refused(new(), " ".join(words[:-1])) == "wrong_deck"


def test_both_teams_begin_at_rank_2_and_partners_sit_opposite() -> None:
    p = new()
    assert GAME.to_json(p)["ranks"] == ["2", "2"]
    shown = after(p, deck("2H", "2D"), "draw 4", "show 1: 2D", *DRAWN[1:], *[f"pass {seat}" for seat in range(4)])
    assert (shown.starter, shown.declarers) == (1, 1)


def test_cards_are_drawn_one_at_a_time_in_seat_order_from_the_first_to_draw() -> None:
    first = ["AS", "KS", "QS", "JS"]
    others = (Counter(PLAIN.split()[1:]) - Counter(first)).elements()
    p = after(new(dealer=2), " ".join(["deck", *first, *others]), "draw 4")
    assert [p.hand(seat) for seat in (2, 3, 0, 1)] == [["AS"], ["KS"], ["QS"], ["JS"]]


def test_each_player_holds_25_when_all_are_drawn_and_eight_stay_as_talon() -> None:
    p = after(new(), PLAIN, *DRAWN)
    assert [p.count(seat) for seat in range(4)] == [25] * 4
    assert GAME.to_json(p)["talon"] == PLAIN.split()[-8:]
    assert refused(p, "draw 4") == "not_now"


def test_before_the_deck_nobody_acts_and_a_deck_is_due() -> None:
    assert GAME.to_act(new()) == Chance("deck")
    assert refused(new(), "draw 4") == "deck_due"
    assert refused(new(), "play AS") == "deck_due"
    assert refused(new(), "pass 0") == "deck_due"


def test_while_cards_are_drawn_the_next_draw_is_due_and_a_second_deck_is_not() -> None:
    p = after(new(), PLAIN)
    for _ in range(25):
        assert GAME.to_act(p) == Chance("draw")
        assert refused(p, PLAIN) == "not_now"
        p = after(p, "draw 4")
    assert p.phase == "show"


def test_the_trump_rank_is_2_in_round_one_and_later_that_of_the_declarers() -> None:
    p = new()
    assert p.rank == 0
    p.declarers, p.ranks = 1, [4, 7]
    assert p.rank == 7
