"""An estimate of the number of matches and the duration of a tournament, before the first entry.

It helps the organiser to choose a format. It assumes that all matches of a round are played at the same time, that the
length of a game depends only on the seats or the rounds, and that every match goes to its last game.
"""

from dataclasses import dataclass
from itertools import zip_longest

from . import registry
from .plan import TournamentPlan

GAME_MINUTES = 25  # with four seats; proportional to the seats
ROUND_MINUTES = 8  # a round of Tractor: 100 cards drawn, eight buried, 25 tricks
ACE_MINUTES = 150  # a game of Tractor to the ace


@dataclass(frozen=True)
class Estimate:
    """The estimate for a whole event."""

    matches: int
    rounds: int
    at_once: int  # the largest number of matches in one round
    minutes: int  # from the first game to the last, with the pauses


def minutes_of(seats: int, *, in_rounds: bool = False, rounds: int = 0) -> int:
    """Return the duration in minutes of a game at a table of so many seats, rounded to five minutes.

    `in_rounds`: a game of Tractor with `rounds` rounds, 0 for a game to the ace; not rounded.
    """
    if in_rounds:
        return ROUND_MINUTES * rounds or ACE_MINUTES
    return round(GAME_MINUTES * seats / 4 / 5) * 5


def estimate(plan: TournamentPlan, entries: int, *, game_minutes: int = GAME_MINUTES) -> Estimate:
    """Return the estimate for `entries` teams. Raises ValueError for fewer than two entries or for groups too small."""
    if entries < 2:
        raise ValueError("entries")
    rounds: list[tuple[int, int]] = []  # matches of a round, games of a match
    field = entries
    for stage in plan.for_field(entries).stages:
        made, options = registry.format_of(stage.format), registry.options_of(stage.format, dict(stage.options))
        count = max(stage.groups, 1)
        sizes = [field // count + (index < field % count) for index in range(count)]
        if min(sizes) < stage.needs:
            raise ValueError("groups")
        found = [sum(here) for here in zip_longest(*(made.matches(size, options) for size in sizes), fillvalue=0)]
        lengths = dict.fromkeys(range(1, len(found) + 1), 0 if made.is_bracket else plan.games(stage.phase))
        for node in registry.bracket_of(stage.format, dict(stage.options), field).nodes if made.is_bracket else ():
            lengths[node.round] = max(lengths[node.round], plan.games(stage.phase, node.label, node.label_no))
        rounds += zip(found, lengths.values(), strict=True)
        field = stage.groups * stage.qualify + stage.best
    pause = plan.pause_s / 60
    minutes = sum(games * game_minutes for _matches, games in rounds) + pause * max(len(rounds) - 1, 0)
    return Estimate(
        sum(matches for matches, _games in rounds),
        len(rounds),
        max(matches for matches, _games in rounds),
        round(minutes),
    )
