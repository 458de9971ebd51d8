"""Updates by the `trueskill` package: for games of three teams or more, and as the reference of the tests.

Only this module imports the package, and it works around two problems. Invalid escapes in the package's docstrings warn
at import: warnings are off there. Extreme upsets raise FloatingPointError: the update is repeated with the mpmath
backend.
"""

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .gaussian import Estimate
from .params import Params

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import trueskill

VERSION: str = trueskill.__version__


@lru_cache(maxsize=64)
def _environment(params: Params, weight: int, tie_probability: float, backend: str | None) -> Any:
    scale = float(weight) ** 0.5
    return trueskill.TrueSkill(
        mu=params.mu0 * weight,
        sigma=params.sigma0 * scale,
        beta=params.beta * scale,
        tau=params.tau * scale,
        draw_probability=tie_probability,
        backend=backend,
    )


def update(
    sides: Sequence[Sequence[Estimate]],
    ranks: Sequence[int],
    *,
    params: Params,
    weight: int = 1,
    backend: str | None = None,
) -> list[list[Estimate]]:
    """Return the estimates after a game, in the shape and order of `sides`.

    `sides`: one Estimate per member; `ranks`: 0 is best, equal for a tie (three sides or more only); `weight`: how many
    players one member stands for. Games of two sides use tie probability 0, others that of `params`.
    """
    tie_probability = 0.0 if len(sides) == 2 else params.tie_probability
    groups = [tuple(trueskill.Rating(mu, sigma) for mu, sigma in side) for side in sides]
    try:
        rated = _environment(params, weight, tie_probability, backend).rate(groups, list(ranks))
    except FloatingPointError:
        rated = _environment(params, weight, tie_probability, "mpmath").rate(groups, list(ranks))
    return [[Estimate(float(rating.mu), float(rating.sigma)) for rating in group] for group in rated]
