"""The corrections of results after which a ladder was computed again, for the boards that they have changed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.models import Ladder, RatedResult
from tock_league.common import clock

from .why import ruling_of

SHOWN = 3
LOOKED_AT = 50  # the latest corrections of the ladder, among which those of a club's players are looked for
FOR = timedelta(days=30)


@dataclass(frozen=True)
class Correction:
    """A result that was changed after it had been rated."""

    at: datetime
    ruling: str  # the number of the case whose ruling changed it; "" for a correction by organisers


def corrections(ladder: Ladder, among: Collection[int] | None = None) -> list[Correction]:
    """Return the corrections of the last FOR that are in the ratings, latest first, at most SHOWN. One query.

    `among`: ids of players; only corrections of games that one of them played. None for all of the ladder.
    """
    rows = (
        RatedResult.objects.filter(
            ladder=ladder,
            revision__gt=1,
            created_at__gt=clock.now() - FOR,
            kind__in=(RatedResult.Kind.RESULT, RatedResult.Kind.VOID),
            waiting__isnull=True,
        )
        .order_by("-created_at")
        .values_list("created_at", "ruling", "sides")
    )
    players = set(among or ())
    found = [
        Correction(at, ruling_of(ruling))
        for at, ruling, sides in rows[: SHOWN if among is None else LOOKED_AT]
        if among is None or any(players.intersection(side) for side in sides)
    ]
    return found[:SHOWN]
