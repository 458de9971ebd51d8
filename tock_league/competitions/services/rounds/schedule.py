"""Fixing and moving the date of one match."""

from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from games.models import Table
from games.services import tables
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.common.transactions import writing

from ...models import Match, Round
from ..shared import telling
from ..shared.journal import name_of, note
from ..shared.locking import lock_match
from .calendar import check_date

OPENS_BEFORE = timedelta(minutes=15)
MOVABLE = (Match.State.READY, Match.State.SCHEDULED, Match.State.CALLED)


def may_move(match: Match) -> bool:
    """Return whether the match has not begun and, in a tournament, its round is open. `match`: with table and round."""
    planned = match.competition.is_planned and match.round.state == Round.State.PLANNED
    begun = match.table is not None and match.table.state in (Table.State.PLAYING, Table.State.FINISHED)
    return match.state in MOVABLE and not planned and not begun


def move(*, by: Person, match: Match, starts_at: datetime) -> Match:
    """Set the date of a match that has not begun; a table that is open already moves with it.

    A table that was closed because nobody came is left behind, and another one opens for the new date. A match that is moved
    to its own date, as by a double click, is returned unchanged.

    Raises Refused on `starts_at`: in the past, outside the season; Conflict when play has begun, the result stands, or
    the round of a tournament is not open yet.
    """
    with writing():
        match = lock_match(match.pk)
        require(by, "match.move", match, needed="organiser")
        before = (match.starts_at, match.state, match.table)
        if match.table is not None and match.table.state == Table.State.CLOSED:
            match.table = None  # nobody came: the new date gets a table of its own
        if not may_move(match):
            raise Conflict(
                "match_begun",
                _("This match can no longer be moved: %(state)s.") % {"state": match.get_state_display()},
                state=match.state,
            )
        check_date(match.competition, starts_at, field="starts_at")
        match.starts_at = starts_at
        # On a board no table opens at the hour: a match of an open round may be reported from now on.
        is_called = match.is_on_board and match.competition.is_planned
        match.state = Match.State.CALLED if is_called else Match.State.SCHEDULED
        if match.table is not None and starts_at - OPENS_BEFORE <= clock.now():
            match.state = Match.State.CALLED
        if (match.starts_at, match.state, match.table) == before:
            return match
        if match.table is not None:
            tables.reschedule(match.table, starts_at, opens_at=starts_at - OPENS_BEFORE)
        match.save()
        note(match.competition, "match.moved", by, **name_of(match), starts_at=starts_at)
        if starts_at != before[0]:
            telling.moved(match, before[0], by)
        return match
