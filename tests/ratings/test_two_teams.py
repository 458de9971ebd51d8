"""Tests of the closed form: worked examples, published cases, 50 digits, the reference package, extreme gaps."""

from collections.abc import Sequence
from math import inf, sqrt

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core import reference
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import TAIL, Estimate, cdf, v_w
from ratings.core.params import DEFAULT
from ratings.core.two_teams import chance_to_win, update
from tests.every import every

BETA2, TAU2 = DEFAULT.beta**2, DEFAULT.tau**2
A = [Estimate(29, 3), Estimate(24, 4)]
B = [Estimate(26, 2.5), Estimate(25, 3.5)]


def flat(sides: Sequence[Sequence[Estimate]]) -> list[float]:
    return [number for side in sides for estimate in side for number in estimate]


def test_the_worked_example_of_four_players() -> None:
    won, lost = update(A, B, beta2=BETA2, tau2=TAU2)
    assert flat([won, lost]) == pytest.approx(
        [
            *(29.5779988574, 2.9292827540, 25.0272069132, 3.8289296335),
            *(25.5984757359, 2.4599280526, 24.2134402596, 3.3863833655),
        ],
        abs=1e-9,
    )


def test_the_worked_example_of_the_two_pairs() -> None:
    engine = ClosedForm(DEFAULT)
    pair_a, pair_b = engine.seed(A), engine.seed(B)
    assert flat([[pair_a], [pair_b]]) == pytest.approx([53, sqrt(29), 51, sqrt(22.5)], abs=1e-12)
    after = engine.update([[pair_a], [pair_b]], (0, 1), (2, 2))
    assert flat(after) == pytest.approx([54.8092002408, 4.9872686778, 49.5961160410, 4.4744218471], abs=1e-9)


def test_the_ranks_say_who_won_not_the_order_of_the_sides() -> None:
    engine = ClosedForm(DEFAULT)
    assert engine.update([B, A], (1, 0), (1, 1)) == engine.update([A, B], (0, 1), (1, 1))[::-1]


def test_the_chances_of_the_worked_example() -> None:
    engine = ClosedForm(DEFAULT)
    assert engine.chances([A, B], (1, 1))[0] == pytest.approx(0.575, abs=5e-4)
    assert engine.chances([[engine.seed(A)], [engine.seed(B)]], (2, 2))[0] == pytest.approx(0.572, abs=5e-4)


def test_an_upset_in_the_tail() -> None:
    won, lost = update([Estimate(-120, 2)], [Estimate(40, 2)], beta2=BETA2, tau2=TAU2)
    assert flat([won, lost]) == pytest.approx([-104.9734145623, 1.9057475395, 24.9734145623, 1.9057475395], abs=1e-9)


# Cases published by others for games without draws, with the tolerance of the publication.
NEW = Estimate(25.0, 25.0 / 3.0)


def test_two_newcomers_as_published_by_mafredri_go_trueskill() -> None:
    won, lost = update([NEW], [NEW], beta2=BETA2, tau2=TAU2)
    assert flat([won, lost]) == pytest.approx(
        [29.205473106814, 7.1948165514807, 20.794526893186, 7.1948165514807], abs=1e-5
    )


def test_two_newcomers_as_published_by_glandfried_trueskill_through_time() -> None:
    # In that model the uncertainty grows between games, not in a game: tau is 0.
    won, lost = update([NEW], [NEW], beta2=BETA2, tau2=0.0)
    assert won[0].mu == pytest.approx(29.20522074387697, abs=1e-4)
    assert lost[0].mu == pytest.approx(20.79477925612302, abs=1e-4)
    assert won[0].sigma == pytest.approx(7.194481422570443, abs=1e-4)


def test_an_upset_as_published_by_glandfried_trueskill_through_time() -> None:
    won, lost = update([NEW], [Estimate(29.0, 1.0)], beta2=BETA2, tau2=0.0)
    assert flat([won, lost]) == pytest.approx([32.189, 6.062, 28.896, 0.996], abs=5e-3)


# 50 digits.


def fifty_digits(win: Sequence[Estimate], lose: Sequence[Estimate], beta2: float, tau2: float) -> list[float]:
    """Return the closed form computed with 50 digits: the same formula without binary floating point."""
    with mpmath.workdps(50):
        m = mpmath.mpf
        teams = [[(m(mu), m(sigma) ** 2 + m(tau2)) for mu, sigma in side] for side in (win, lose)]
        c2 = sum(s2 + m(beta2) for side in teams for _, s2 in side)
        c = mpmath.sqrt(c2)
        t = (sum(mu for mu, _ in teams[0]) - sum(mu for mu, _ in teams[1])) / c
        v = mpmath.npdf(t) / (mpmath.erfc(-t / mpmath.sqrt(2)) / 2)
        w = v * (v + t)
        numbers = []
        for side, sign in zip(teams, (1, -1), strict=True):
            for mu, s2 in side:
                numbers += [float(mu + sign * s2 / c * v), float(mpmath.sqrt(s2 * (1 - s2 / c2 * w)))]
        return numbers


