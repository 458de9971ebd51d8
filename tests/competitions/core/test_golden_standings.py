"""Standings of small events, computed by hand. A difference is a change of the rules: review it before updating the
table."""

import pytest

from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.standings import DISQUALIFIED, WITHDRAWN, standings
from tock_league.competitions.core.tiebreaks import record

LEAGUE = ("points", "head_to_head", "margin", "wins", "sonneborn_berger")
SWISS = ("points", "buchholz", "sonneborn_berger", "wins")


def played(number, round, one, other, margin=0, fact="played"):
    """`one` beats `other` by `margin` marbles."""
    return MatchResult(number, round, fact, (SideResult(one, "win", 1, margin), SideResult(other, "loss", 0, -margin)))


def nobody(number, round, one, other):
    return MatchResult(number, round, "double_forfeit", (SideResult(one, "loss"), SideResult(other, "loss")))


def bye(round, entry):
    return MatchResult(0, round, "pairing_bye", (SideResult(entry, "win"),))


def absent(round, entry):
    return MatchResult(0, round, "absence", (SideResult(entry, "loss"),))


def table(entries, results, criteria=LEAGUE, *, deductions=None, out=None, settled=()):
    """Return each line as (rank, entry, points, margin, the criterion that separates it from the next one)."""
    made = record(entries, results, PointsRule(), deductions=deductions or {}, penalties=deductions or {})
    return [
        (row.rank, row.entry, int(row.points.value), int(row.margin.value), row.separated_by)
        for row in standings(made, criteria, out=out, settled=settled)
    ]


# Each entry meets every other once: A beats B 8-5 and C 8-2, D beats A 8-7, B beats C 8-4 and D 8-6, C beats D 8-1.
FOUR = [
    played(1, 1, "A", "B", 3), played(2, 1, "C", "D", 7), played(3, 2, "A", "C", 6), played(4, 2, "B", "D", 2),
    played(5, 3, "D", "A", 1), played(6, 3, "B", "C", 4),
]  # fmt: skip


def test_1_a_group_of_four():
    # A and B have two wins each and A beat B; C and D one each and C beat D.
    assert table("ABCD", FOUR) == [
        (1, "A", 4, 8, "head_to_head"), (2, "B", 4, 3, "points"), (3, "C", 2, -3, "head_to_head"), (4, "D", 2, -8, ""),
    ]  # fmt: skip


def test_2_a_tie_of_three_in_a_circle_is_settled_by_marbles():
    # A beats B by 1, B beats C by 5, C beats A by 2; all three beat D by 1.
    circle = [played(1, 1, "A", "B", 1), played(2, 2, "B", "C", 5), played(3, 3, "C", "A", 2)]
    rest = [played(4, 3, "B", "D", 1), played(5, 2, "A", "D", 1), played(6, 1, "C", "D", 1)]
    assert table("ABCD", circle + rest) == [
        (1, "B", 4, 5, "margin"), (2, "A", 4, 0, "margin"), (3, "C", 4, -2, "points"), (4, "D", 0, -3, ""),
    ]  # fmt: skip


def test_3_a_bye_brings_the_points_of_a_win_and_a_dummy_of_ones_own_score():
    # Three entries, two rounds: A beats B, C has the bye; A beats C, B has the bye.
    results = [played(1, 1, "A", "B"), bye(1, "C"), played(2, 2, "A", "C"), bye(2, "B")]
    # Buchholz: B 2 (A) + 1 (own score); C 1 + 2: the same. Sonneborn-Berger: 0 x 2 + 1 x 1 for both.
    assert table("ABC", results, SWISS) == [(1, "A", 4, 0, "points"), (2, "B", 2, 0, ""), (2, "C", 2, 0, "")]


def test_4_an_absence_costs_the_absent_one_and_not_his_opponents():
    # A beats B, C beats D; A does not come to the second round where B beats C and D has the bye.
    results = [played(1, 1, "A", "B"), played(2, 1, "C", "D"), absent(2, "A"), played(3, 2, "B", "C"), bye(2, "D")]
    # All have 2 points. Buchholz: B 3/2 (A's absence counts a half) + 1 = 5/2; C 1 (D) + 1 (B) = 2;
    # D 1 (C) + 1 (dummy) = 2; A 1 (B) + 1 (dummy) = 2. Sonneborn-Berger: A 1 x 1 + 0 = 1, C 1 x 1 + 0 = 1,
    # D 0 + 1 x 1 = 1; wins: one each.
    assert table("ABCD", results, SWISS) == [
        (1, "B", 2, 0, "buchholz"), (2, "A", 2, 0, ""), (2, "C", 2, 0, ""), (2, "D", 2, 0, ""),
    ]  # fmt: skip


