"""Rulebook T6: who wins a trick."""

import pytest

from .asking import ask, trump
from .tables import after, at, cards


def winner(trumps: str, *plays: str) -> int:
    return ask("trick", trump=trump(trumps), plays=[cards(play) for play in plays])["winner"]


def test_the_highest_card_of_the_suit_led_wins_where_nobody_trumps() -> None:
    assert winner("2H", "9S", "KS", "AD", "10S") == 1


def test_trumps_beat_side_cards_and_the_higher_trump_the_lower() -> None:
    assert winner("2H", "AS", "3H", "2C", "AH") == 2


def test_cards_of_another_side_suit_do_not_compete() -> None:
    assert winner("2H", "3S", "AD", "AC", "KD") == 0


@pytest.mark.parametrize(
    ("plays", "won"),
    [
        (("KS", "KS", "QS", "3S"), 0),
        (("2S", "2C", "2D", "AH"), 0),
        (("9S", "2C", "2D", "2S"), 1),
        (("9S 9S", "2C 2C", "2D 2D", "2S 2S"), 1),
    ],
)
def test_ties_stay_with_the_earlier_play(plays: tuple[str, ...], won: int) -> None:
    assert winner("2H", *plays) == won


def test_to_a_pair_only_pairs_compete() -> None:
    assert winner("2H", "9S 9S", "AS KS", "AH KH", "10S 10S") == 3
    assert winner("2H", "9S 9S", "AS KS", "3H 3H", "10S 10S") == 2
    assert winner("2H", "9S 9S", "AH 2C", "2S 2D", "3S 4S") == 0


def test_two_different_others_of_the_rank_are_no_pair() -> None:
    assert winner("7H", "9S 9S", "7S 7C", "AS AS", "3S 4S") == 2


def test_to_a_tractor_only_tractors_of_as_many_pairs_compete() -> None:
    assert winner("2H", "9S 9S 8S 8S", "AS AS QS QS", "JS JS 10S 10S", "KH KH JH JH") == 2
    assert winner("2H", "9S 9S 8S 8S", "AS AS KS KS", "3H 3H 4H 4H", "KH KH JH JH") == 2
    assert winner("2H", "4S 4S 3S 3S", "2S 2S AH AH", "BJ BJ 2H 2H", "RJ RJ AS AS") == 2


def test_a_play_that_mixes_suit_and_trumps_does_not_compete() -> None:
    assert winner("2H", "9S 9S", "AS AH", "RJ 3D", "3S 4S") == 0


def test_a_standing_throw_is_not_beaten_inside_its_own_suit() -> None:
    assert winner("2H", "9S 8S", "AS KS", "QS JS", "7S 6S") == 0
    assert winner("2H", "9S 9S 7S", "AS AS KS", "QS QS JS", "8S 6S 5S") == 0


def test_a_standing_throw_is_beaten_by_trumps_in_its_arrangement() -> None:
    assert winner("2H", "AS KS", "3H 4H", "QS JS", "7S 6S") == 1
    assert winner("2H", "AS AS KS", "3H 4H 5H", "6H 6H 7H", "QS QS JS") == 2
    assert winner("2H", "AS AS QS QS 9S", "3H 3H 5H 5H 7H", "4S 5S 6S 7S 8S", "4H 4H 6H 7H 8H") == 1


def test_longer_runs_may_be_cut_and_spare_pairs_may_serve_as_singles() -> None:
    assert winner("2H", "AS AS QS QS 9S", "3H 3H 4H 4H 7H", "4S 5S 6S 7S 8S", "4D 5D 6D 7D 8D") == 1
    assert winner("2H", "AS AS KS KS QS JS", "3H 3H 4H 4H 5H 5H", "3S 4S 5S 6S 7S 8S", "4D 5D 6D 7D 8D 9D") == 1
    assert winner("2H", "AS KS QS", "3H 3H 4H", "3S 4S 5S", "3D 4D 6D") == 1


def test_pairs_apart_are_no_run() -> None:
    assert winner("2H", "AS QS QS JS JS", "3H 3H 5H 5H 9H", "3S 4S 5S 6S 7S", "4D 5D 6D 7D 8D") == 0


def test_the_top_of_the_longest_run_decides_if_a_tractor_was_thrown() -> None:
    lead = "AS QS QS JS JS"
    assert winner("2H", lead, "3H 3H 4H 4H RJ", "5H 5H 6H 6H 7H", "3S 4S 5S 6S 7S") == 2
    assert winner("2H", lead, "RJ RJ BJ BJ 3H", "5H 5H 6H 6H AH", "3S 4S 5S 6S 7S") == 1


def test_the_longest_run_of_the_lead_decides_not_the_highest_short_one() -> None:
    lead = "2xAS 2xKS 2x9S 2x8S 2x7S"
    high_pair_run = "2x3D 2x4D 2x5D 2xRJ 2xBJ"
    high_long_run = "2x6D 2x7D 2x8D 2x10D 2xJD"
    assert winner("2D", lead, high_pair_run, high_long_run, "2x3C 2x4C 2x6C 2x7C 2x8C") == 2


def test_a_run_cut_from_a_longer_one_counts_by_the_highest_top_that_leaves_room_for_the_others() -> None:
    lead = "AS AS KS KS 9S 9S 8S 8S"
    one_run = "3H 3H 4H 4H 5H 5H 6H 6H"
    two_runs = "7H 7H 8H 8H 3D 4D 5D 6D"
    assert winner("2H", lead, one_run, two_runs, "3C 4C 5C 6C 7C 8C 9C 10C") == 1


def test_the_highest_pair_decides_if_a_pair_but_no_tractor_was_thrown() -> None:
    lead = "AS AS KS"
    assert winner("2H", lead, "3H 3H RJ", "4H 4H 5H", "6S 7S 8S") == 2


def test_the_highest_single_decides_if_only_singles_were_thrown() -> None:
    lead = "AS KS"
    assert winner("2H", lead, "3H 2S", "AH KH", "2H 3H") == 3
    assert winner("2H", lead, "2C 3H", "2S 4H", "2D 5H") == 1


def test_a_standing_throw_of_trumps_always_wins() -> None:
    assert winner("2H", "RJ BJ", "2H 2H", "2S 2S", "AH AH") == 0
    assert winner("2H", "AH AH 3H", "2S 2S KH", "BJ BJ RJ", "4H 4H 5H") == 0


def test_the_winner_leads_next_and_takes_the_points() -> None:
    p = at("2H", "9S 3C", "KS 4C", "10S 6C", "3H 7C", captured=0)
    q = after(p, "play 9S", "play KS", "play 10S", "play 3H")
    assert (q.turn, q.leader, q.phase) == (3, 3, "play")
    assert (q.captured[1], q.last.points if q.last else None) == (20, 20)
    assert [q.hand(seat) for seat in range(4)] == [["3C"], ["4C"], ["6C"], ["7C"]]
