"""The chances of pairings, from the ratings with the growth of uncertainty up to the game; in words as frequencies."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import comb

from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle, idle_days
from ratings.core.params import DEFAULT, Params
from ratings.models import Ladder, Rating
from tock_league.common import clock

from .ladders import live
from .naming import key_of
from .starts import starts

Sides = Sequence[Sequence[int]]  # player ids per side


@dataclass(frozen=True)
class Chance:
    """The expected probability, 0 to 1, that the first side finishes first."""

    by_team: float | None  # from the teams' ratings; None in individual play
    by_players: float  # from the players' ratings
    subjects: tuple[int | None, ...] = ()  # per side, the id of the page of its team or its only player

    @property
    def best(self) -> float:
        """That of the teams' ratings, where there are teams."""
        return self.by_players if self.by_team is None else self.by_team


def win_chance(ladder_key: str, sides: Sides, at: datetime | None = None) -> Chance:
    """Return the chance of `sides[0]` at the instant `at` (None: now): see `win_chances`."""
    return win_chances(ladder_key, [(sides, at)])[0]


def win_chances(ladder_key: str, pairings: Sequence[tuple[Sides, datetime | None]]) -> list[Chance]:
    """Return the chance of the first side of each pairing at its instant (None: now), in their order.

    Ratings include idle growth up to then. Players and teams that are new to the ladder have the estimate with which
    their first game would start. Two queries for any number of pairings, and two more if a player is new.
    """
    if not pairings:
        return []
    now = clock.now()
    ladder = Ladder.objects.filter(key=ladder_key).select_related("generation__params").first()
    params = Params.from_json(live(ladder).params.values) if ladder is not None else DEFAULT
    engine = engine_for(params)
    people = {person for sides, _at in pairings for side in sides for person in side}
    keys = {str(person) for person in people} | {key_of(side) for sides, _at in pairings for side in sides}
    known: dict[str, Rating] = {}
    if ladder is not None:
        rows = Rating.objects.filter(generation=live(ladder), subject__key__in=keys)
        known = {row.subject.key: row for row in rows.select_related("subject")}
    new = sorted(person for person in people if str(person) not in known)
    begin = starts(ladder_key, new, at=now, params=params)

    def estimate(key: str, when: datetime) -> Estimate | None:
        row = known.get(key)
        if row is None:
            return None
        days = idle_days(row.last_rated_at, when)
        return after_idle(Estimate(row.mu, row.sigma), days=days, members=row.subject.size, params=params)

    found = []
    for sides, at in pairings:
        when = at or now
        players = [
            [estimate(str(person), when) or begin.get(person) or engine.initial() for person in side] for side in sides
        ]
        by_players = engine.chances(players, [1] * len(sides))[0]
        by_team = None
        if max(len(side) for side in sides) > 1:
            as_one = [
                [estimate(key_of(side), when) or engine.seed(members)]
                for side, members in zip(sides, players, strict=True)
            ]
            by_team = engine.chances(as_one, [len(side) for side in sides])[0]
        rated = [known.get(key_of(side)) for side in sides]
        pages = tuple(row.subject_id if row is not None and row.listed else None for row in rated)
        found.append(Chance(by_team, by_players, pages))
    return found


def of_hundred(chance: float) -> int:
    """Return a chance as a number of 100 games, from 1 to 99: nothing is certain before a game."""
    return min(99, max(1, round(100 * chance)))


def of_match(chance: float, best_of: int) -> float:
    """Return the chance of winning most of `best_of` games, given that of one game; games do not depend on each other."""
    needed = best_of // 2 + 1
    return sum(comb(needed - 1 + lost, lost) * chance**needed * (1 - chance) ** lost for lost in range(needed))
