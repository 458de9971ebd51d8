"""The corrections of results after which a ladder was computed again, for the boards that they have changed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache

from ratings.models import Ladder, RatedResult
from tock_league.common import clock

from .why import ruling_of

SHOWN = 3
LOOKED_AT = 50  # the latest corrections of a ladder, among which those of a club's players are looked for
FOR = timedelta(days=30)
KEPT_S = 3600  # seconds


@dataclass(frozen=True)
class Correction:
    """A result that was changed after it had been rated."""

    at: datetime
    ruling: str  # the number of the case whose ruling changed it; "" for a correction by organisers


def corrections(ladder: Ladder, among: Collection[int] | None = None) -> list[Correction]:
    """Return the corrections of the last FOR that are in the ratings, latest first, at most SHOWN. One query at most.

    `among`: ids of players; only corrections of games that one of them played. None for all of the ladder.
    """
    players = set(among or ())
    found = [
        Correction(at, ruling_of(ruling))
        for at, ruling, sides in _rows(ladder)
        if at > clock.now() - FOR and (among is None or any(players.intersection(side) for side in sides))
    ]
    return found[:SHOWN]


def _rows(ladder: Ladder) -> list[tuple[datetime, str, list[list[int]]]]:
    """Return when each of the latest corrections was made, its ruling and its sides.

    They are kept for the generation: corrections come into the ratings with a new one only.
    """
    key = f"corrections:{ladder.generation_id}"
    kept: list[tuple[datetime, str, list[list[int]]]] | None = cache.get(key)
    if kept is None:
        rows = RatedResult.objects.filter(
            ladder=ladder,
            revision__gt=1,
            kind__in=(RatedResult.Kind.RESULT, RatedResult.Kind.VOID),
            waiting__isnull=True,
        )
        kept = list(rows.order_by("-created_at").values_list("created_at", "ruling", "sides")[:LOOKED_AT])
        cache.set(key, kept, KEPT_S)
    return kept
