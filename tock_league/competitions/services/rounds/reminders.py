"""Reminders of matches: within 24 hours, and within an hour."""

from datetime import timedelta

from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.notices.selectors import told_keys

from ...models import Competition, Match
from ..shared.locking import lock_match
from ..shared.telling import key_at, match_at
from .schedule import OPENS_BEFORE

HOUR = timedelta(hours=1)
# Kind; the match begins in more than the first, and at most the second. A match that is dated later than that, or moved
# nearer, gets the next reminder only.
REMINDERS = (("match_in_a_day", 12 * HOUR, 24 * HOUR), ("match_in_an_hour", OPENS_BEFORE, HOUR))
DUE = (Match.State.SCHEDULED, Match.State.CALLED)


def remind() -> int:
    """Tell the players of each match that begins soon; return of how many matches. Idempotent; two queries where none is due.

    One transaction a match, in which its date is read again.
    """
    now, count = clock.now(), 0
    for kind, after, until in REMINDERS:
        due = Match.objects.filter(
            state__in=DUE,
            competition__state=Competition.State.RUNNING,
            starts_at__gt=now + after,
            starts_at__lte=now + until,
            side_rows__entry__roster__player__user__isnull=False,  # somebody can be told
        ).order_by("starts_at", "pk")
        keys = {key_at(match, match.starts_at): match for match in due.distinct() if match.starts_at is not None}
        told = told_keys(kind, keys) if keys else set()
        for key, row in keys.items():
            if key in told:
                continue
            with writing():
                match = lock_match(row.pk)
                if match.starts_at == row.starts_at and match.state in DUE:
                    count += match_at(kind, match) > 0
    return count
