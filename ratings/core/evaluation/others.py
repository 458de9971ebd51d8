"""Methods of others, for comparison: Elo, Glicko and, where it is installed, openskill.

Each rates players; a side is the mean of its players. They know nothing of what a log holds besides games.
"""

from datetime import datetime
from importlib import import_module
from math import exp, log, pi, sqrt
from typing import Any

from ratings.core.growth import idle_days
from ratings.core.recompute import Entry

from .own import Chances

ELO_K = (8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0)
SCALE = log(10.0) / 400.0


class Elo:
    """Elo with one K. Several teams: the chance to be first by the logistic choice, the update by all pairs of sides.

    Source: Elo, "The Rating of Chessplayers" (1978). A player's change is K times (result - expected result).
    """

    def __init__(self, k: float) -> None:
        self.k = k
        self.names = (f"elo:{k:g}",)
        self._known: dict[int, float] = {}

    def play(self, entry: Entry) -> list[Chances]:
        means = [sum(self._known.get(person, 1500.0) for person in side) / len(side) for side in entry.sides]
        top = max(means)
        weights = [exp(SCALE * (mean - top)) for mean in means]
        chances = [weight / sum(weights) for weight in weights]
        for i, side in enumerate(entry.sides):
            step = 0.0
            for j, mean in enumerate(means):
                if j != i:
                    result = 0.5 if entry.ranks[i] == entry.ranks[j] else float(entry.ranks[i] < entry.ranks[j])
                    step += result - 1.0 / (1.0 + exp(SCALE * (mean - means[i])))
            for person in side:
                self._known[person] = self._known.get(person, 1500.0) + self.k * step / (len(means) - 1)
        return [chances]

    def other(self, entry: Entry) -> None:
        """Elo has no seasons; a start from another ladder has no Elo rating."""


class Glicko:
    """Glicko after every game; a side is the mean of its players, and its deviation that of the mean. Two teams only.

    Source: Glickman, "Parameter estimation in large dynamic paired comparison experiments" (1999); the deviation grows
    from 50 to 350 in two years without a game.
    """

    names = ("glicko",)
    START, DEVIATION, FLOOR = 1500.0, 350.0, 30.0
    GROWTH = (350.0**2 - 50.0**2) / 730.0  # of the squared deviation in a day

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, float, datetime]] = {}

    def play(self, entry: Entry) -> list[Chances]:
        sides = [[self._ready(person, entry.completed_at) for person in side] for side in entry.sides]
        means = [sum(r for r, _ in side) / len(side) for side in sides]
        spreads = [sum(d * d for _, d in side) / len(side) ** 2 for side in sides]
        chance = self._expected(means[0] - means[1], spreads[0] + spreads[1])
        for i, side in enumerate(entry.sides):
            gap, g = means[i] - means[1 - i], self._damping(spreads[1 - i])
            expected = self._expected(gap, spreads[1 - i])
            result = 1.0 if entry.ranks[i] < entry.ranks[1 - i] else 0.0
            information = (SCALE * g) ** 2 * expected * (1.0 - expected)
            for person, (rating, deviation) in zip(side, sides[i], strict=True):
                variance = 1.0 / (1.0 / deviation**2 + information)
                after = rating + SCALE * variance * g * (result - expected)
                self._known[person] = (after, max(self.FLOOR, sqrt(variance)), entry.completed_at)
        return [[chance, 1.0 - chance]]

    def other(self, entry: Entry) -> None:
        """Glicko has no seasons; a start from another ladder has no Glicko rating."""

    def _ready(self, person: int, at: datetime) -> tuple[float, float]:
        found = self._known.get(person)
        if found is None:
            return self.START, self.DEVIATION
        rating, deviation, last = found
        return rating, min(self.DEVIATION, sqrt(deviation**2 + self.GROWTH * idle_days(last, at)))

    @staticmethod
    def _damping(variance: float) -> float:
        return 1.0 / sqrt(1.0 + 3.0 * (SCALE / pi) ** 2 * variance)

    def _expected(self, gap: float, variance: float) -> float:
        return 1.0 / (1.0 + exp(-SCALE * self._damping(variance) * gap))


class OpenSkill:
    """The Plackett-Luce method of the package openskill, with its own defaults. Any number of teams."""

    names = ("openskill",)

    def __init__(self) -> None:
        """Raise ImportError where the package is not installed: it is no requirement of the site (decision 58)."""
        models: Any = import_module("openskill.models")
        self._model = models.PlackettLuce()
        self._known: dict[int, Any] = {}

    def play(self, entry: Entry) -> list[Chances]:
        teams = [[self._known.get(person) or self._model.rating() for person in side] for side in entry.sides]
        chances = [float(chance) for chance in self._model.predict_win(teams)]
        after = self._model.rate(teams, ranks=list(entry.ranks))
        for side, ratings in zip(entry.sides, after, strict=True):
            self._known.update(zip(side, ratings, strict=True))
        return [[chance / sum(chances) for chance in chances]]

    def other(self, entry: Entry) -> None:
        """openskill has no seasons, and no ratings from other ladders here."""
