"""Processing of due deadlines. A deadline is a row, written with its event and claimed once by a beat task when due."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from tock_league.common import clock
from tock_league.common.transactions import writing

from ...core import cases
from ...models import Case, Deadline, Lease
from ..referees import leases
from . import deadlines, drafts, events

log = logging.getLogger(__name__)
BATCH = 100


def sweep() -> int:
    """Process passed deadlines, and end leases that expired or lost their role; return how many. Delete old drafts."""
    due = Deadline.objects.filter(done_at__isnull=True, due_at__lte=clock.now()).order_by("due_at", "pk")
    works: list[Callable[[], int]] = [partial(_claim, pk) for pk in due.values_list("pk", flat=True)[:BATCH]]
    held = Lease.objects.filter(ended_at__isnull=True).select_related("case", "referee").order_by("until")
    works += [partial(leases.end_if_over, lease) for lease in held[:BATCH]]
    done = 0
    for work in works:
        try:
            done += work()
        except Exception:  # a failure in one case must not block the others
            log.exception("a deadline of a case could not be carried out")
    drafts.clean()
    return done


def _claim(pk: int) -> int:
    """Process one deadline, unless another process has claimed it."""
    with writing():
        found = Deadline.objects.select_related("case").filter(pk=pk, done_at__isnull=True, due_at__lte=clock.now())
        known = found.first()
        if known is None:
            return 0
        # Lock the case first: services that end deadlines hold the case's lock while they write them.
        case = events.lock(known.case)
        deadline = found.first()
        if deadline is None:
            return 0
        deadline.done_at = clock.now()
        deadline.save(update_fields=["done_at"])
        _passed(case, deadline)
        return 1


def _passed(case: Case, deadline: Deadline) -> None:
    body = {"deadline": deadline.kind}
    match deadline.kind:
        case Deadline.Kind.APPEAL:
            if case.state in ("ruled", "appeal_ruled"):
                events.append(case, "became_final", role="system", body=body)
        case Deadline.Kind.RULING if case.state in cases.PENDING:
            # At 100 % the head referee is asked, at 200 % the organiser.
            again = timedelta(seconds=deadlines.deadlines_of(case.competition).ruling)
            deadlines.start(case, Deadline.Kind.DIRECTOR, deadline.due_at + again)
            events.append(case, "escalated", role="system", body=body | {"to": "head_referee"})
        case Deadline.Kind.DIRECTOR if case.state in cases.PENDING:
            events.append(case, "escalated", role="system", body=body | {"to": "organiser"})
        case Deadline.Kind.ANSWER if case.state in cases.PENDING and not case.heard:
            events.append(case, "deadline_passed", role="system", body=body)
        case Deadline.Kind.PANEL if case.state in cases.APPEAL:
            events.append(case, "escalated", role="system", body=body | {"to": "organiser"})
