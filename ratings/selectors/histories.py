"""The whole history of a subject in a ladder: its rows in one query, and what is read off them without another one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import NamedTuple

from ratings.core.score import points
from ratings.models import Rating, RatingChange

from .profiles import Step
from .why import ruling_of

LONGEST = 5_000  # games: of a longer history the last ones
FORM = 10  # games
SURPRISE = 0.5  # a win with a smaller chance is an upset
FIELDS = [
    *("result_id", "source", "completed_at", "mu_before", "mu_after", "sigma_after", "score_before", "score_after"),
    *("chance", "idle_days", "won", "result__ruling"),
]


class Played(NamedTuple):
    """One rated game of a history, the fields of its RatingChange."""

    result: int
    source: str
    at: datetime
    mu_before: float
    mu_after: float
    sigma_after: float
    score_before: int  # in thousandths
    score_after: int
    chance: float
    idle_days: int
    won: bool
    ruling: str


@dataclass(frozen=True)
class Records:
    """What is worth telling of a history."""

    form: Sequence[str]  # the last FORM games, newest first: "win" or "loss"
    running: int  # how many games in a row are won (positive) or lost (negative) now
    longest: int  # the most games won in a row
    longest_until: datetime | None  # the end of the last of them
    best: int  # the highest score after a game, in whole points
    best_at: datetime
    upset: Played | None  # the win with the smallest chance, below SURPRISE
    whole: bool  # whether the history is no longer than what was read

    @property
    def lost_in_a_row(self) -> int:
        return max(0, -self.running)


def played(rating: Rating) -> list[Played]:
    """Return the games of the rating's subject in its generation, newest first, LONGEST at most. One query."""
    rows = RatingChange.objects.filter(generation=rating.generation_id, subject=rating.subject_id)
    found = rows.order_by("-completed_at", "-source").values_list(*FIELDS)[:LONGEST]
    return [Played(*row) for row in found]


def records(history: Sequence[Played]) -> Records | None:
    """Return the records of a history, newest game first; None for none."""
    if not history:
        return None
    running = 0
    for game in history:
        if game.won != history[0].won:
            break
        running += 1
    longest, until, here = 0, None, 0
    for game in reversed(history):
        here = here + 1 if game.won else 0
        if here > longest:
            longest, until = here, game.at
    best = max(reversed(history), key=lambda game: game.score_after)
    upset = min((game for game in history if game.won), key=lambda game: game.chance, default=None)
    return Records(
        form=["win" if game.won else "loss" for game in history[:FORM]],
        running=running if history[0].won else -running,
        longest=longest,
        longest_until=until,
        best=points(best.score_after),
        best_at=best.at,
        upset=upset if upset is not None and upset.chance < SURPRISE else None,
        whole=len(history) < LONGEST,
    )


def steps(history: Sequence[Played], size: int) -> list[Step]:
    """Return the points of the chart, oldest first; `size`: members of the subject."""
    found = []
    for game in reversed(history):
        margin, after = round(80 * game.sigma_after / sqrt(size)), points(game.score_after)
        found.append(
            Step(
                at=game.at,
                before=points(game.score_before),
                after=after,
                low=after - margin,
                high=after + margin,
                chance=round(100 * game.chance),
                idle_days=game.idle_days,
                won=game.won,
                ruling=ruling_of(game.ruling),
                game="",
            )
        )
    return found
