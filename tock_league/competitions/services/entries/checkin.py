"""Check-in before the first round: of every starter, or of a substitute in a starter's place.

At the deadline, entries that are not here are dropped with a reason, and waiting entries that are here take their
places.
"""

import logging
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import DEFAULT_TIME_ZONE, Player
from tock_league.accounts.permissions import SITE, Person, can, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...models import CheckIn, Competition, Entry, RosterSpot, Stage
from ..seasons.lifecycle import advance, run_through
from ..shared.journal import note
from ..shared.locking import lock_competition, lock_entry
from ..shared.refusals import entry_not_now, not_now
from .eligibility import is_here, may_take_part, take_part
from .entry_states import move
from .registration import move_up, not_drawn
from .rosters import swap

log = logging.getLogger(__name__)
C, S = Competition.State, Entry.State
HERE = (S.ACCEPTED, S.WAITLISTED, S.CHECKED_IN)


def check_in(*, by: Person, entry: Entry, player: Player) -> Entry:
    """Check in `player` of the roster; return the entry, in state `checked_in` once a whole side is here.

    Idempotent. The organiser may also do it after the deadline until the draw, even for a dropped entry.
    Raises Refused on `player` (not on this roster, suspended), Conflict: no check-in here, not open yet, over, wrong state.
    """
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "entry.check_in", (entry, player), needed="player")
        spot = RosterSpot.objects.filter(entry=entry, player=player, left__isnull=True).select_related("player").first()
        if spot is None:
            raise Refused(
                "not_on_roster",
                _("%(player)s is not on the roster of %(team)s.") % {"player": player.display_name, "team": str(entry)},
                field="player",
            )
        _may_come(by, competition, entry)
        _come(by, competition, entry, spot)
        return entry


def check_in_team(*, by: Person, entry: Entry) -> Entry:
    """Check in every starter of the entry who is not here yet; return it. Idempotent.

    Raises what `check_in` raises; nobody is checked in when one of them may not be.
    """
    with writing():
        competition, entry = lock_entry(entry)
        come = CheckIn.objects.filter(entry=entry).values("player")
        spots = RosterSpot.objects.filter(entry=entry, role=RosterSpot.Role.STARTER, left__isnull=True)
        starters = list(spots.select_related("player").order_by("slot"))
        for spot in starters:
            require(by, "entry.check_in", (entry, spot.player), needed="player")
        if not starters:
            raise Refused(
                "roster_empty", _("Nobody is on the roster of %(team)s.") % {"team": str(entry)}, field="entry"
            )
        _may_come(by, competition, entry)
        for spot in spots.exclude(player__in=come).select_related("player").order_by("slot"):
            _come(by, competition, entry, spot)
        return entry


def _may_come(by: Person, competition: Competition, entry: Entry) -> None:
    """Raise Conflict unless `by` may check players of the entry in now."""
    late = in_time(competition, organiser=can(by, "competition.organise", competition))
    if entry.state not in (*HERE, *((S.DROPPED,) if late else ())):
        raise entry_not_now(entry, HERE)


def _come(by: Person, competition: Competition, entry: Entry, spot: RosterSpot) -> None:
    """Write that the player of the spot is here, and what follows for the entry; the caller holds both rows."""
    take_part(competition, spot.player, field="player")
    now = clock.now()
    _row, created = CheckIn.objects.get_or_create(
        competition=competition, phase=CheckIn.DAY, player=spot.player, defaults={"entry": entry, "at": now}
    )
    if spot.confirmed_at is None:
        spot.confirmed_at = now  # checking in implies confirmation
        spot.save(update_fields=["confirmed_at"])
    if created:
        note(competition, "player.checked_in", by, entry=entry.slug, player=spot.player.slug)
    if entry.state in (S.ACCEPTED, S.DROPPED) and is_here(competition, entry):
        move(entry, S.CHECKED_IN)
        note(competition, "entry.checked_in", by, entry=entry.slug)


def undo(*, by: Person, entry: Entry, player: Player) -> Entry:
    """Take a check-in back, before the draw. Idempotent."""
    with writing():
        competition, entry = lock_entry(entry)
        require(by, "entry.check_in", (entry, player), needed="player")
        in_time(competition, organiser=can(by, "competition.organise", competition))
        gone, _rows = CheckIn.objects.filter(entry=entry, player=player).delete()
        if not gone:
            return entry
        note(competition, "player.checked_out", by, entry=entry.slug, player=player.slug)
        if entry.state == S.CHECKED_IN and not is_here(competition, entry):
            move(entry, S.ACCEPTED)
        return entry


