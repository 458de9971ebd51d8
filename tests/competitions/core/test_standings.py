"""Golden cases of the tie-breaks, computed by hand, and rows that explain their rank."""

from fractions import Fraction

import pytest

from tock_league.competitions.core.effective import Line, Version, resolve
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult, points
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import adjusted, explain, record, score, split

A, B, C, D, E = "ABCDE"
RULE = PointsRule()


def won(match, number, winner, loser, *, margin=0, fact="played"):
    return MatchResult(
        match, number, fact, (SideResult(winner, "win", 1, margin), SideResult(loser, "loss", 0, -margin))
    )


def tied(match, number, one, other):
    return MatchResult(match, number, "played", (SideResult(one, "tie"), SideResult(other, "tie")))


def bye(match, number, entry):
    return MatchResult(match, number, "pairing_bye", (SideResult(entry, "win"),))


@pytest.fixture
def example_x():
    """Five entries, three rounds; A is absent in the third."""
    results = [
        won(1, 1, A, B), won(2, 1, C, D), bye(3, 1, E),
        won(4, 2, A, C), tied(5, 2, D, E), bye(6, 2, B),
        won(7, 3, B, C), won(8, 3, E, A, fact="no_show"), bye(9, 3, D),
    ]  # fmt: skip
    return record([A, B, C, D, E], results, RULE)


def test_example_x_has_the_scores_of_the_table(example_x):
    assert {entry: Fraction(score(example_x, entry), 2) for entry in "ABCDE"} == {
        "A": 2, "B": 2, "C": 1, "D": Fraction(3, 2), "E": Fraction(5, 2),
    }  # fmt: skip


def test_a_voluntary_absence_counts_half_in_the_adjusted_score_and_nothing_else_changes(example_x):
    assert {entry: Fraction(adjusted(example_x, entry), 2) for entry in "ABCDE"} == {
        "A": Fraction(5, 2), "B": 2, "C": 1, "D": Fraction(3, 2), "E": Fraction(5, 2),
    }  # fmt: skip


def test_sonneborn_berger_of_d_is_two_and_three_quarters(example_x):
    value = explain("sonneborn_berger", D, (D,), example_x)
    assert value.value == Fraction(11, 4)
    assert [(term.match, term.value) for term in value.terms] == [(2, 0), (5, Fraction(5, 4)), (9, Fraction(3, 2))]


def test_wins_count_byes_and_forfeits_and_played_wins_do_not(example_x):
    assert [explain(key, E, (E,), example_x).value for key in ("wins", "played_wins")] == [2, 0]
    assert [explain(key, A, (A,), example_x).value for key in ("wins", "played_wins")] == [2, 2]


def test_koya_counts_points_against_the_upper_half_only():
    results = [
        won(1, 1, A, B), won(2, 1, C, D), won(3, 2, A, C), tied(4, 2, B, D), won(5, 3, A, D), won(6, 3, B, C),
    ]  # fmt: skip
    made = record([A, B, C, D], results, RULE)
    assert [Fraction(score(made, entry), 2) for entry in "ABCD"] == [3, Fraction(3, 2), 1, Fraction(1, 2)]
    assert explain("koya", C, (C,), made).value == 0
    assert explain("koya", D, (D,), made).value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("margins", "cap", "expected"), [([3, -2, 1], None, 2), ([7, 6], 6, 12)], ids=["8-5, 6-8, 8-7", "8-1, 8-2 capped"]
)
def test_margin_sums_marbles_and_caps_each_match(margins, cap, expected):
    results = [won(i, i, A, B, margin=m) if m > 0 else won(i, i, B, A, margin=-m) for i, m in enumerate(margins, 1)]
    made = record([A, B], results, RULE, margin_cap=cap)
    assert explain("margin", A, (A,), made).value == expected


def test_a_match_nobody_played_adds_no_margin():
    made = record([A, B], [won(1, 1, A, B, margin=8, fact="no_show")], RULE)
    assert explain("margin", A, (A,), made).value == 0


def test_lots_are_the_published_ones():
    entries = {1: "E12", 2: "E31", 3: "E07"}
    made = record([3, 2, 1], [], RULE, lots_seed="spring-cup-7f3a", names=entries)
    assert [explain("lots", entry, (), made).text[:4] for entry in (1, 2, 3)] == ["27a8", "7f4d", "996c"]
    assert split("lots", (3, 2, 1), made) == ((1,), (2,), (3,))


