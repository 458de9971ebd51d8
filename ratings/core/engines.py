"""The rating engines: one interface, and the implementation chosen by its name and version in the parameters.

| engine | two teams | three teams or more |
| --- | --- | --- |
| `closed_form` 1 | two_teams.py, exact | the package in reference.py |
"""

from collections.abc import Callable, Sequence
from math import exp, prod, sqrt
from typing import Protocol

from . import reference, score, two_teams
from .gaussian import INV_SQRT_2PI, Estimate, cdf
from .params import Params

POINTS, REACH = 201, 8.0  # the quadrature for three teams or more: its points, and its standard deviations per side
Sides = Sequence[Sequence[Estimate]]


class RatingEngine(Protocol):
    """The interface of a rating method.

    `sides`: per side, the estimates of its members. `weights`: per side, how many players one member stands for: 1, or
    n for a team of n that is rated as one subject.
    """

    params: Params

    def initial(self) -> Estimate:
        """Return a new player's estimate."""

    def seed(self, members: Sequence[Estimate]) -> Estimate:
        """Return the first estimate of a team, computed from its members' estimates before its first game."""

    def update(self, sides: Sides, ranks: Sequence[int], weights: Sequence[int]) -> list[list[Estimate]]:
        """Return the estimates after the game, in the shape and order of `sides`; `ranks`: per side, 0 is best."""

    def chances(self, sides: Sides, weights: Sequence[int]) -> list[float]:
        """Return, per side, the probability (0 to 1) of finishing first."""

    def score(self, estimate: Estimate, members: int) -> int:
        """Return the score in thousandths of a point, on the scale of one player."""


class ClosedForm:
    """The default engine: closed form for two teams."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self._beta2 = params.beta * params.beta
        self._tau2 = params.tau * params.tau

    def initial(self) -> Estimate:
        return Estimate(self.params.mu0, self.params.sigma0)

    def seed(self, members: Sequence[Estimate]) -> Estimate:
        """Return the sum of the members' estimates with a larger uncertainty.

        mu is the sum of the members' mu; sigma squared is the sum of theirs + `synergy` per member, because a new
        team's strength may differ from the sum of its members'.
        """
        variance = sum(sigma * sigma for _, sigma in members) + self.params.synergy * len(members)
        return Estimate(sum(mu for mu, _ in members), sqrt(variance))

    def update(self, sides: Sides, ranks: Sequence[int], weights: Sequence[int]) -> list[list[Estimate]]:
        if len(sides) != 2:
            return reference.update(sides, ranks, params=self.params, weight=weights[0])
        first = 0 if ranks[0] < ranks[1] else 1
        won, lost = two_teams.update(
            sides[first],
            sides[1 - first],
            beta2=self._beta2,
            tau2=self._tau2,
            weights=(weights[first], weights[1 - first]),
        )
        return [won, lost] if first == 0 else [lost, won]

    def chances(self, sides: Sides, weights: Sequence[int]) -> list[float]:
        if len(sides) == 2:
            chance = two_teams.chance_to_win(sides[0], sides[1], beta2=self._beta2, weights=(weights[0], weights[1]))
            return [chance, 1.0 - chance]
        teams = [
            (sum(mu for mu, _ in side), sqrt(sum(sigma * sigma + self._beta2 * weight for _, sigma in side)))
            for side, weight in zip(sides, weights, strict=True)
        ]
        return [_chance_to_be_first(teams, i) for i in range(len(teams))]

    def score(self, estimate: Estimate, members: int) -> int:
        return score.score_milli(estimate, members)


def _chance_to_be_first(teams: Sequence[tuple[float, float]], i: int) -> float:
    """Return the probability that team `i` performs best; `teams`: mean and standard deviation of each performance.

    Integrates over the performance of team `i`, with a fixed step: the integrand is its density times the probability
    that every other team performs worse.
    """
    mu, spread = teams[i]
    step = 2.0 * REACH / (POINTS - 1)
    total = 0.0
    for k in range(POINTS):
        z = -REACH + k * step
        x = mu + z * spread
        density = INV_SQRT_2PI * exp(-0.5 * z * z)
        total += density * prod(cdf((x - m) / s) for j, (m, s) in enumerate(teams) if j != i)
    return total * step


_ENGINES: dict[tuple[str, str], Callable[[Params], RatingEngine]] = {("closed_form", "1"): ClosedForm}


def engine_for(params: Params) -> RatingEngine:
    """Return the engine named in `params`; raise ValueError if no engine has that name and version."""
    make = _ENGINES.get((params.engine, params.engine_version))
    if make is None:
        raise ValueError(f"engine: {params.engine} {params.engine_version} is not known")
    return make(params)
