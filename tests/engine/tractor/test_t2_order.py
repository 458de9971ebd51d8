"""Rulebook T2: effective suits, levels, consecutive cards."""

from itertools import pairwise

import pytest

from .asking import ask, trump


def order(trumps: str, a: str, b: str) -> str:
    return ask("order", trump=trump(trumps), a=a, b=b)["order"]


def is_tractor(trumps: str, *cards: str) -> bool:
    return ask("components", trump=trump(trumps), cards=list(cards))["is_tractor"]


def test_the_trumps_run_from_the_red_joker_down_to_the_lowest_card_of_the_suit() -> None:
    high_to_low = [
        "RJ", "BJ", "7H", "7S", "AH", "KH", "QH", "JH", "10H", "9H", "8H", "6H", "5H", "4H", "3H", "2H", "AS",
    ]  # fmt: skip
    for i, a in enumerate(high_to_low):
        assert order("7H", a, a) == "="
        for b in high_to_low[i + 1 :]:
            assert (order("7H", a, b), order("7H", b, a)) == (">", "<")


def test_the_three_other_cards_of_the_rank_are_equal() -> None:
    for a in ("7C", "7D", "7S"):
        for b in ("7C", "7D", "7S"):
            assert order("7H", a, b) == "="


@pytest.mark.parametrize("suit", ["C", "D", "S"])
def test_every_other_suit_runs_from_the_ace_down_without_the_rank(suit: str) -> None:
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "6", "5", "4", "3", "2"]
    for a, b in pairwise(ranks):
        assert order("7H", a + suit, b + suit) == ">"


def test_cards_of_two_side_suits_do_not_compare() -> None:
    assert order("7H", "AS", "2D") == "incomparable"
    assert order("7H", "2D", "AS") == "incomparable"


def test_a_card_of_the_rank_never_belongs_to_its_printed_suit() -> None:
    assert order("7H", "7S", "AS") == ">"
    assert ask("components", trump=trump("7H"), cards=["7S", "AS"]) == {"is_tractor": False, "components": None}


def test_in_a_no_trump_round_only_the_jokers_are_trumps_and_every_suit_is_whole() -> None:
    assert order("7", "RJ", "BJ") == ">"
    assert order("7", "BJ", "AS") == ">"
    assert order("7", "7S", "8S") == "<"
    assert order("7", "7S", "6S") == ">"
    assert order("7", "7S", "7H") == "incomparable"


def test_side_cards_around_the_rank_are_consecutive() -> None:
    assert is_tractor("7H", "8S", "8S", "6S", "6S")
    assert not is_tractor("7", "8S", "8S", "6S", "6S")
    assert not is_tractor("7H", "9S", "9S", "6S", "6S")


@pytest.mark.parametrize(
    "pairs", [("AH", "7S"), ("7C", "7H"), ("7H", "BJ"), ("BJ", "RJ"), ("AH", "7D", "7H", "BJ", "RJ"), ("8H", "6H")]
)
def test_ace_other_rank_own_rank_black_and_red_touch_at_the_top(pairs: tuple[str, ...]) -> None:
    assert is_tractor("7H", *pairs, *pairs)


@pytest.mark.parametrize("pairs", [("AH", "7H"), ("7S", "BJ"), ("7H", "RJ"), ("AH", "BJ"), ("KH", "7S")])
def test_levels_that_differ_by_more_than_one_are_not_consecutive(pairs: tuple[str, ...]) -> None:
    assert not is_tractor("7H", *pairs, *pairs)


def test_the_order_does_not_wrap_around() -> None:
    assert not is_tractor("7H", "AS", "AS", "2S", "2S")
    assert not is_tractor("7H", "RJ", "RJ", "2H", "2H")


def test_at_rank_ace_the_king_touches_the_other_aces() -> None:
    assert is_tractor("AD", "KD", "KD", "AS", "AS")
    assert is_tractor("2H", "3S", "3S", "4S", "4S")


def test_two_pairs_on_one_level_are_not_consecutive() -> None:
    assert not is_tractor("7H", "7S", "7S", "7C", "7C")


def test_cards_of_two_suits_are_never_consecutive() -> None:
    assert ask("components", trump=trump("7H"), cards=["AS", "AS", "KD", "KD"])["components"] is None
    assert not is_tractor("7", "AS", "AS", "BJ", "BJ")
