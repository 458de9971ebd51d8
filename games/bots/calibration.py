"""How well calibrated the evaluation's chances are, and the two numbers that calibrate them.

The logarithm of a team's odds is `scale * points ahead + shift` (worth.lead with more than two teams). Both numbers
maximise the likelihood of games between club bots, found by Newton's method.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

from games.bots import club
from games.bots.choice import read
from games.bots.tournament import Roll, Table, play
from games.bots.worth import chance, lead, worth_of

# One decision in this many is sampled: consecutive ones are nearly the same.
EVERY = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """One decision."""

    points: tuple[float, ...]  # of each team that still competes, after the chosen play
    own: int  # the index in `points` of the chooser's team
    won: bool  # whether this team came first


def gather(table: Table, pair: int) -> list[Sample]:
    """Play one game of club bots and return a sample of its decisions."""
    worth = worth_of(table.data, table.seats, table.teams)
    seen: list[tuple[int, tuple[float, ...], int]] = []
    count = 0

    def decide(seat: int, view: Mapping[str, Any], legal: Sequence[str], laid: Sequence[str], roll: Roll) -> str:
        nonlocal count
        p, me, plays = read(view, legal, seat)
        odds = club.odds(worth, p, plays, me)
        best = odds.index(max(odds))
        count += 1
        if count % EVERY == 0:
            scores, own = club.scores_after(worth, p, plays[best], me, [len(hand) for hand in p.hands])
            if scores:
                seen.append((me % table.teams, tuple(score / worth.scale for score in scores), own))
        return legal[best]

    winner = play(table, [decide] * table.teams, pair=pair).winner
    return [] if winner is None else [Sample(points, own, team == winner) for team, points, own in seen]


def forecast(sample: Sample, scale: float, shift: float) -> float:
    """Return the chance that the chooser's team comes first."""
    return chance(lead([scale * points for points in sample.points], sample.own) + shift)


def fit(samples: Sequence[Sample], *, rounds: int = 30) -> tuple[float, float]:
    """Return the scale and shift under which the samples' results were most likely."""
    scale, shift = 0.005, 0.0
    for _ in range(rounds):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for sample in samples:
            slope = _slope(sample, scale)
            share = forecast(sample, scale, shift)
            miss, spread = sample.won - share, share * (1 - share)
            g0 += miss * slope
            g1 += miss
            h00 += spread * slope * slope
            h01 += spread * slope
            h11 += spread
        det = h00 * h11 - h01 * h01
        if det <= 0:
            break
        step = (h11 * g0 - h01 * g1) / det
        shift += (h00 * g1 - h01 * g0) / det
        scale = min(max(scale + step, 0.0005), 0.05)
        if abs(step) < 1e-7:
            break
    return scale, shift


def _slope(sample: Sample, scale: float) -> float:
    """Return the derivative of the lead by the scale: the own points minus those of the others, weighted by their
    influence.
    """
    others = [points for i, points in enumerate(sample.points) if i != sample.own]
    top = max(others)
    weights = [exp(scale * (points - top)) for points in others]
    return sample.points[sample.own] - sum(w * x for w, x in zip(weights, others, strict=True)) / sum(weights)


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions with a forecast in one tenth."""

    count: int
    forecast: float  # the mean
    won: float  # the share that was won


def reliability(samples: Iterable[Sample], scale: float, shift: float) -> list[Bin]:
    """Return the ten tenths of forecasts, lowest first; an empty one has count 0."""
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for sample in samples:
        share = forecast(sample, scale, shift)
        tenths[min(9, int(share * 10))].append((share, sample.won))
    return [
        Bin(len(found), sum(f for f, _ in found) / len(found), sum(w for _, w in found) / len(found))
        if found
        else Bin(0, 0.0, 0.0)
        for found in tenths
    ]


def mean_log_loss(samples: Sequence[Sample], scale: float, shift: float) -> float:
    """Return the mean negative log-likelihood per decision; 0.693 for a constant forecast of one half."""
    total = 0.0
    for sample in samples:
        share = min(max(forecast(sample, scale, shift), 1e-9), 1 - 1e-9)
        total -= log(share if sample.won else 1 - share)
    return total / len(samples)