def test_head_to_head_puts_a_lead_first_that_the_missing_match_cannot_undo():
    made = record("PQR", [won(1, 1, "P", "Q"), won(2, 2, "P", "R")], RULE)
    assert split("head_to_head", ("P", "Q", "R"), made) == (("P",), ("Q", "R"))


def test_head_to_head_in_a_circle_decides_nothing():
    made = record("PQR", [won(1, 1, "P", "Q"), won(2, 2, "Q", "R"), won(3, 3, "R", "P")], RULE)
    assert split("head_to_head", ("P", "Q", "R"), made) == (("P", "Q", "R"),)


def test_head_to_head_looks_again_inside_a_part_that_is_smaller():
    # P beat Q, Q beat R, R beat P, and all three beat S.
    results = [
        won(1, 1, "P", "Q"), won(2, 1, "R", "S"), won(3, 2, "Q", "R"), won(4, 2, "P", "S"), won(5, 3, "R", "P"),
        won(6, 3, "Q", "S"),
    ]  # fmt: skip
    made = record("PQRS", results, RULE)
    assert split("head_to_head", ("P", "Q", "R", "S"), made) == (("P", "Q", "R"), ("S",))
    # Two and two: P and Q have two points, R and S one; P beat Q and R beat S.
    results = [
        won(1, 1, "P", "Q"), won(2, 1, "R", "S"), won(3, 2, "Q", "R"), won(4, 2, "S", "P"), won(5, 3, "P", "R"),
        won(6, 3, "Q", "S"),
    ]  # fmt: skip
    made = record("SRQP", results, RULE)
    assert split("head_to_head", ("S", "R", "Q", "P"), made) == (("P",), ("Q",), ("R",), ("S",))


def test_a_forfeit_counts_in_head_to_head():
    made = record("PQ", [won(1, 1, "P", "Q", fact="no_show")], RULE)
    assert split("head_to_head", ("P", "Q"), made) == (("P",), ("Q",))


def test_a_double_forfeit_gives_nobody_anything():
    result = MatchResult(1, 1, "double_forfeit", (SideResult(A, "loss"), SideResult(B, "loss")))
    made = record([A, B], [result], RULE)
    assert [explain("points", entry, (), made).value for entry in (A, B)] == [0, 0]
    assert [score(made, entry) for entry in (A, B)] == [0, 0]


def test_best_of_three_may_pay_three_two_one_nothing():
    rule = PointsRule(win=3, tie=0, loss=0, close_win=2, close_loss=1)
    clear = MatchResult(1, 1, "played", (SideResult(A, "win", 2), SideResult(B, "loss", 0)))
    close = MatchResult(2, 1, "played", (SideResult(A, "win", 2), SideResult(B, "loss", 1)))
    assert [points(clear, side, rule) for side in clear.sides] == [3, 0]
    assert [points(close, side, rule) for side in close.sides] == [2, 1]


@pytest.mark.parametrize("fact", ["walkover", "withdrawal", "no_show"])
def test_forfeits_have_points_of_their_own(fact):
    rule = PointsRule(win=3, tie=1, loss=1, forfeit_win=2, forfeit_loss=-1)
    given_up = MatchResult(1, 1, fact, (SideResult(A, "win"), SideResult(B, "loss")))
    both = MatchResult(2, 1, "double_forfeit", (SideResult(A, "loss"), SideResult(B, "loss")))
    assert [points(given_up, side, rule) for side in given_up.sides] == [2, -1]
    assert [points(both, side, rule) for side in both.sides] == [-1, -1]


LEAGUE = ("points", "head_to_head", "margin", "wins", "sonneborn_berger", "lots")


