"""The round clock of the whole hall. Every change holds the competition's row, so changes come one after the other.

Each change is asked of the clock that the person saw (`seen`, its version). If it has changed since, the change is refused,
unless it is the very change that was made last: then two people, or one person twice, have pressed the same button.
"""

from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition
from tock_league.competitions.services.shared.journal import note
from tock_league.competitions.services.shared.locking import lock_competition
from tock_league.competitions.services.shared.telling import fact

from ..announcements import CLOCK
from ..models import RoundClock, TableTime
from .shared import refuse_without_hall

LONGEST, MOST_EXTRA = 600, 120  # minutes
HIGHEST_TABLE = 999
DEEDS = ("start", "pause", "resume", "stop", "add")
NONE = 0  # the version of a clock that was never started


def start(*, by: Person, competition: Competition, minutes: int, call: str, seen: int) -> RoundClock:
    """Start the clock, also anew: extra time of tables is forgotten. Raises Refused on `minutes` and `call`."""
    _within(minutes, LONGEST)
    if call not in RoundClock.Call.values:
        raise Refused("call", _("Choose what is called when time is up."), field="call")
    with writing():
        held = _hold(by, competition)
        found = _clock(held)
        change = f"start {minutes} {call}"
        if _made_already(found, seen, change):
            assert found is not None
            return found
        values = {
            "minutes": minutes, "call": call, "ends_at": clock.now() + timedelta(minutes=minutes), "paused_at": None,
            "stopped_at": None, "version": (found.version if found else NONE) + 1, "change": change,
        }  # fmt: skip
        made, _new = RoundClock.objects.update_or_create(competition=held, defaults=values)
        made.tables.all().delete()
        note(held, "clock.started", by, minutes=minutes, call=call)
        fact(CLOCK, held)
        return made


def pause(*, by: Person, competition: Competition, seen: int) -> RoundClock:
    """Hold the clock. Idempotent. Raises Refused (`clock_state`) where none is running."""
    with writing():
        held, found = _running(by, competition)
        if found.paused_at is not None or _made_already(found, seen, "pause"):
            return found
        found.paused_at = clock.now()
        return _changed(held, by, found, "pause", "clock.paused")


def resume(*, by: Person, competition: Competition, seen: int) -> RoundClock:
    """Let a paused clock run on with what was left. Idempotent."""
    with writing():
        held, found = _running(by, competition)
        if found.paused_at is None or _made_already(found, seen, "resume"):
            return found
        found.ends_at += clock.now() - found.paused_at
        found.paused_at = None
        return _changed(held, by, found, "resume", "clock.resumed")


def stop(*, by: Person, competition: Competition, seen: int) -> RoundClock:
    """Take the clock away: the round is over. Idempotent."""
    with writing():
        held = _hold(by, competition)
        found = _clock(held)
        if found is None:
            raise _no_clock()
        if found.stopped_at is not None or _made_already(found, seen, "stop"):
            return found
        found.stopped_at = clock.now()
        return _changed(held, by, found, "stop", "clock.stopped")


def add(*, by: Person, competition: Competition, minutes: int, seen: int, table: int | None = None) -> RoundClock:
    """Give extra time to all tables, or to one. After the call the minutes count from now.

    Raises Refused on `minutes`, and on `table` for a number that no match of the event has.
    """
    _within(minutes, MOST_EXTRA)
    if table is not None and not 1 <= table <= HIGHEST_TABLE:
        raise _no_table(table)
    more = timedelta(minutes=minutes)
    with writing():
        held, found = _running(by, competition)
        change = f"add {minutes} {table if table is not None else 'all'}"
        if _made_already(found, seen, change):
            return found
        at = found.paused_at or clock.now()
        if table is None:
            found.ends_at = max(found.ends_at, at) + more
        else:
            if not held.matches.filter(table_no=table).exists():
                raise _no_table(table)
            row = found.tables.filter(table_no=table).first() or TableTime(clock=found, table_no=table, seconds=0)
            ends = max(found.ends_at + timedelta(seconds=row.seconds), at) + more
            row.seconds = round((ends - found.ends_at).total_seconds())
            row.save()
        _bounded(found, at)
        return _changed(held, by, found, change, "clock.extended", minutes=minutes, table=table or 0)


def press(
    deed: str,
    *,
    by: Person,
    competition: Competition,
    seen: int,
    minutes: int | None = None,
    call: str = RoundClock.Call.DEAL,
    table: int | None = None,
) -> RoundClock:
    """Do what a button of the clock says: one of DEEDS. Raises Refused on `minutes` where start and add lack them."""
    if deed in ("start", "add") and minutes is None:
        raise Refused("minutes", _("Type the minutes."), field="minutes")
    match deed:
        case "start":
            return start(by=by, competition=competition, minutes=minutes or 0, call=call, seen=seen)
        case "add":
            return add(by=by, competition=competition, minutes=minutes or 0, seen=seen, table=table)
        case "pause":
            return pause(by=by, competition=competition, seen=seen)
        case "resume":
            return resume(by=by, competition=competition, seen=seen)
        case _:
            return stop(by=by, competition=competition, seen=seen)


def _within(minutes: int, most: int) -> None:
    if not 1 <= minutes <= most:
        text = _("Choose between 1 and %(most)s minutes.") % {"most": most}
        raise Refused("minutes", text, field="minutes")


def _bounded(found: RoundClock, at: datetime) -> None:
    """Refuse a clock that would run longer than the longest one."""
    last = max([0, *found.tables.values_list("seconds", flat=True)])
    if found.ends_at + timedelta(seconds=last) - at > timedelta(minutes=LONGEST):
        text = _("The clock runs %(most)s minutes at most.") % {"most": LONGEST}
        raise Refused("minutes", text, field="minutes")


def _no_table(table: int) -> Refused:
    text = _("No match of this event is at table %(table)s.") % {"table": table}
    return Refused("table", text, field="table")


def _no_clock() -> Refused:
    return Refused("clock_state", _("No clock is running."))


def _hold(by: Person, competition: Competition) -> Competition:
    held = lock_competition(competition.pk, changes=False)
    require(by, "hall.clock", held, needed="organiser")
    refuse_without_hall(held)
    return held


def _clock(held: Competition) -> RoundClock | None:
    return RoundClock.objects.filter(competition=held).first()


def _running(by: Person, competition: Competition) -> tuple[Competition, RoundClock]:
    held = _hold(by, competition)
    found = _clock(held)
    if found is None or found.stopped_at is not None:
        raise _no_clock()
    return held, found


def _made_already(found: RoundClock | None, seen: int, change: str) -> bool:
    """Return whether the change was just made by another press; Conflict (409) where another one came between."""
    version = found.version if found is not None else NONE
    if seen == version:
        return False
    if found is not None and found.change == change and seen == version - 1:
        return True
    raise Conflict("clock_changed", _("Somebody has changed the clock meanwhile. Look at it before you press again."))


def _changed(held: Competition, by: Person, found: RoundClock, change: str, kind: str, **body: object) -> RoundClock:
    found.version, found.change = found.version + 1, change
    found.save()
    note(held, kind, by, **body)
    fact(CLOCK, held)
    return found
