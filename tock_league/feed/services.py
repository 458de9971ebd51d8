"""Writes the public facts, and forgets old ones."""

from datetime import timedelta

from django.conf import settings

from tock_league.common import bus, clock
from tock_league.common.transactions import writing
from tock_league.competitions.announcements import PublicFacts

from .announcements import FactsWritten
from .models import FeedEvent

AT_ONCE = 1000  # rows deleted in one transaction


def write(told: PublicFacts) -> None:
    """Write the facts, and announce their rows; WITHIN subscriber of PublicFacts."""
    rows = FeedEvent.objects.bulk_create(
        FeedEvent(
            competition_id=told.competition_id, kind=fact.kind, match=fact.match, subject=fact.subject, at=clock.now()
        )
        for fact in told.facts
    )
    bus.publish(FactsWritten(told.competition_id, tuple((row.pk, row.kind) for row in rows)))


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
