"""Opening the tables of matches whose time has come."""

import logging
from datetime import timedelta
from typing import Any

from django.db.models import Q

from games.fold.clocks import ClockSettings
from games.models import Table
from games.services import tables
from tock_league.common import clock
from tock_league.common.errors import Broken
from tock_league.common.transactions import writing

from ..models import Competition, Match, RosterSpot, Side
from .schedule import OPENS_BEFORE

log = logging.getLogger(__name__)

# A table nobody was offered for this long is not opened behind people's backs: the organiser sets another date.
FORGET_AFTER = timedelta(hours=12)


def open_due_tables() -> int:
    """Open the table of every match that starts within 15 minutes or should have started; answer how many.

    One transaction a match: a match whose table cannot be opened is logged and leaves the others alone. Twice is once.
    """
    now = clock.now()
    due = Match.objects.filter(
        Q(state=Match.State.SCHEDULED),
        competition__state=Competition.State.RUNNING,
        starts_at__lte=now + OPENS_BEFORE,
        starts_at__gte=now - FORGET_AFTER,
    ).values_list("pk", flat=True)
    opened = 0
    for pk in list(due):
        try:
            opened += open_table(match_id=pk)
        except Exception:
            log.exception("the table of match %s could not be opened", pk)
    return opened


def open_table(*, match_id: int, early: bool = False) -> bool:
    """Open the match's table with its seats reserved; False when it is not due, or open already.

    `early`: whatever the hour says; for the demo's match of the evening.
    """
    with writing():
        match = _locked(match_id)
        if match.state != Match.State.SCHEDULED or match.starts_at is None:
            return False
        if not early and match.starts_at - OPENS_BEFORE > clock.now():
            return False
        if match.table is None:
            match.table = tables.open_match_table(**table_plan(match))
        match.state = Match.State.CALLED
        match.save()
        return True


def link_table(*, match: Match, table: Table) -> Match:
    """Say that `match` is played at `table`, which was made from its `table_plan`; for games that come as records."""
    with writing():
        match = _locked(match.pk)
        if match.table is not None or match.state not in (Match.State.READY, Match.State.SCHEDULED):
            raise Broken(f"{match} has a table already")
        match.table = table
        match.state = Match.State.CALLED if match.starts_at is not None else match.state
        match.save()
        return match


def _locked(match_id: int) -> Match:
    return (
        Match.objects.select_for_update(of=("self",))
        .select_related("competition__regulations", "table")
        .get(pk=match_id)
    )


def table_plan(match: Match) -> dict[str, Any]:
    """Answer the arguments of `tables.open_match_table` for a dated match.

    Position p of k sides holds the seats p, p + k, ...; starters take them in roster order, so partners sit opposite.
    """
    competition = match.competition
    body = competition.regulations.body
    sides = list(Side.objects.filter(match=match).select_related("entry__team", "entry__player").order_by("position"))
    spots: dict[int, list[RosterSpot]] = {}
    for spot in (
        RosterSpot.objects.filter(
            entry__in=[side.entry_id for side in sides], role=RosterSpot.Role.STARTER, left__isnull=True
        )
        .select_related("player")
        .order_by("slot")
    ):
        spots.setdefault(spot.entry_id, []).append(spot)
    plan = [
        tables.SeatPlan(
            seat=position + index * len(sides),
            player_id=spot.player_id,
            bot=spot.player.bot if competition.bots_allowed else "",
        )
        for position, side in enumerate(sides)
        if side.entry_id is not None
        for index, spot in enumerate(spots.get(side.entry_id, ()))
    ]
    assert match.starts_at is not None
    names = [str(side.entry) for side in sides]
    return dict(
        rules=competition.rules,
        name=" – ".join(names),
        seat_plan=sorted(plan, key=lambda seat: seat.seat),
        best_of=match.best_of,
        clocks=ClockSettings(**body["clocks"]) if body["clocks"] is not None else None,
        touch=body["touch"],
        opens_at=match.starts_at - OPENS_BEFORE,
        # A table that opens late gives its players the whole time to sit down: the delay was ours.
        starts_at=max(match.starts_at, clock.now()),
        team_names=names,
        bots_allowed=competition.bots_allowed,
    )
