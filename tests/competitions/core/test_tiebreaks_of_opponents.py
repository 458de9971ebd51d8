"""Golden cases of the tie-breaks of Swiss events, computed by hand."""

from fractions import Fraction

import pytest

from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import SUPPORTED, explain, record

from .test_standings import RULE, A, B, C, E, bye, example_x, tied, won

__all__ = ["example_x"]


def values(made, key):
    """Return each entry's value under `key`."""
    return {entry: explain(key, entry, (entry,), made).value for entry in made.meetings}


def test_buchholz_of_b_counts_its_bye_as_its_own_score(example_x):
    value = explain("buchholz", B, (B,), example_x)
    assert value.value == Fraction(11, 2)
    assert [(term.match, term.value) for term in value.terms] == [(1, Fraction(5, 2)), (6, 2), (7, 1)]


def test_the_running_dummy_of_b_is_worth_a_half(example_x):
    value = explain("buchholz_running", B, (B,), example_x)
    assert value.value == 4
    assert [term.value for term in value.terms] == [Fraction(5, 2), Fraction(1, 2), 1]


@pytest.mark.parametrize(
    ("key", "entry", "expected"),
    [
        ("buchholz", A, 5),
        ("buchholz_cut1", B, Fraction(9, 2)),
        ("buchholz_cut1", A, 3),
        ("median", B, 2),
        ("median", A, 1),
        ("progressive", A, 5),
        ("progressive", B, 3),
        ("progressive", E, Fraction(5)),
    ],
)
def test_the_table_of_example_x(example_x, key, entry, expected):
    assert explain(key, entry, (entry,), example_x).value == expected


def test_cut_1_drops_a_voluntary_absence_before_a_lower_opponent(example_x):
    kept = explain("buchholz_cut1", A, (A,), example_x).terms
    assert [term.match for term in kept] == [1, 4], (
        "the round A did not come to goes, though its dummy is not the lowest"
    )


def test_the_median_of_a_single_round_is_nothing():
    made = record([A, B], [won(1, 1, A, B)], RULE)
    assert values(made, "median") == {A: 0, B: 0}


def test_fewest_penalty_points_come_first_and_take_no_match_points():
    made = record([A, B], [tied(1, 1, A, B)], RULE, penalties={A: 1})
    rows = standings(made, ("points", "penalties"))
    assert [row.entry for row in rows] == [B, A]
    assert rows[0].separated_by == "penalties"
    assert rows[1].points.value == 1


def test_points_taken_off_by_a_ruling_are_a_term_of_their_own():
    made = record([A, B], [won(1, 1, A, B)], RULE, deductions={A: 3})
    points = explain("points", A, (A,), made)
    assert points.value == -1
    assert [(term.match, term.value) for term in points.terms] == [(1, 2), (0, -3)]
    assert [row.entry for row in standings(made, ("points",))] == [B, A]


@pytest.mark.parametrize("key", sorted(set(SUPPORTED) - {"head_to_head", "lots"}))
def test_every_value_is_the_sum_of_its_terms(example_x, key):
    for entry in "ABCDE":
        value = explain(key, entry, tuple("ABCDE"), example_x)
        if key != "penalties":
            assert value.value == sum((term.value for term in value.terms), Fraction(0))


def test_an_opponent_who_stayed_away_costs_nobody_its_absent_rounds():
    absence = MatchResult(0, 2, "absence", (SideResult(B, "loss"),))
    made = record([A, B, C], [won(1, 1, A, B), absence, bye(3, 2, A)], PointsRule())
    assert explain("buchholz", A, (A,), made).terms[0].value == Fraction(1, 2)
