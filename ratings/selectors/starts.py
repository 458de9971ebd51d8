"""The first estimate of a player who is new to a ladder, copied from another ladder of the same game."""

from collections.abc import Collection
from datetime import datetime

from games.selectors import rule_sets
from ratings.core import ladders as keys
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle, idle_days
from ratings.core.params import Params
from ratings.models import Ladder, Rating


def starts(key: str, people: Collection[int], *, at: datetime, params: Params) -> dict[int, Estimate]:
    """Return the first estimate in the ladder `key` of each of `people` with a rating in another ladder of its game.

    It is that of the ladder with the smallest sigma, with idle growth up to `at`, and a sigma of at least
    `params.seed_floor`. Players without a rating elsewhere are omitted. At most two queries.
    """
    if not people:
        return {}
    game = rule_sets.game_of(keys.parse(key).family)
    others = [other for other in Ladder.objects.exclude(key=key) if rule_sets.game_of(other.family) == game]
    if not others:
        return {}
    rows = Rating.objects.filter(
        generation_id__in=[other.generation_id for other in others],
        subject__key__in=[str(person) for person in people],
        subject__kind="player",
        games__gt=0,
    ).select_related("subject")
    best: dict[int, Estimate] = {}
    for row in rows:
        days = idle_days(row.last_rated_at, at)
        grown = after_idle(Estimate(row.mu, row.sigma), days=days, members=1, params=params)
        person = int(row.subject.key)
        if person not in best or grown.sigma < best[person].sigma:
            best[person] = grown
    return {person: Estimate(mu, max(params.seed_floor, sigma)) for person, (mu, sigma) in sorted(best.items())}
