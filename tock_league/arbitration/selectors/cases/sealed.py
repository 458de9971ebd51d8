"""The journal's entries of cases that nobody may read yet."""

from django.db.models import QuerySet

from tock_league.journal.models import JournalEntry

from ...core import cases
from ...models import Case, CaseEvent
from ..rulings.context import running


def sealed(entries: QuerySet[JournalEntry]) -> set[int]:
    """Return the keys of those `entries` that belong to a case without a public ruling. One query.

    A case that ends without a ruling stays sealed: what one player claimed about another was never found.
    """
    told = Case.objects.filter(state__in=sorted(cases.RULED)).exclude(running()).values("pk")
    found = CaseEvent.objects.filter(entry__in=entries.order_by().values("pk")).exclude(case__in=told)
    return set(found.values_list("entry", flat=True))
