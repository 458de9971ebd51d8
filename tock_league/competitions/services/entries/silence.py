"""Partners who do not answer: whoever has confirmed or checked in learns that the other has not, while there is time."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.notices.selectors import told_keys

from ...models import CheckIn, Competition, Entry, RosterSpot
from ..shared.locking import lock_entry
from ..shared.telling import partner_silent, silent_key

BEFORE_CLOSE = timedelta(hours=24)  # entries that lack a confirmation are refused when entries close
BEFORE_CHECK_IN_ENDS = timedelta(minutes=30)
KIND = "partner_silent"


def remind() -> int:
    """Tell of each player who has not confirmed, or not checked in, when the time is nearly up; return of how many players.

    Idempotent; two queries where nobody is silent. One transaction an entry, in which it is read again.
    """
    found = [*_unconfirmed(), *_not_here()]
    known = told_keys(KIND, [silent_key(spot, until) for spot, until in found]) if found else set()
    count = 0
    for spot, until in found:
        if silent_key(spot, until) in known:
            continue
        with writing():
            _competition, entry = lock_entry(spot.entry)
            if entry.state == spot.entry.state and _is_silent(spot):
                count += partner_silent(spot, until=until) > 0
    return count


def _starters() -> QuerySet[RosterSpot]:
    spots = RosterSpot.objects.filter(left__isnull=True, role=RosterSpot.Role.STARTER)
    return spots.select_related("entry__competition", "player").order_by("pk")


def _unconfirmed() -> list[tuple[RosterSpot, datetime]]:
    now = clock.now()
    spots = _starters().filter(
        confirmed_at__isnull=True,
        entry__state=Entry.State.PENDING,
        entry__competition__state=Competition.State.OPEN,
        entry__competition__entries_close_at__gt=now,
        entry__competition__entries_close_at__lte=now + BEFORE_CLOSE,
    )
    return _with_ends((spot, spot.entry.competition.entries_close_at) for spot in spots)


def _not_here() -> list[tuple[RosterSpot, datetime]]:
    """Return the starters who have not checked in although somebody of their entry has."""
    now = clock.now()
    own = CheckIn.objects.filter(entry=OuterRef("entry"))
    spots = _starters().filter(
        Exists(own),
        ~Exists(own.filter(player=OuterRef("player"))),
        entry__state=Entry.State.ACCEPTED,
        entry__competition__check_in_from__lte=now,
        entry__competition__check_in_until__gt=now,
        entry__competition__check_in_until__lte=now + BEFORE_CHECK_IN_ENDS,
    )
    return _with_ends((spot, spot.entry.competition.check_in_until) for spot in spots)


def _with_ends(found: Iterable[tuple[RosterSpot, datetime | None]]) -> list[tuple[RosterSpot, datetime]]:
    return [(spot, until) for spot, until in found if until is not None]


def _is_silent(spot: RosterSpot) -> bool:
    fresh = RosterSpot.objects.filter(pk=spot.pk, left__isnull=True)
    if spot.entry.state == Entry.State.PENDING:
        return fresh.filter(confirmed_at__isnull=True).exists()
    return fresh.exists() and not CheckIn.objects.filter(entry=spot.entry, player=spot.player_id).exists()