def close(*, by: Person, competition: Competition) -> list[Entry]:
    """End the check-in now: close entries, drop those that are not here, move up waiting ones that are.

    Returns the dropped entries. Idempotent. Raises Conflict: no check-in, not open yet, drawn.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if not competition.has_check_in:
            raise Conflict("no_check_in", _("This tournament has no check-in."))
        if competition.state not in (C.OPEN, C.CLOSED):
            raise not_now(competition, (C.OPEN, C.CLOSED))
        not_drawn(competition)
        if competition.state == C.OPEN:
            competition = run_through(by=by, competition=competition, to=C.CLOSED)
        now = clock.now()
        assert competition.check_in_until is not None
        if competition.check_in_from is not None and now < competition.check_in_from:
            raise Conflict("check_in_early", _("Check-in has not opened yet."))
        if now < competition.check_in_until:
            competition.check_in_until = now
            if competition.check_in_from == now:
                competition.check_in_from = now - timedelta(seconds=1)
            competition.save(update_fields=["check_in_from", "check_in_until", "updated_at"])
        dropped = []
        for entry in Entry.objects.filter(competition=competition, state=S.ACCEPTED).order_by("queued_at", "pk"):
            here = CheckIn.objects.filter(entry=entry).count()
            move(entry, S.DROPPED, reason=_late(here))
            note(competition, "entry.dropped", by, entry=entry.slug, here=here)
            dropped.append(entry)
        move_up(competition)
        for entry in Entry.objects.filter(competition=competition, state=S.WAITLISTED):
            move(entry, S.REFUSED, reason="@no_place")
            note(competition, "entry.refused", by, entry=entry.slug, was=S.WAITLISTED, reason=entry.reason)
        for entry in Entry.objects.filter(competition=competition, state=S.CHECKED_IN):
            field_substitutes(competition, entry, by)
        return dropped


def _late(here: int) -> str:
    """Return the reason of an entry of which `here` players had checked in, too few for a side."""
    return "@late" if here == 0 else "@late_one" if here == 1 else "@late_some"


def close_due() -> int:
    """Close entries and check-ins whose time has come; return how many competitions changed. Idempotent."""
    now = clock.now()
    changed = 0
    planned = Competition.objects.exclude(plan={})
    for competition in planned.filter(state=C.OPEN, entries_close_at__lte=now):
        try:
            advance(by=SITE, competition=competition, to=C.CLOSED)
            changed += 1
        except Exception:
            log.exception("entries of %s could not be closed", competition.slug)
    undrawn = planned.exclude(pk__in=Stage.objects.values("competition"))
    waiting = Entry.objects.filter(state__in=(S.ACCEPTED, S.WAITLISTED)).values("competition")
    for competition in undrawn.filter(state__in=(C.OPEN, C.CLOSED), check_in_until__lte=now, pk__in=waiting):
        try:
            close(by=SITE, competition=competition)
            changed += 1
        except Exception:
            log.exception("the check-in of %s could not be closed", competition.slug)
    return changed


def field_substitutes(competition: Competition, entry: Entry, by: Person) -> None:
    """Put substitutes who checked in into the places of starters who did not, or who may not play any more."""
    come = set(CheckIn.objects.filter(entry=entry).values_list("player_id", flat=True))
    spots = list(RosterSpot.objects.filter(entry=entry, left__isnull=True).select_related("player"))
    here = {s.player_id for s in spots if s.player_id in come and may_take_part(competition, s.player)}
    away = [spot for spot in spots if spot.role == RosterSpot.Role.STARTER and spot.player_id not in here]
    ready = [spot for spot in spots if spot.role == RosterSpot.Role.SUBSTITUTE and spot.player_id in here]
    for starter, other in zip(away, ready, strict=False):
        swap(competition, entry, starter, other, by=by)


def in_time(competition: Competition, *, organiser: bool) -> bool:
    """Raise Conflict unless check-in is open; return whether an organiser acts after its end."""
    if not competition.has_check_in:
        raise Conflict("no_check_in", _("This tournament has no check-in."))
    not_drawn(competition)
    if competition.state not in (C.OPEN, C.CLOSED):
        raise not_now(competition, (C.OPEN, C.CLOSED))
    now = clock.now()
    assert competition.check_in_until is not None
    if competition.check_in_from is not None and now < competition.check_in_from and not organiser:
        raise Conflict("check_in_early", _("Check-in has not opened yet."), opens=competition.check_in_from.isoformat())
    if now >= competition.check_in_until and not organiser:
        raise Conflict(
            "check_in_over",
            _("Check-in closed at %(time)s; ask the organiser.") % {"time": _hour(competition)},
            closed=competition.check_in_until.isoformat(),
        )
    return now >= competition.check_in_until


def _hour(competition: Competition) -> str:
    assert competition.check_in_until is not None
    at = competition.check_in_until.astimezone(ZoneInfo(DEFAULT_TIME_ZONE))
    return str(formats.time_format(at, "TIME_FORMAT"))
