"""Tractor's rules page: in short, the order of cards, cards that touch."""

from collections import Counter
from itertools import pairwise

from games.engine.tractor.game import GAME
from tests.engine.tractor.tables import PASSED, after, at, deck
from tests.rules.sheets import sentence
from tests.rules.tractor import (
    SEVENS,
    buried,
    drawn,
    falls,
    follows,
    is_tractor,
    later,
    new,
    order,
    parts,
    played,
    score,
    winner,
)

RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
AROUND_7 = [rank for rank in RANKS if rank != "7"]


@sentence
def test_two_teams_of_two(rules: str) -> None:
    p = after(drawn(rules, "2H", "2S"), "show 1: 2S", *PASSED)
    assert (GAME.to_json(p)["seats"], GAME.to_json(p)["teams"]) == (4, 2)
    # With the starter at seat 1, seats 1 and 3 are the declarers; what seat 2 takes counts for seats 0 and 2.
    assert p.declarers == 1
    q = played(at("2H", "9S", "4C", "KS", "3S", declarers=1, captured=0))
    assert q.previous is not None
    assert q.previous.total == 10


@sentence
def test_counter_clockwise(rules: str) -> None:
    # Seats are numbered counter-clockwise: seat + 1 is the neighbour on the right (rulebook T1.2).
    p = buried(after(drawn(rules, "2H"), "show 0: 2H", *PASSED))
    assert [p.turn, after(p, f"play {p.hand(0)[0]}").turn] == [0, 1]
    q = after(new(rules, dealer=2), deck(drawer=2), "draw 4")
    assert [q.count(seat) for seat in range(4)] == [1, 1, 1, 1]


@sentence
def test_two_packs_108_cards(rules: str) -> None:
    found = Counter(card for seat in range(4) for card in drawn(rules).hand(seat)) + Counter(
        drawn(rules).to_json()["talon"]
    )
    assert sum(found.values()) == 108
    assert set(found.values()) == {2}
    assert {"RJ", "BJ"} < set(found)
    assert len(found) == 54


@sentence
def test_both_teams_begin_at_2(rules: str) -> None:
    assert GAME.to_json(new(rules))["ranks"] == ["2", "2"]
    climbed = ["2"]
    while climbed[-1] != "won":
        answer = score(40, ranks={"declarers": climbed[-1], "attackers": "2"})
        climbed.append(answer["declarers_rank"])
    assert climbed == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "won"]


@sentence
def test_declarers_defend(rules: str) -> None:
    q = played(at("2H", "9S", "KS", "10S", "3S", declarers=0, captured=60))
    assert q.previous is not None
    assert q.previous.total == 60 + 20


@sentence
def test_few_points_lift_the_declarers(rules: str) -> None:
    few, many = score(5), score(200)
    assert (few["declarers_gain"], few["attackers_gain"]) == (2, 0)
    assert (many["declarers_gain"], many["attackers_gain"]) == (0, 3)


@sentence
def test_past_the_ace_wins(rules: str) -> None:
    q = played(at("A", "AS", "3S", "4S", "6S", captured=0, ranks=("A", "K")))
    outcome = GAME.outcome(q)
    assert outcome is not None
    assert outcome.ranks == (0, 1)


@sentence
def test_the_trump_rank(rules: str) -> None:
    first = after(drawn(rules, "2H"), "show 0: 2H", *PASSED)
    assert GAME.to_json(first)["trump"] == {"rank": "2", "suit": "H"}
    second = after(later(rules, "9D", starter=1, rank="9"), "show 0: 9D", *PASSED)
    assert GAME.to_json(second)["trump"] == {"rank": "9", "suit": "D"}


@sentence
def test_trumps_from_the_red_joker_down(rules: str) -> None:
    for other in ("7S", "7D", "7C"):
        assert falls(SEVENS, ["RJ", "BJ", "7H", other, "AH", "2H"])
    assert falls("2S", ["RJ", "BJ", "2S", "2H", "AS", "3S"])


@sentence
def test_trumps_at_rank_7(rules: str) -> None:
    for other in ("7S", "7D", "7C"):
        assert falls(SEVENS, ["RJ", "BJ", "7H", other, *(f"{rank}H" for rank in AROUND_7)])


@sentence
def test_other_cards_of_the_rank_are_equal(rules: str) -> None:
    assert {order(SEVENS, a, b) for a in ("7S", "7D", "7C") for b in ("7S", "7D", "7C")} == {"="}


@sentence
def test_side_suits_from_the_ace_down(rules: str) -> None:
    for suit in "SDC":
        assert falls(SEVENS, [f"{rank}{suit}" for rank in AROUND_7])
        assert order(SEVENS, f"7{suit}", f"A{suit}") == ">"


@sentence
def test_a_card_of_the_rank_is_a_trump(rules: str) -> None:
    assert parts(SEVENS, "7S AS") is None
    assert set(parts(SEVENS, "7S 2H") or ()) == {"2H", "7S"}
    assert follows(SEVENS, "AS", "7S 4D", "4D") == "OK"


@sentence
def test_no_trump_leaves_the_jokers(rules: str) -> None:
    assert falls("7", ["RJ", "BJ", "AS"])
    for suit in "SHDC":
        assert falls("7", [f"{rank}{suit}" for rank in RANKS])
    assert winner("7", "3S", "7H", "BJ", "AS") == 2
    assert winner("7", "3S", "7H", "AD", "4S") == 3


# --- cards that touch ------------------------------------------------------------------------------------------------


@sentence
def test_neighbours_share_a_suit(rules: str) -> None:
    assert is_tractor(SEVENS, "9S 9S 8S 8S")
    assert not is_tractor(SEVENS, "10S 10S 8S 8S")
    assert not is_tractor(SEVENS, "9S 9S 8D 8D")
    assert is_tractor(SEVENS, "AH AH 7S 7S")


@sentence
def test_the_rank_leaves_no_gap(rules: str) -> None:
    assert is_tractor(SEVENS, "8S 8S 6S 6S")
    assert not is_tractor("9H", "8S 8S 6S 6S")


@sentence
def test_neighbours_at_the_top(rules: str) -> None:
    top = ["AH", "7S", "7H", "BJ", "RJ"]
    for low, high in pairwise(top):
        assert is_tractor(SEVENS, f"2x{low} 2x{high}")
    assert is_tractor(SEVENS, " ".join(f"2x{card}" for card in top))
    assert not is_tractor(SEVENS, "AH AH 7H 7H")


@sentence
def test_ace_and_2_do_not_touch(rules: str) -> None:
    assert not is_tractor(SEVENS, "AS AS 2S 2S")
    assert not is_tractor("3H", "AS AS 2S 2S")


@sentence
def test_one_place_is_no_step(rules: str) -> None:
    assert not is_tractor(SEVENS, "7S 7S 7C 7C")
    assert order(SEVENS, "7S", "7C") == "="
