"""Chances: they add up, they favour the team that is ahead, and the fit finds the numbers that produced the results."""

import random

import pytest

from games import bots
from games.bots.calibration import Sample, fit, forecast, gather, mean_log_loss, reliability
from games.bots.tournament import Table
from games.bots.worth import chance, lead
from games.engine.tock.game import GAME
from tests.boards import at


def assessed(p, **more) -> dict[str, float]:  # type: ignore[no-untyped-def]
    legal = [play.text for play in GAME.legal_plays(p)]
    return dict(bots.assess(GAME.view(p, p.turn), legal, **more))


def test_a_win_is_certain_and_a_lead_is_likely() -> None:
    p = at(marbles="0: h2 h3 h4 t69 / 2: h1 h2 h3 h4 / 1: t71", hands="0: 2H 9C KS")
    chances = assessed(p)
    assert chances["2H t69-h1"] == pytest.approx(1.0)
    assert all(chance > 0.9 for chance in chances.values())
    behind = at(marbles="0: t12 / 1: h1 h2 h3 h4 / 3: h2 h3 h4 t50", hands="0: 2H 9C")
    assert all(chance < 0.1 for chance in assessed(behind).values())


def test_one_play_has_its_chance_too_and_no_play_none() -> None:
    p = at(marbles="0: t30", hands="0: 9C")
    assert list(assessed(p)) == ["9C t30-t39"]
    assert bots.assess(GAME.view(p, 0), []) == ()


def test_leads_are_the_log_odds_of_shares_that_add_up_to_one() -> None:
    scores = [1.3, -0.4, 0.2]
    assert sum(chance(lead(scores, team)) for team in range(3)) == pytest.approx(1.0)
    assert sum(chance(lead(scores[:2], team)) for team in range(2)) == pytest.approx(1.0)
    assert chance(-1e6) == 0.0
    assert chance(1e6) == 1.0


def made_up(scale: float, shift: float, teams: int, count: int = 6000) -> list[Sample]:
    """Return decisions whose results follow the model."""
    roll, samples = random.Random(9), []
    for _ in range(count):
        points = tuple(roll.gauss(0, 150) for _ in range(teams))
        sample = Sample(points, roll.randrange(teams), False)
        won = roll.random() < forecast(sample, scale, shift)
        samples.append(Sample(points, sample.own, won))
    return samples


@pytest.mark.parametrize("teams", [2, 3])
def test_the_fit_finds_the_numbers_that_made_the_results(teams: int) -> None:
    samples = made_up(0.006, 0.25, teams)
    scale, shift = fit(samples)
    assert scale == pytest.approx(0.006, rel=0.1)
    assert shift == pytest.approx(0.25, abs=0.1)
    assert mean_log_loss(samples, scale, shift) <= mean_log_loss(samples, 0.006, 0.25)
    for tenth in reliability(samples, scale, shift):
        if tenth.count > 200:
            assert tenth.won == pytest.approx(tenth.forecast, abs=0.1)
    assert sum(tenth.count for tenth in reliability(samples, scale, shift)) == len(samples)


@pytest.mark.parametrize(("rules", "seats", "teams"), [("shawinigan/1", 4, 2), ("toc/1", 4, 4)])
def test_a_game_of_the_club_gives_decisions_to_fit_by(rules: str, seats: int, teams: int) -> None:
    samples = gather(Table(rules, seats, teams), 1)
    assert len(samples) > 10
    assert {sample.won for sample in samples} == {True, False}
    assert all(len(sample.points) == teams for sample in samples)
