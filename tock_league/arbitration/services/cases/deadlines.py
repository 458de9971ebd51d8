"""The rows that say until when something is waited for."""

from collections.abc import Collection
from datetime import datetime

from tock_league.common import clock

from ...models import Case, Deadline
from ...selectors.cases.deadlines import deadlines_of, filing_ends, span

__all__ = ["deadlines_of", "filing_ends", "span", "start", "stop"]


def start(case: Case, kind: str, due_at: datetime) -> None:
    """Let `kind` run until `due_at`, in place of one that runs already."""
    stop(case, [kind])
    Deadline.objects.create(case=case, kind=kind, due_at=due_at)


def stop(case: Case, kinds: Collection[str] | None = None) -> None:
    """End what runs of `kinds`, or everything."""
    found = Deadline.objects.filter(case=case, done_at__isnull=True)
    if kinds is not None:
        found = found.filter(kind__in=kinds)
    found.update(done_at=clock.now())
