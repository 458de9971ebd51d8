"""Writes the public facts, and forgets old ones."""

from datetime import timedelta

from django.conf import settings

from tock_league.common import bus, clock
from tock_league.common.transactions import writing
from tock_league.competitions.announcements import PublicFact

from .announcements import FactWritten
from .models import FeedEvent

AT_ONCE = 1000  # rows deleted in one transaction


def write(fact: PublicFact) -> None:
    """Write the fact, and announce its row; WITHIN subscriber of PublicFact."""
    row = FeedEvent.objects.create(
        competition_id=fact.competition_id, kind=fact.kind, match=fact.match, subject=fact.subject, at=clock.now()
    )
    bus.publish(FactWritten(row.pk, fact.competition_id, fact.kind))


def forget_old() -> int:
    """Delete facts older than KEEP_FEED_DAYS; return how many. In chunks."""
    before = clock.now() - timedelta(days=settings.KEEP_FEED_DAYS)
    count = 0
    while True:
        with writing():
            found = list(FeedEvent.objects.filter(at__lt=before).order_by("at").values_list("pk", flat=True)[:AT_ONCE])
            FeedEvent.objects.filter(pk__in=found).delete()
        count += len(found)
        if len(found) < AT_ONCE:
            return count
