"""What the watch found is kept for a time only, once the head referee has closed it."""

from datetime import timedelta

from django.conf import settings

from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.journal.models import PrivateText
from tock_league.journal.people import erase_texts

from ..models import Finding

CHUNK = 200


def forget() -> int:
    """Delete the findings that were closed longer than KEEP_STATEMENTS_DAYS ago, with their reasons; return how many.

    A finding with a case stays as long as the case. Idempotent; each chunk is a transaction of its own.
    """
    before = clock.now() - timedelta(days=settings.KEEP_STATEMENTS_DAYS)
    old = Finding.objects.filter(state=Finding.State.CLOSED, decided_at__lt=before).order_by("pk")
    count = 0
    while found := list(old.values_list("pk", "entry")[:CHUNK]):
        with writing():
            erase_texts(PrivateText.objects.filter(entry__in=[entry for _pk, entry in found if entry is not None]))
            Finding.objects.filter(pk__in=[pk for pk, _entry in found]).delete()
        count += len(found)
    return count