mus = st.floats(-50, 100)
sigmas = st.floats(0.3, 12)
estimates = st.builds(Estimate, mus, sigmas)
sides = st.lists(estimates, min_size=1, max_size=4)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(sides, sides)
def test_the_closed_form_agrees_with_fifty_digits(win: list[Estimate], lose: list[Estimate]) -> None:
    ours = flat(update(win, lose, beta2=BETA2, tau2=TAU2))
    assert ours == pytest.approx(fifty_digits(win, lose, BETA2, TAU2), rel=1e-9, abs=1e-9)


@st.composite
def equal_sides(draw: st.DrawFn) -> tuple[list[Estimate], list[Estimate]]:
    size = draw(st.integers(1, 4))
    side = st.lists(st.builds(Estimate, st.floats(0, 50), st.floats(0.5, 9)), min_size=size, max_size=size)
    return draw(side), draw(side)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(equal_sides())
def test_the_closed_form_agrees_with_the_reference_package(game: tuple[list[Estimate], list[Estimate]]) -> None:
    win, lose = game
    ours = flat(update(win, lose, beta2=BETA2, tau2=TAU2))
    theirs = flat(reference.update([win, lose], [0, 1], params=DEFAULT))
    assert ours == pytest.approx(theirs, abs=1e-5)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(equal_sides())
def test_the_closed_form_agrees_with_the_package_at_high_precision(
    game: tuple[list[Estimate], list[Estimate]],
) -> None:
    win, lose = game
    theirs = flat(reference.update([win, lose], [0, 1], params=DEFAULT, backend="mpmath"))
    assert flat(update(win, lose, beta2=BETA2, tau2=TAU2)) == pytest.approx(theirs, abs=1e-9)


# The tail.


@every("gap", [0, 1, 29, 30, 31, 37.5, 38.5, 100, 1e3, 1e4, 1e5, 1e6])
@every("sign", [1, -1])
def test_any_gap_gives_finite_estimates(gap: float, sign: int) -> None:
    winner, loser = Estimate(sign * gap, 8.0), Estimate(0.0, 8.0)
    (won,), (lost,) = update([winner], [loser], beta2=BETA2, tau2=TAU2)
    assert won.mu >= winner.mu
    assert lost.mu <= loser.mu
    for after, before in ((won, winner), (lost, loser)):
        assert 0 < after.sigma <= sqrt(before.sigma**2 + TAU2)
        assert abs(after.mu) < inf


@settings(max_examples=300, deadline=None, derandomize=True)
@given(sides, sides, st.floats(-1e6, 1e6))
def test_a_winners_mu_never_falls_and_sigma_never_grows_beyond_tau(
    win: list[Estimate], lose: list[Estimate], shift: float
) -> None:
    win = [Estimate(mu + shift, sigma) for mu, sigma in win]
    won, lost = update(win, lose, beta2=BETA2, tau2=TAU2)
    assert all(after.mu >= before.mu for after, before in zip(won, win, strict=True))
    assert all(after.mu <= before.mu for after, before in zip(lost, lose, strict=True))
    for after, before in zip(won + lost, win + lose, strict=True):
        assert after.sigma <= sqrt(before.sigma**2 + TAU2)


@pytest.mark.parametrize("t", [-30.0, -31.0, -37.5, -60.0])
def test_the_series_of_the_tail_is_exact_to_twelve_digits(t: float) -> None:
    with mpmath.workdps(50):
        exact = mpmath.npdf(t) / (mpmath.erfc(-t / mpmath.sqrt(2)) / 2)
        difference = float(exact + t)
    v, w = v_w(t)
    assert v == pytest.approx(float(exact), rel=1e-12)
    assert w / v == pytest.approx(difference, rel=1e-12)


def test_the_two_branches_of_v_w_agree_at_the_edge_of_the_tail() -> None:
    above, below = v_w(TAIL + 1e-9), v_w(TAIL)
    assert above == pytest.approx(below, rel=1e-9)


def test_the_chance_of_a_team_and_of_its_opponents_add_up() -> None:
    assert chance_to_win(A, B, beta2=BETA2) + chance_to_win(B, A, beta2=BETA2) == pytest.approx(1.0, abs=1e-15)
    assert cdf(0.0) == 0.5


def test_an_empty_team_is_refused() -> None:
    with pytest.raises(ValueError, match="without members"):
        chance_to_win([], B, beta2=BETA2)