def test_5_a_forfeit_is_a_win_without_marbles_and_counts_between_equals():
    # D does not come to the match against A: A has beaten B and C and wins against D; C has one win, D none.
    results = [*FOUR[:4], played(5, 3, "A", "D", fact="no_show"), FOUR[5]]
    assert table("ABCD", results) == [
        (1, "A", 6, 9, "points"), (2, "B", 4, 3, "points"), (3, "C", 2, -3, "points"), (4, "D", 0, -9, ""),
    ]  # fmt: skip


def test_6_a_double_forfeit_gives_nobody_anything():
    results = [*FOUR[:4], nobody(5, 3, "D", "A"), FOUR[5]]
    # B has two wins, A two: A beat B. C one, D none.
    assert table("ABCD", results) == [
        (1, "A", 4, 9, "head_to_head"), (2, "B", 4, 3, "points"), (3, "C", 2, -3, "points"), (4, "D", 0, -9, ""),
    ]  # fmt: skip


def test_7_matches_of_an_entry_that_withdraws_before_half_are_void():
    # D withdraws after one match of three: all of D's matches are void. The circle A > B > C, A > C is left.
    results = [FOUR[0], played(2, 1, "C", "D", 7, fact="void"), FOUR[2], FOUR[5]]
    assert table("ABC", [made for made in results if made.fact != "void"]) == [
        (1, "A", 4, 9, "points"), (2, "B", 2, 1, "points"), (3, "C", 0, -10, ""),
    ]  # fmt: skip


def test_8_an_entry_that_withdraws_after_half_is_last_and_its_results_count():
    # B withdraws after two of three matches and forfeits to C. B has as many points as C but is ranked behind D too.
    results = [*FOUR[:5], played(6, 3, "C", "B", fact="withdrawal")]
    assert table("ABCD", results, out={"B": WITHDRAWN}) == [
        (1, "A", 4, 8, "head_to_head"), (2, "C", 4, 1, "points"), (3, "D", 2, -8, "presence"), (4, "B", 2, -1, ""),
    ]  # fmt: skip


def test_9_disqualified_entries_are_ranked_behind_withdrawn_ones():
    assert [line[1] for line in table("ABCD", FOUR, out={"A": DISQUALIFIED, "B": WITHDRAWN})] == ["C", "D", "B", "A"]


def test_10_a_late_penalty_takes_a_match_point_and_the_place():
    # A loses one point by a ruling after the last match: B is alone on top.
    assert table("ABCD", FOUR, deductions={"A": 1}) == [
        (1, "B", 4, 3, "points"), (2, "A", 3, 8, "points"), (3, "C", 2, -3, "head_to_head"), (4, "D", 2, -8, ""),
    ]  # fmt: skip


def test_11_a_void_match_is_missing_and_head_to_head_waits_for_it():
    # A-B is void: A 2, B 4, C 2, D 2 points; A beat C, C beat D, D beat A: a circle, so marbles: A +5, C -3, D -8.
    assert table("ABCD", FOUR[1:]) == [
        (1, "B", 4, 6, "points"), (2, "A", 2, 5, "margin"), (3, "C", 2, -3, "margin"), (4, "D", 2, -8, ""),
    ]  # fmt: skip


def test_12_equals_whose_order_was_settled_take_it_and_only_where_all_of_them_are_named():
    even = [played(1, 1, "A", "B"), played(2, 2, "B", "C"), played(3, 3, "C", "A")]
    assert [line[:2] for line in table("ABC", even)] == [(1, "A"), (1, "B"), (1, "C")]
    assert table("ABC", even, settled="CAB") == [
        (1, "C", 2, 0, "settled"), (2, "A", 2, 0, "settled"), (3, "B", 2, 0, ""),
    ]  # fmt: skip
    assert [line[:2] for line in table("ABC", even, settled="CA")] == [(1, "A"), (1, "B"), (1, "C")]


@pytest.mark.parametrize("deduction", [0, 1, 5])
def test_points_add_up_to_what_the_matches_gave_less_what_rulings_took(deduction):
    lines = table("ABCD", FOUR, deductions={"C": deduction})
    assert sum(line[2] for line in lines) == 2 * len(FOUR) - deduction
