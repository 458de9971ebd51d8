"""What people see: one figure, an interval, and the step of the histogram that ranks them.

| shown | from |
| --- | --- |
| score | 1000 + 40 (mu - 3 sigma) on the scale of one player, kept as a whole number of thousandths |
| interval | plus or minus 80 sigma: two standard deviations, 95 % |
| scale of one player | a team of n: mu / n, sigma / sqrt(n) |
"""

from math import sqrt

from .gaussian import Estimate

BASE, FACTOR, CAUTION = 1000.0, 40.0, 3.0
BUCKET = 4000  # thousandths: one step of the histogram is 4 points of score


def per_player(estimate: Estimate, members: int) -> Estimate:
    """Return a team's estimate on the scale of one player, so that boards of teams and players read alike."""
    if members == 1:
        return estimate
    return Estimate(estimate.mu / members, estimate.sigma / sqrt(members))


def score_milli(estimate: Estimate, members: int = 1) -> int:
    """Return the score in thousandths of a point: a new player 1 000 000."""
    mu, sigma = per_player(estimate, members)
    return round(1000.0 * (BASE + FACTOR * (mu - CAUTION * sigma)))


def interval(sigma: float) -> int:
    """Return the half width of the 95 % interval, in whole points; `sigma` on the scale of one player."""
    return round(2.0 * FACTOR * sigma)


def points(milli: int) -> int:
    """Return a stored score in whole points, halves away from zero: what every page shows."""
    return (abs(milli) + 500) // 1000 * (1 if milli >= 0 else -1)


def bucket(milli: int) -> int:
    """Return the step of the histogram in which a score lies."""
    return milli // BUCKET
