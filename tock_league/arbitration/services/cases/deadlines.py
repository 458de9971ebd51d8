"""The deadline rows of a case."""

from collections.abc import Collection
from datetime import datetime

from tock_league.common import clock

from ...models import Case, Deadline
from ...selectors.cases.deadlines import deadlines_of, filing_ends, result_filing_ends, span

__all__ = ["deadlines_of", "filing_ends", "result_filing_ends", "span", "start", "stop"]


def start(case: Case, kind: str, due_at: datetime) -> None:
    """Start the deadline `kind` until `due_at`; it replaces one that is running."""
    stop(case, [kind])
    Deadline.objects.create(case=case, kind=kind, due_at=due_at)


def stop(case: Case, kinds: Collection[str] | None = None) -> None:
    """End the running deadlines of `kinds`, or all of them."""
    found = Deadline.objects.filter(case=case, done_at__isnull=True)
    if kinds is not None:
        found = found.filter(kind__in=kinds)
    found.update(done_at=clock.now())
