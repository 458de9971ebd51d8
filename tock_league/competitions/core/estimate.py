"""How many matches and how much time a tournament takes, before anybody has entered.

A guess for the organiser who chooses between formats: every match of a round is played at the same time, each game takes
as long as its table is large or its rounds are many, and every match goes to its last game.
"""

from dataclasses import dataclass

from .plan import GROUPS_KNOCKOUT, SWISS, TournamentPlan

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
    rounds: list[tuple[int, int]] = []  # matches of a round, games of a match
    if entries < 2:
        raise ValueError("entries")
    if plan.kind == SWISS:
        rounds = [(entries // 2, plan.best_of["group"])] * plan.rounds
    else:
        field = entries
        if plan.kind == GROUPS_KNOCKOUT:
            sizes = [entries // plan.groups + (index < entries % plan.groups) for index in range(plan.groups)]
            if min(sizes) < max(plan.qualify, 2):
                raise ValueError("groups")
            for number in range(max(_rounds_of(size) for size in sizes) * plan.legs):
                playing = sum(size // 2 for size in sizes if number < _rounds_of(size) * plan.legs)
                rounds.append((playing, plan.best_of["group"]))
            field = plan.groups * plan.qualify
        rounds += _knockout(plan, field)
    pause = plan.pause_s / 60
    minutes = sum(games * game_minutes for _matches, games in rounds) + pause * max(len(rounds) - 1, 0)
    return Estimate(
        sum(matches for matches, _games in rounds),
        len(rounds),
        max(matches for matches, _games in rounds),
        round(minutes),
    )


def _rounds_of(size: int) -> int:
    """Rounds of a round robin of `size` teams."""
    return size - 1 + size % 2


def _knockout(plan: TournamentPlan, field: int) -> list[tuple[int, int]]:
    """The rounds of a bracket; the match for third place is played beside the final."""
    size = 1 << (field - 1).bit_length()
    made = []
    playing = field - size // 2  # the others of the first round have a bye
    while size >= 2:
        last = size == 2
        games = plan.best_of["final" if last else "knockout"]
        made.append((playing + (last and plan.third_place and field > 3), games))
        size //= 2
        playing = size // 2
    return made
