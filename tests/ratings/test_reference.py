"""Tests of the reference package and our interface to it, with cases published by other implementations.

Expected figures: the tests of sublee/trueskill, moserware/Skills and mafredri/go-trueskill (draw probability 10 %), and
of glandfried/TrueSkillThroughTime.py. Draws of two teams occur only here: the product's games have none.
"""

from math import sqrt

import pytest

from ratings.core import reference
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT, Params
from tests.every import every

trueskill = reference.trueskill
NEW = (25.0, 25.0 / 3.0)
E = Estimate


def rated(sides, ranks=None, *, env=None):  # type: ignore[no-untyped-def]
    env = env or trueskill.TrueSkill()
    groups = [tuple(trueskill.Rating(*member) for member in side) for side in sides]
    return [number for group in env.rate(groups, ranks) for member in group for number in (member.mu, member.sigma)]


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


TWO = [
    ("1 v 1", [[NEW], [NEW]], None, [29.396, 7.171, 20.604, 7.171]),
    ("1 v 1 drawn", [[NEW], [NEW]], [0, 0], [25.0, 6.458] * 2),
    ("2 v 2", [[NEW] * 2] * 2, None, [28.108, 7.774] * 2 + [21.892, 7.774] * 2),
    ("2 v 2 drawn", [[NEW] * 2] * 2, [0, 0], [25.0, 7.455] * 4),
    ("4 v 4", [[NEW] * 4] * 2, None, [27.198, 8.059] * 4 + [22.802, 8.059] * 4),
    ("1 v 2", [[NEW], [NEW] * 2], None, [33.730, 7.317] + [16.270, 7.317] * 2),
    ("1 v 2 drawn", [[NEW], [NEW] * 2], [0, 0], [31.660, 7.138] + [18.340, 7.138] * 2),
    ("1 v 3", [[NEW], [NEW] * 3], None, [36.337, 7.527] + [13.663, 7.527] * 3),
    ("1 v 3 drawn", [[NEW], [NEW] * 3], [0, 0], [34.990, 7.455] + [15.010, 7.455] * 3),
    ("1 v 7", [[NEW], [NEW] * 7], None, [40.582, 7.917] + [9.418, 7.917] * 7),
    ("1 v 2 balanced", [[(40, 6)], [(20, 7), (25, 8)]], None, [42.744, 5.602, 16.266, 6.359, 20.123, 7.028]),
    ("upset drawn", [[NEW], [(50, 12.5)]], [0, 0], [31.662, 7.137, 35.010, 7.910]),
    (
        "2 v 2 upset",
        [[(20, 8), (25, 6)], [(35, 7), (40, 5)]],
        None,
        [29.698, 7.008, 30.455, 5.594, 27.575, 6.346, 36.211, 4.768],
    ),
    (
        "2 v 2 unbalanced, drawn",
        [[(15, 8), (20, 6)], [(25, 4), (30, 3)]],
        [0, 0],
        [21.570, 6.556, 23.696, 5.418, 23.357, 3.833, 29.075, 2.931],
    ),
    (
        "3 v 2",
        [[(28, 7), (27, 6), (26, 5)], [(30, 4), (31, 3)]],
        [0, 1],
        [28.658, 6.770, 27.484, 5.856, 26.336, 4.917, 29.785, 3.958, 30.879, 2.983],
    ),
    (
        "3 v 2 upset",
        [[(28, 7), (27, 6), (26, 5)], [(30, 4), (31, 3)]],
        [1, 0],
        [21.840, 6.314, 22.474, 5.575, 22.857, 4.757, 32.012, 3.877, 32.132, 2.949],
    ),
]
MANY = [
    ("3 alone", [[NEW]] * 3, None, [31.675, 6.656, 25.0, 6.208, 18.325, 6.656]),
    ("3 alone, unsorted", [[NEW]] * 3, [2, 1, 0], [18.325, 6.656, 25.0, 6.208, 31.675, 6.656]),
    ("3 alone, drawn", [[NEW]] * 3, [0] * 3, [25.0, 5.698, 25.0, 5.695, 25.0, 5.698]),
    ("4 alone", [[NEW]] * 4, None, [33.207, 6.348, 27.401, 5.787, 22.599, 5.787, 16.793, 6.348]),
    (
        "5 alone",
        [[NEW]] * 5,
        None,
        [34.363, 6.136, 29.058, 5.536, 25.0, 5.420, 20.942, 5.536, 15.637, 6.136],
    ),
    (
        "8 alone",
        [[NEW]] * 8,
        None,
        numbers(
            "36.771 5.749 32.242 5.133 29.074 4.943 26.322 4.874 23.678 4.874 20.926 4.943 17.758 5.133 13.229 5.749 "
        ),
    ),
    (
        "8 alone, drawn",
        [[NEW]] * 8,
        [0] * 8,
        [25.0, 4.592, 25.0, 4.583, 25.0, 4.576, 25.0, 4.573, 25.0, 4.573, 25.0, 4.576, 25.0, 4.583, 25.0, 4.592],
    ),
    (
        "8 alone, upset",
        [[(10, 8)], [(15, 7)], [(20, 6)], [(25, 5)], [(30, 4)], [(35, 3)], [(40, 2)], [(45, 1)]],
        None,
        numbers(
            "35.135 4.506 32.585 4.037 31.329 3.756 30.984 3.453 31.751 3.064 34.051 2.541 38.263 1.849 44.118 0.983 "
        ),
    ),
    (
        "16 alone",
        [[NEW]] * 16,
        None,
        numbers(
            "40.539 5.276 36.810 4.711 34.347 4.524 32.336 4.433 30.550 4.380 28.893 4.349 "
            "27.310 4.330 25.766 4.322 24.234 4.322 22.690 4.330 21.107 4.349 19.450 4.380 "
            "17.664 4.433 15.653 4.524 13.190 4.711 9.461 5.276 "
        ),
    ),
    (
        "2 v 4 v 2",
        [[(40, 4), (45, 3)], [(20, 7), (19, 6), (30, 9), (10, 4)], [(50, 5), (30, 2)]],
        [0, 1, 1],
        numbers(
            "40.877 3.840 45.493 2.934 19.609 6.396 18.712 5.625 29.353 7.673 9.872 3.891 48.830 4.590 29.813 1.976 "
        ),
    ),
]


