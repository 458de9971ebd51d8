"""Rulebook T5: the duties of a hand."""

import pytest

from games.engine.errors import IllegalPlay
from games.engine.tractor.game import GAME

from .asking import ask, trump
from .tables import after, at, cards, refused


def follow(trumps: str, lead: str, hand: str, play: str) -> str:
    return ask("follow", trump=trump(trumps), lead=cards(lead), hand=cards(hand), play=cards(play))["reason"]


@pytest.mark.parametrize("play", ["", "9S", "KS QS JS"])
def test_a_follow_has_exactly_as_many_cards_as_the_lead(play: str) -> None:
    assert follow("2H", "AS AS", "KS QS JS 9S", play) == "WRONG_COUNT"


def test_a_follow_comes_from_the_hand() -> None:
    assert follow("2H", "AS", "KS QS", "JS") == "NOT_IN_HAND"
    assert follow("2H", "AS AS", "KS QS", "KS KS") == "NOT_IN_HAND"


def test_the_count_is_checked_before_the_hand_and_the_hand_before_the_suit() -> None:
    assert follow("2H", "AS", "KS QS", "JD JD") == "WRONG_COUNT"
    assert follow("2H", "AS", "KS QS", "JD") == "NOT_IN_HAND"
    assert follow("2H", "AS AS", "KS KS JD JD", "JD JD") == "MUST_FOLLOW_SUIT"


def test_a_hand_with_enough_cards_of_the_suit_plays_only_these() -> None:
    assert follow("2H", "AS AS", "KS QS 4D", "KS 4D") == "MUST_FOLLOW_SUIT"
    assert follow("2H", "AS AS", "KS QS 4D", "KS QS") == "OK"


def test_the_suit_is_the_effective_one() -> None:
    assert follow("2H", "AS", "2S KD", "2S") == "OK"
    assert follow("2H", "AH", "2S 3S", "3S") == "MUST_FOLLOW_SUIT"
    assert follow("2H", "2C", "3H 2D", "3H") == "OK"
    assert follow("7", "7S", "KS 7H", "7H") == "MUST_FOLLOW_SUIT"


@pytest.mark.parametrize(
    ("lead", "hand", "few", "enough"),
    [
        ("9S 9S", "KS KS 5S 4S", "5S 4S", "KS KS"),
        ("9S 9S 8S 8S", "KS KS QS QS 5S 3S", "KS KS 5S 3S", "KS KS QS QS"),
        ("9S 9S 8S 8S", "KS KS QS 5S 3S", "KS QS 5S 3S", "KS KS 5S 3S"),
        ("AS 9S 9S", "KS KS 5S 4S", "KS 5S 4S", "KS KS 4S"),
    ],
)
def test_a_hand_plays_as_many_pairs_as_the_lead_has_or_as_it_holds(lead: str, hand: str, few: str, enough: str) -> None:
    assert follow("2H", lead, hand, few) == "MUST_PLAY_PAIRS"
    assert follow("2H", lead, hand, enough) == "OK"


def test_more_pairs_than_owed_may_be_played() -> None:
    assert follow("2H", "AS KS QS 9S", "JS JS 8S 8S 3S 4S", "JS JS 8S 8S") == "OK"


def test_pairs_of_another_suit_are_not_owed() -> None:
    assert follow("2H", "9S 9S", "KS QS 4D 4D", "KS QS") == "OK"


@pytest.mark.parametrize("play", ["KS 4D 5H 6H", "KS 4D 4D 5H"])
def test_a_hand_with_fewer_cards_of_the_suit_plays_all_of_them_and_the_rest_is_free(play: str) -> None:
    assert follow("2H", "9S 9S 8S 8S", "KS 4D 4D 5H 6H", play) == "OK"
    assert follow("2H", "9S 9S 8S 8S", "KS 4D 4D 5H 6H", "4D 4D 5H 6H") == "MUST_FOLLOW_SUIT"


def test_no_tractor_is_owed_to_a_tractor_and_none_is_kept_whole() -> None:
    assert follow("2H", "9S 9S 8S 8S", "KS KS QS QS 4S 4S", "KS KS 4S 4S") == "OK"
    assert follow("2H", "9S 9S", "KS KS QS QS", "QS QS") == "OK"


def test_nobody_has_to_trump_or_to_beat() -> None:
    assert follow("2H", "9S", "AH 4D", "4D") == "OK"
    assert follow("2H", "9S", "AS 3S", "3S") == "OK"


def test_a_follow_is_refused_with_the_rule_that_it_breaks() -> None:
    p = at("2H", "2x9S 2x8S", "2xKS 2xQS", "AS JS 10S 7D", "3D 4D 6D 7D")
    q = after(p, "play 9S 9S 8S 8S")
    assert refused(q, "play KS KS QS") == "WRONG_COUNT"
    r = after(q, "play KS KS QS QS")
    for play, code, sentence in (
        ("play AS JS 10S", "WRONG_COUNT", "play: 4 led, 3 played"),
        ("play AS JS 10S AD", "NOT_IN_HAND", "play: AD is not in the hand"),
        ("play AS AS JS 7D", "NOT_IN_HAND", "play: AS is not twice in the hand"),
    ):
        assert refused(r, play) == code
        with pytest.raises(IllegalPlay, match=sentence):
            GAME.apply(r, GAME.parse_play(r, play))
    s = at("2H", "9S 9S 3C", "KS KS 4S", "AS JS 10S", "3D 4D 6D")
    s = after(s, "play 9S 9S")
    for play, code, sentence in (
        ("play KS 4S", "MUST_PLAY_PAIRS", "play: 1 pair of spades owed"),
        ("play KS KS 4S", "WRONG_COUNT", "play: 2 led, 3 played"),
    ):
        assert refused(s, play) == code
        with pytest.raises(IllegalPlay, match=sentence):
            GAME.apply(s, GAME.parse_play(s, play))


def test_only_the_seat_to_act_follows() -> None:
    p = after(at("2H", "9S", "KS", "AS", "3D"), "play 9S")
    assert refused(p, "play AS", seat=2) == "not_your_turn"
    assert after(p, "play KS").turn == 2


@pytest.mark.parametrize("line", ["bury " + " ".join(["9S"] * 2), "pass 1", "draw 4", "show 1: 2S"])
def test_nothing_else_is_done_in_a_trick(line: str) -> None:
    assert refused(at("2H", "9S 9S", "KS QS", "AS JS", "3D 4D"), line) == "not_now"