def test_each_row_names_the_criterion_that_put_it_before_the_next():
    results = [
        won(1, 1, A, B, margin=1), won(2, 1, C, D, margin=5), won(3, 2, A, C, margin=2), won(4, 2, B, D, margin=1),
        won(5, 3, D, A, margin=1), won(6, 3, C, B, margin=3),
    ]  # fmt: skip
    rows = standings(record([A, B, C, D], results, RULE), LEAGUE)
    assert [row.entry for row in rows] == [A, C, B, D]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.separated_by for row in rows] == ["head_to_head", "points", "head_to_head", ""]
    why = rows[0].why
    assert [(step.criterion, step.ahead.value, step.behind.value, step.decides) for step in why] == [
        ("points", 4, 4, False),
        ("head_to_head", 1, 0, True),
    ]
    assert [term.match for term in why[1].ahead.terms] == [3]
    assert [(row.wins, row.losses, row.margin.value) for row in rows] == [(2, 1, 2), (2, 1, 6), (1, 2, -3), (1, 2, -5)]


def test_equals_share_a_rank_when_the_list_of_criteria_ends():
    rows = standings(record([A, B, C], [won(1, 1, A, B), won(2, 2, A, C)], RULE), ("points", "wins"))
    assert [(row.entry, row.rank, row.ordinal, row.separated_by) for row in rows] == [
        (A, 1, 1, "points"),
        (B, 2, 2, ""),
        (C, 2, 3, ""),
    ]


def test_an_unknown_criterion_is_refused_by_name():
    with pytest.raises(ValueError, match="goal_average"):
        standings(record([A, B], [], RULE), ("points", "goal_average"))


def test_relabelling_the_entries_relabels_the_table():
    def table(names):
        results = [won(1, 1, names[0], names[1]), won(2, 1, names[2], names[3]), won(3, 2, names[0], names[2])]
        return [row.entry for row in standings(record(names, results, RULE), ("points", "head_to_head"))]

    first, second = table([1, 2, 3, 4]), table([10, 20, 30, 40])
    assert [entry * 10 for entry in first] == second


def game(number, index, winner, margin=0, fact="played"):
    lines = (
        Line(0, "win" if winner == 0 else "loss", 0 if winner == 0 else 1, margin if winner == 0 else -margin),
        Line(1, "win" if winner == 1 else "loss", 0 if winner == 1 else 1, margin if winner == 1 else -margin),
    )
    return Version(number, index, fact, lines)


def test_best_of_three_is_open_at_one_all_and_decided_at_two():
    assert resolve([], best_of=3).state == "open"
    level = resolve([game(1, 1, 0), game(2, 2, 1)], best_of=3)
    assert (level.state, level.score) == ("open", (1, 1))
    done = resolve([game(1, 1, 0, 3), game(2, 2, 1, 2), game(3, 3, 1, 4)], best_of=3)
    assert (done.state, done.score, [side.outcome for side in done.sides]) == ("decided", (1, 2), ["loss", "win"])
    assert [side.margin for side in done.sides] == [-3, 3]
    assert resolve([game(1, 1, 0), game(2, 2, 0)], best_of=3).state == "decided"
    assert resolve([game(1, 1, 0), game(2, 2, 0)], best_of=3, play_all=True).state == "open"


def test_a_later_version_of_a_game_replaces_the_earlier_one():
    assert resolve([game(1, 1, 0), game(2, 1, 1)]).score == (0, 1)


def test_a_decision_on_the_whole_match_stands_over_the_games_and_keeps_the_completed_ones():
    forfeit = Version(2, None, "forfeit", (Line(0, "loss", 1), Line(1, "win", 0)))
    made = resolve([game(1, 1, 0), forfeit], best_of=3)
    assert (made.state, made.fact, made.score) == ("decided", "forfeit", (1, 0))
    assert [side.outcome for side in made.sides] == ["loss", "win"]


def test_a_void_match_counts_nothing_until_it_is_played_again():
    void = Version(2, None, "void")
    assert resolve([game(1, 1, 0), void]).state == "void"
    again = resolve([game(1, 1, 0), void, game(3, 1, 1)])
    assert (again.state, again.score) == ("decided", (0, 1))


@pytest.mark.parametrize(
    "versions",
    [
        [game(2, 1, 0), game(1, 1, 0)],
        [game(1, 2, 0)],
        [Version(1, 1, "played", (Line(0, "win", 0), Line(1, "win", 0)))],
        [Version(1, 1, "played", (Line(2, "win", 0),))],
        [Version(1, 1, "played", (Line(0, "victory", 0),))],
    ],
    ids=["out of order", "game beyond best of 1", "two winners", "no such position", "no such outcome"],
)
def test_impossible_versions_are_refused(versions):
    with pytest.raises(ValueError):
        resolve(versions)
