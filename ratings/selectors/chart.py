"""The chart of a history: a line for the score, a band for the interval, a mark for each ruling."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .profiles import Step
from .words import number

WIDTH, HEIGHT = 620, 250
LEFT, RIGHT, TOP, BOTTOM = 66.0, 606.0, 14.0, 214.0
POINTS = 300  # a longer history is reduced to about so many points
STEPS = (10, 20, 50, 100, 200, 500)  # possible distances between two grid lines, in points of score


@dataclass(frozen=True)
class Chart:
    """A chart with coordinates in a box of WIDTH x HEIGHT."""

    line: str  # the scores as points of an SVG polyline
    band: str  # the interval as points of an SVG polygon
    marks: Sequence[tuple[float, float, str]]  # (x, y, number of the ruling)
    end: tuple[float, float]  # the last point of the line
    grid: Sequence[tuple[float, str]]  # (y, label) of each grid line
    first: datetime  # of the first game
    last: datetime  # of the last game
    low: int  # lowest end of an interval, in points of score
    high: int  # highest end of an interval


def bounds(steps: Sequence[Step]) -> tuple[int, int] | None:
    """Return the lowest and the highest end of an interval in a chart of `steps`; None where there is no chart."""
    if len(steps) < 2:
        return None
    shown = thinned(steps)
    return min(step.low for _, step in shown), max(step.high for _, step in shown)


def chart(steps: Sequence[Step], within: tuple[int, int] | None = None) -> Chart | None:
    """Return the chart of a history, with equal distances between games; None for fewer than two games.

    `within`: the least range of scores that it shows, so that two charts may have the same one.
    """
    own = bounds(steps)
    if own is None:
        return None
    shown = thinned(steps)
    bottom, top = (min(own[0], within[0]), max(own[1], within[1])) if within is not None else own
    spread = max(1, top - bottom)
    count = len(steps) - 1

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * index / count, 1)

    def y(score: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (score - bottom) / spread, 1)

    upper = [f"{x(i)},{y(step.high)}" for i, step in shown]
    lower = [f"{x(i)},{y(step.low)}" for i, step in reversed(shown)]
    distance = next((step for step in STEPS if spread / step <= 5), STEPS[-1])
    lines = range(-(-bottom // distance) * distance, top + 1, distance)
    return Chart(
        line=" ".join(f"{x(i)},{y(step.after)}" for i, step in shown),
        band=" ".join(upper + lower),
        marks=[(x(i), y(step.after), step.ruling) for i, step in shown if step.ruling],
        end=(x(count), y(steps[-1].after)),
        grid=[(y(score), number(score)) for score in lines],
        first=steps[0].at,
        last=steps[-1].at,
        low=bottom,
        high=top,
    )


def thinned(steps: Sequence[Step]) -> list[tuple[int, Step]]:
    """Return (index, step) of about POINTS steps: first, last, rulings, and the extremes of equal stretches."""
    if len(steps) <= POINTS:
        return list(enumerate(steps))
    keep = {0, len(steps) - 1}
    keep |= {i for i, step in enumerate(steps) if step.ruling}
    stretches = (POINTS - len(keep)) // 2
    for k in range(max(0, stretches)):
        stretch = range(len(steps) * k // stretches, len(steps) * (k + 1) // stretches)
        keep.add(min(stretch, key=lambda i: steps[i].after))
        keep.add(max(stretch, key=lambda i: steps[i].after))
    return [(i, steps[i]) for i in sorted(keep)]
