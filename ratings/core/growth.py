"""Growth of the uncertainty during inactivity and at a new season; mu does not change."""

from datetime import datetime
from math import sqrt

from .gaussian import Estimate
from .params import Params


def starting_sigma(params: Params, members: int) -> float:
    """Return the sigma of a subject without any game: a new player, or a team of `members` new players."""
    if members == 1:
        return params.sigma0
    return sqrt(members * (params.sigma0 * params.sigma0 + params.synergy))


def idle_days(last: datetime | None, at: datetime) -> int:
    """Return the whole days from the last rated game to `at`; 0 before the first game."""
    return 0 if last is None else max(0, (at - last).days)


def after_idle(estimate: Estimate, *, days: int, members: int, params: Params) -> Estimate:
    """Return `estimate` after `days` whole days without a game.

    sigma squared grows by params.idle_per_day per day and member; sigma never exceeds the starting sigma.
    """
    if days <= 0:
        return estimate
    return _grown(estimate, params.idle_per_day * days * members, starting_sigma(params, members))


def after_season(estimate: Estimate, *, members: int, params: Params) -> Estimate:
    """Return `estimate` at the beginning of a new season.

    sigma squared grows by params.season per member; sigma never exceeds the starting sigma.
    """
    return _grown(estimate, params.season * members, starting_sigma(params, members))


def _grown(estimate: Estimate, variance: float, ceiling: float) -> Estimate:
    mu, sigma = estimate
    if sigma >= ceiling:
        return estimate
    return Estimate(mu, min(ceiling, sqrt(sigma * sigma + variance)))
