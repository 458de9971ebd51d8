"""How many matches and how much time a tournament takes, before anybody has entered.

A guess for the organiser who chooses between formats: every match of a round is played at the same time, each game takes
as long as its table is large or its rounds are many, and every match goes to its last game.
"""

from dataclasses import dataclass
from itertools import zip_longest

from . import registry
from .kind import FINAL
from .plan import TournamentPlan

GAME_MINUTES = 25  # with four seats; every seat more brings its own four marbles home
ROUND_MINUTES = 8  # a round of Tractor: 100 cards drawn, eight buried, 25 tricks
ACE_MINUTES = 150  # a game of Tractor to the ace and past it


@dataclass(frozen=True)
class Estimate:
    """`matches` and `rounds` of the whole event, `at_once` the most matches of one round, `minutes` from first to last."""

    matches: int
    rounds: int
    at_once: int
    minutes: int


def minutes_of(seats: int, *, in_rounds: bool = False, rounds: int = 0) -> int:
    """Return how long a game at a table of so many seats takes.

    `in_rounds`: a game of Tractor, of so many `rounds`, or to the ace for 0. Elsewhere to five minutes.
    """
    if in_rounds:
        return ROUND_MINUTES * rounds or ACE_MINUTES
    return round(GAME_MINUTES * seats / 4 / 5) * 5


def estimate(plan: TournamentPlan, entries: int, *, game_minutes: int = GAME_MINUTES) -> Estimate:
    """Return what `entries` teams make of the plan. Raises ValueError when fewer than two play, or qualify."""
    if entries < 2:
        raise ValueError("entries")
    rounds: list[tuple[int, int]] = []  # matches of a round, games of a match
    field = entries
    for stage in plan.stages:
        made, options = registry.format_of(stage.format), registry.options_of(stage.format, dict(stage.options))
        count = max(stage.groups, 1)
        sizes = [field // count + (index < field % count) for index in range(count)]
        if min(sizes) < max(stage.qualify, 2):
            raise ValueError("groups")
        found = [sum(here) for here in zip_longest(*(made.matches(size, options) for size in sizes), fillvalue=0)]
        for number, matches in enumerate(found, start=1):
            label = FINAL if made.is_bracket and number == len(found) else ""
            rounds.append((matches, plan.games(stage.phase, label)))
        field = stage.groups * stage.qualify
    pause = plan.pause_s / 60
    minutes = sum(games * game_minutes for _matches, games in rounds) + pause * max(len(rounds) - 1, 0)
    return Estimate(
        sum(matches for matches, _games in rounds),
        len(rounds),
        max(matches for matches, _games in rounds),
        round(minutes),
    )
