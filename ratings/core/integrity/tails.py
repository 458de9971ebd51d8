"""Exact probabilities of numbers of wins."""

from collections.abc import Sequence


def wins(chances: Sequence[float]) -> list[float]:
    """Return the probability of 0, 1, 2, ... wins in games with these chances (Poisson binomial distribution)."""
    found = [1.0]
    for p in chances:
        found = [
            (found[k] * (1.0 - p) if k < len(found) else 0.0) + (found[k - 1] * p if k else 0.0)
            for k in range(len(found) + 1)
        ]
    return found


def at_most(won: int, chances: Sequence[float]) -> float:
    """Return the probability of `won` wins or fewer."""
    return min(1.0, sum(wins(chances)[: won + 1]))


def at_least(won: int, chances: Sequence[float]) -> float:
    """Return the probability of `won` wins or more."""
    return min(1.0, sum(wins(chances)[won:]))
