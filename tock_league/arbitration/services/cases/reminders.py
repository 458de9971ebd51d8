"""Reminders of cases: an answer that is still missing, and the end of the time to appeal."""

from datetime import timedelta

from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.notices.selectors import told_keys

from ...core import cases
from ...models import Case, Deadline
from ..appeals import replies
from . import deadlines, disputes, events, telling

AHEAD = timedelta(hours=6)
# What takes less than this gets no reminder: it would come with the first notice, or a minute later.
SHORT = timedelta(hours=24)
K = Deadline.Kind
KINDS = {K.ANSWER: "answer_soon", K.APPEAL: "appeal_ends"}
STEPS = {K.ANSWER: "answer", K.APPEAL: "appeal"}


def remind() -> int:
    """Tell the players of each case whose answer or appeal is due soon; return of how many cases. Idempotent.

    One query where none is due; one transaction a case, in which its deadline is read again.
    """
    now, count = clock.now(), 0
    due = Deadline.objects.filter(
        kind__in=list(KINDS),
        done_at__isnull=True,
        due_at__gt=now,
        due_at__lte=now + AHEAD,
        case__match__side_rows__entry__roster__player__user__isnull=False,  # somebody can be told
    ).select_related("case__competition__regulations", "case__match")
    for row in due.order_by("due_at", "pk").distinct():
        kind = K(row.kind)
        if deadlines.span(row.case, STEPS[kind]) < SHORT or told_keys(KINDS[kind], [_key(row)]):
            continue
        with writing():
            case = events.lock(row.case)
            if Deadline.objects.filter(pk=row.pk, done_at__isnull=True, due_at=row.due_at).exists():
                count += _remind(case, row) > 0
    return count


def _key(row: Deadline) -> str:
    return telling.key_until(row.case, row.due_at) if row.kind == K.ANSWER else str(row.case.number)


def _remind(case: Case, row: Deadline) -> int:
    if row.kind == K.APPEAL:
        return telling.appeal_ends(case, until=row.due_at) if case.state in cases.RULED else 0
    if case.state in cases.APPEAL:
        return telling.answer_soon(case, replies.sides_done(case), until=row.due_at)
    if case.heard or case.state not in cases.PENDING:
        return 0
    heard = disputes.sides_heard(case) | ({case.side} if case.side is not None else set())
    return telling.answer_soon(case, heard, until=row.due_at)
