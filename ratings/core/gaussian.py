"""The functions of the normal distribution that ratings need.

All values are in rating points unless the docstring says otherwise. Source of the correction functions: Herbrich, Minka
and Graepel, "TrueSkill: a Bayesian skill rating system" (2006), section 3, for games that cannot be drawn.
"""

from math import erfc, exp, pi, sqrt
from typing import NamedTuple

SQRT2 = sqrt(2.0)
INV_SQRT_2PI = 1.0 / sqrt(2.0 * pi)
TAIL = -30.0  # below it erfc and exp come near underflow; the series has converged there


class Estimate(NamedTuple):
    """An estimate of a skill: a normal distribution."""

    mu: float  # the mean
    sigma: float  # the uncertainty: one standard deviation


def cdf(x: float) -> float:
    """Return the probability, 0 to 1, that a standard normal variable stays below `x`."""
    return 0.5 * erfc(-x / SQRT2)


def v_w(t: float) -> tuple[float, float]:
    """Return the corrections after a win: `v` >= 0 for the mean, and `w`, 0 to 1, for the variance.

    `t`: expected performance of the winner minus that of the loser, divided by its standard deviation. v is the mean of
    a standard normal variable truncated to values above -t; w = v(v + t). Below TAIL both come from the asymptotic
    series of the Mills ratio: there the plain quotient loses its digits (v and -t are nearly equal) and finally divides
    zero by zero.
    """
    if t > TAIL:
        v = INV_SQRT_2PI * exp(-0.5 * t * t) / (0.5 * erfc(-t / SQRT2))
        return v, v * (v + t)
    y = 1.0 / (t * t)
    d = (1.0 + y * (-2.0 + y * (10.0 + y * (-74.0 + y * (706.0 - 8162.0 * y))))) / -t  # v + t without cancellation
    v = d - t
    return v, v * d
