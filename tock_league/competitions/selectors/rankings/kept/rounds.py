"""The round under way, as the pages of standings show it: a few of its matches, the reader's own first."""

from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person

from ....models import Competition
from ...rounds.matches import views
from ...seasons.calendars import RoundView
from .rows import Kept
from .shown import own_entries

MOST_MATCHES = 10


@dataclass(frozen=True)
class RoundPart(RoundView):
    """The round under way. `rest`: how many of its matches are not shown."""

    rest: int = 0


def round_under_way(competition: Competition, rows: Kept, viewer: Person = None) -> RoundPart | None:
    """Return the round under way, or the last one, with MOST_MATCHES of its matches; None when there is none.

    Ten queries at most.
    """
    at = rows.round
    if at is None:
        return None
    inside = competition.matches.filter(round__group__stage__ordinal=at.stage, round__number=at.number)
    wanted = list(inside.order_by("round__group", "number").values_list("pk", flat=True)[:MOST_MATCHES])
    if at.size > MOST_MATCHES and (own := own_entries(competition, viewer)):
        mine = list(inside.filter(side_rows__entry__in=own).values_list("pk", flat=True))
        wanted = [*mine, *(pk for pk in wanted if pk not in mine)][:MOST_MATCHES]
    player = viewer if isinstance(viewer, Player) else None
    found = views(competition.matches.filter(pk__in=wanted).order_by("round__group", "number"), player)
    if not found:
        return None
    ordered = sorted(found, key=lambda view: not view.mine) if at.size > MOST_MATCHES else found
    return RoundPart(at.number, tuple(ordered), at.stage, rest=max(0, at.size - len(ordered)))
