"""The figures that pages show: the score, its interval, and the bucket of the histogram from which ranks are counted.

| shown | from |
| --- | --- |
| score | 1000 + 40 (mu - 3 sigma) on the scale of one player, stored as an integer in thousandths |
| interval | plus or minus 80 sigma: two standard deviations, 95 % |
| scale of one player | a team of n: mu / n, sigma / sqrt(n) |
"""

from math import sqrt

from .gaussian import Estimate

BASE, FACTOR, CAUTION = 1000.0, 40.0, 3.0
BUCKET = 4000  # width of a bucket of the histogram in thousandths: 4 points of score


def per_player(estimate: Estimate, members: int) -> Estimate:
    """Return a team's estimate on the scale of one player, so that teams and players have comparable scores."""
    if members == 1:
        return estimate
    return Estimate(estimate.mu / members, estimate.sigma / sqrt(members))


def score_milli(estimate: Estimate, members: int = 1) -> int:
    """Return the score in thousandths of a point; that of a new player is 1 000 000."""
    mu, sigma = estimate
    if members > 1:  # per_player, without an object: a recomputation asks this twelve times a game
        mu, sigma = mu / members, sigma / sqrt(members)
    return round(1000.0 * (BASE + FACTOR * (mu - CAUTION * sigma)))


def interval(sigma: float) -> int:
    """Return the half width of the 95 % interval, in whole points; `sigma` on the scale of one player."""
    return round(2.0 * FACTOR * sigma)


def points(milli: int) -> int:
    """Return a stored score in whole points, as every page shows it; halves are rounded away from zero."""
    return (abs(milli) + 500) // 1000 * (1 if milli >= 0 else -1)


def bucket(milli: int) -> int:
    """Return the bucket of the histogram that contains a score."""
    return milli // BUCKET
