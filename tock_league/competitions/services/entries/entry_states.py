"""The states of an entry: one table of transitions; all others are refused with 409."""

from collections.abc import Mapping

from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.errors import Conflict

from ...models import CheckIn, Competition, Entry, RosterSpot
from ...models.entry import OUT

S = Entry.State
TRANSITIONS: Mapping[str, tuple[str, ...]] = {
    S.PENDING: (S.ACCEPTED, S.WAITLISTED, S.REFUSED, S.WITHDRAWN),
    S.ACCEPTED: (S.CHECKED_IN, S.DROPPED, S.REFUSED, S.PLAYING, S.WITHDRAWN, S.DISQUALIFIED),
    S.WAITLISTED: (S.ACCEPTED, S.REFUSED, S.WITHDRAWN),
    S.REFUSED: (S.PENDING,),
    S.CHECKED_IN: (S.ACCEPTED, S.REFUSED, S.PLAYING, S.WITHDRAWN, S.DISQUALIFIED),
    S.DROPPED: (S.CHECKED_IN,),
    S.PLAYING: (S.FINISHED, S.WITHDRAWN, S.DISQUALIFIED),
    S.FINISHED: (S.PLAYING,),
    S.WITHDRAWN: (S.PENDING, S.PLAYING),
    S.DISQUALIFIED: (S.PLAYING,),
}
# The states that occupy a place of the competition.
PLACED = (S.ACCEPTED, S.CHECKED_IN, S.PLAYING, S.FINISHED)


def move(entry: Entry, to: str, *, reason: str = "") -> Entry:
    """Put `entry` into the state `to` and save it; leaving frees the players.

    Raises Conflict("entry_state") naming the present state and the ones allowed.
    """
    if to not in TRANSITIONS[entry.state]:
        raise Conflict(
            "entry_state",
            _("This is not possible now: the entry is “%(state)s”.") % {"state": entry.get_state_display()},
            state=entry.state,
            allowed=list(TRANSITIONS[entry.state]),
        )
    entry.state, entry.reason = to, reason
    if to in (*OUT, S.DROPPED):
        entry.seed = None
    if to in OUT:
        CheckIn.objects.filter(entry=entry).delete()
        RosterSpot.objects.filter(entry=entry, left__isnull=True).update(left=clock.now())
    entry.save()
    return entry


def eligible(competition: Competition) -> QuerySet[Entry]:
    """Return the entries that would be drawn now, in seed order: checked in, or accepted where nobody checks in."""
    state = S.CHECKED_IN if competition.has_check_in else S.ACCEPTED
    return (
        Entry.objects.filter(competition=competition, state=state)
        .select_related("team__club", "player")
        .order_by("seed", "queued_at", "pk")
    )


def places_left(competition: Competition) -> int | None:
    """Return how many places are free, None where their number is not limited."""
    if competition.size is None:
        return None
    return competition.size - Entry.objects.filter(competition=competition, state__in=PLACED).count()


def next_seed(competition: Competition) -> int:
    """Return the first number after the seeds that are given."""
    return (Entry.objects.filter(competition=competition).aggregate(last=Max("seed"))["last"] or 0) + 1