@every("sides, ranks, expected", [case[1:] for case in TWO + MANY])
def test_the_package_returns_the_published_estimates(sides, ranks, expected) -> None:  # type: ignore[no-untyped-def]
    assert rated(sides, ranks) == pytest.approx(expected, abs=1.001e-3)


def test_the_chess_like_scale_published_by_moserware() -> None:
    env = trueskill.TrueSkill(mu=1200, sigma=400, beta=200, tau=4, draw_probability=0.03)
    figures = rated([[(1301.0007, 42.9232)], [(1188.7560, 42.5570)]], env=env)
    assert figures == pytest.approx(
        [1304.7820836053318, 42.843513887848658, 1185.0383099003536, 42.485604606897752], abs=0.085
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((29.396, 7.171), (20.604, 7.171), [31.2295178, 6.5230309, 18.7704822, 6.5230309]),
        ((20.604, 7.171), (29.396, 7.171), [26.6428086, 6.0399863, 23.3571914, 6.0399863]),
    ],
)
def test_wins_of_a_better_and_a_worse_player_as_published_by_mafredri(first, second, expected) -> None:  # type: ignore[no-untyped-def]
    assert rated([[first], [second]]) == pytest.approx(expected, abs=1e-5)


def test_an_environment_with_half_of_the_games_drawn() -> None:
    env = trueskill.TrueSkill(draw_probability=0.5)
    assert rated([[NEW], [NEW]], env=env) == pytest.approx([30.267, 7.077, 19.733, 7.077], abs=1e-3)


def test_three_single_players_without_ties_as_published_by_glandfried() -> None:
    env = trueskill.TrueSkill(draw_probability=1e-9, tau=1e-9)
    figures = rated([[NEW]] * 3, [1, 0, 2], env=env)
    assert figures == pytest.approx([25.0, 6.238469796, 31.3113582213, 6.69881865, 18.6886417787, 6.69881865], abs=2e-4)


@pytest.mark.parametrize(
    ("ranks", "sides", "expected"),
    [
        ([0, 0], [[(25.0, 3.0)], [(29.0, 2.0)]], [25.736, 2.710, 28.672, 1.916]),
        ([0, 0, 0], [[(25.0, 3.0)], [(25.0, 3.0)], [(29.0, 2.0)]], [25.489, 2.638, 25.511, 2.629, 28.556, 1.886]),
        (
            [0, 1, 1],
            [[(12.0, 3.0), (18.0, 3.0)], [(30.0, 3.0)], [(14.0, 3.0), (16.0, 3.0)]],
            [13.051, 2.864, 19.051, 2.864, 29.292, 2.764, 13.658, 2.813, 15.658, 2.813],
        ),
    ],
)
def test_draws_as_published_by_glandfried(ranks, sides, expected) -> None:  # type: ignore[no-untyped-def]
    env = trueskill.TrueSkill(draw_probability=0.25, tau=1e-9)
    assert rated(sides, ranks, env=env) == pytest.approx(expected, abs=1e-2)


# Our interface to the package.


def test_games_of_three_teams_use_the_package_and_may_tie() -> None:
    engine = ClosedForm(DEFAULT)
    sides = [[E(25, 8), E(25, 8)], [E(27, 5), E(23, 6)], [E(30, 3), E(20, 4)]]
    assert engine.update(sides, (0, 1, 1), (1, 1, 1)) == reference.update(sides, (0, 1, 1), params=DEFAULT)


def test_teams_rated_as_one_subject_have_scaled_parameters() -> None:
    sides = [[E(50, 12.0)], [E(52, 10.0)], [E(48, 11.0)]]
    scaled = Params(mu0=50, sigma0=DEFAULT.sigma0 * sqrt(2), beta=DEFAULT.beta * sqrt(2), tau=DEFAULT.tau * sqrt(2))
    ours = reference.update(sides, (0, 1, 2), params=DEFAULT, weight=2)
    theirs = reference.update(sides, (0, 1, 2), params=scaled)
    assert sum(ours, []) == [pytest.approx(e) for e in sum(theirs, [])]  # noqa: RUF017


def test_an_extreme_upset_of_three_teams_is_computed_with_mpmath() -> None:
    sides = [[E(-900, 1.0)], [E(500, 1.0)], [E(900, 1.0)]]
    after = reference.update(sides, (0, 1, 2), params=DEFAULT)
    assert after[0][0].mu > -900
    assert after[2][0].mu < 900


def test_the_chances_of_three_teams_add_up_and_follow_strength() -> None:
    engine = ClosedForm(DEFAULT)
    chances = engine.chances([[E(30, 2)], [E(25, 2)], [E(20, 2)]], (1, 1, 1))
    assert sum(chances) == pytest.approx(1.0, abs=1e-6)
    assert chances[0] > chances[1] > chances[2]
    assert engine.chances([[E(25, 2)]] * 3, (1, 1, 1)) == pytest.approx([1 / 3] * 3, abs=1e-6)
