"""The update for two teams and one winner: exact, in closed form, without iteration.

| what | rule |
| --- | --- |
| members | the skills of a side are added; every member adds the variance beta squared |
| size of a change | mu moves in proportion to the member's own sigma squared |
| draw | these games have no draws |

Source: Herbrich, Minka and Graepel (2006), section 3, with draw margin 0. For two teams one pass of message passing is
exact, which gives the closed form below.
"""

from collections.abc import Sequence
from math import sqrt

from .gaussian import Estimate, cdf, v_w


def update(
    win: Sequence[Estimate],
    lose: Sequence[Estimate],
    *,
    beta2: float,
    tau2: float,
    weights: tuple[int, int] = (1, 1),
) -> tuple[list[Estimate], list[Estimate]]:
    """Return the estimates after `win` beat `lose`, each in the order given.

    `win`, `lose`: one Estimate per member, any sizes. `beta2`, `tau2`: beta and tau of Params, squared. `weights`: for
    winners and losers, how many players one member stands for (2 for a pair that is rated as one subject); multiplies
    beta2 and tau2.
    """
    beta_win, beta_lose = beta2 * weights[0], beta2 * weights[1]
    tau_win, tau_lose = tau2 * weights[0], tau2 * weights[1]
    winners = [(mu, sigma * sigma + tau_win) for mu, sigma in win]
    losers = [(mu, sigma * sigma + tau_lose) for mu, sigma in lose]
    c2 = 0.0
    gap = 0.0
    for mu, s2 in winners:
        c2 += s2 + beta_win
        gap += mu
    lost = 0.0
    for mu, s2 in losers:
        c2 += s2 + beta_lose
        lost += mu
    c = sqrt(c2)
    v, w = v_w((gap - lost) / c)
    shift, shrink = v / c, w / c2
    return (
        [Estimate(mu + s2 * shift, sqrt(s2 * (1.0 - s2 * shrink))) for mu, s2 in winners],
        [Estimate(mu - s2 * shift, sqrt(s2 * (1.0 - s2 * shrink))) for mu, s2 in losers],
    )


def chance_to_win(
    a: Sequence[Estimate], b: Sequence[Estimate], *, beta2: float, weights: tuple[int, int] = (1, 1)
) -> float:
    """Return the probability, 0 to 1, that team `a` beats team `b`; draws do not exist.

    `a`, `b`: one Estimate per member, any order; `weights` as in `update`. Raises ValueError if a team is empty.
    """
    if not a or not b:
        raise ValueError("a team without members cannot play")
    spread = sum(sigma * sigma for _, sigma in a) + sum(sigma * sigma for _, sigma in b)
    spread += beta2 * (len(a) * weights[0] + len(b) * weights[1])
    return cdf((sum(mu for mu, _ in a) - sum(mu for mu, _ in b)) / sqrt(spread))
