"""A transactional outbox: tasks that must run after a commit, even when brokers or workers fail.

The row is written in the transaction of the change that it follows. After the commit the Celery task is sent at once;
no broker setting keeps a task through `kill -9`, so a sweep each five seconds sends again what is due and not done.
Hence every task may run twice and must be idempotent by its key.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import F

from . import broker, clock
from .metrics import RESENT
from .models import OutboxRow
from .transactions import writing

log = logging.getLogger(__name__)
_by_hand = ContextVar("by_hand", default=False)

RETRY_AFTER = timedelta(seconds=10)  # doubled with each attempt, up to MAX_WAIT
MAX_WAIT = timedelta(minutes=10)


def enqueue(task: str, key: str, *, due_at: datetime | None = None, **body: Any) -> OutboxRow:
    """Enqueue `task(outbox_id, **body)`; call it inside `writing()`.

    `task`: a Celery task's name. `key`: unique for the task; a repeat returns the row that is there. `body`: JSON values.
    """
    now = clock.now()
    row, created = OutboxRow.objects.get_or_create(
        task=task, key=key, defaults={"body": body, "due_at": due_at or now, "created_at": now}
    )
    if created and row.due_at <= now and not _by_hand.get():
        transaction.on_commit(lambda: send(row))
    return row


@contextmanager
def by_hand() -> Iterator[None]:
    """Send nothing that the block enqueues: its caller runs the `waiting` rows; the sweep sends the rest."""
    token = _by_hand.set(True)
    try:
        yield
    finally:
        _by_hand.reset(token)


def waiting(task: str) -> list[OutboxRow]:
    """Return the rows of `task` that are not done, oldest first."""
    return list(OutboxRow.objects.filter(task=task, done_at__isnull=True).order_by("created_at", "pk"))


def send(row: OutboxRow) -> None:
    """Hand `row` to the broker without waiting for it; a broker that is down is no error, because the sweep retries."""
    wait = min(RETRY_AFTER * 2 ** min(row.attempts, 10), MAX_WAIT)
    with writing():
        OutboxRow.objects.filter(pk=row.pk).update(attempts=F("attempts") + 1, due_at=clock.now() + wait)
    broker.hand_over(lambda: _publish(row))


def _publish(row: OutboxRow) -> None:
    try:
        current_app.send_task(row.task, kwargs={"outbox_id": row.pk, **row.body}, retry=False)
    except Exception as error:
        log.warning("broker refused %s: %s", row, type(error).__name__)


def done(outbox_id: int) -> None:
    """Mark the row as done; call it in the task's own transaction."""
    OutboxRow.objects.filter(pk=outbox_id, done_at__isnull=True).update(done_at=clock.now())


def postpone(outbox_id: int, until: datetime) -> None:
    """Let the sweep send the row again at `until`; for work whose time has not come, such as a mail in the night."""
    OutboxRow.objects.filter(pk=outbox_id, done_at__isnull=True).update(due_at=until)


def is_done(outbox_id: int) -> bool:
    """Return whether the row's work is done, so that a task delivered twice can stop early."""
    return OutboxRow.objects.filter(pk=outbox_id, done_at__isnull=False).exists()


def sweep(limit: int = 200) -> int:
    """Send again what is due and not done; return how many rows were sent."""
    rows = list(OutboxRow.objects.filter(done_at__isnull=True, due_at__lte=clock.now()).order_by("due_at")[:limit])
    for row in rows:
        if row.attempts:
            RESENT.inc()
        send(row)
    return len(rows)


def forget(older_than: timedelta = timedelta(days=14)) -> int:
    """Delete rows done long ago; return how many."""
    with writing():
        deleted, _ = OutboxRow.objects.filter(done_at__lt=clock.now() - older_than).delete()
    return deleted
