"""A transactional outbox: tasks that must run after a commit, even when brokers or workers fail.

The row is written in the transaction of the change that it follows. After the commit the Celery task is sent at once;
no broker setting keeps a task through `kill -9`, so a sweep each five seconds sends again what is due and not done.
Hence every task may run twice and must be idempotent by its key.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import F

from . import broker, clock, statements
from .metrics import RESENT
from .models import OutboxRow
from .transactions import writing

log = logging.getLogger(__name__)
_by_hand = ContextVar("by_hand", default=False)

RETRY_AFTER = timedelta(seconds=10)  # doubled with each attempt, up to MAX_WAIT
MAX_WAIT = timedelta(minutes=10)
FRESH = 2  # tries after which a row is left to its own task

_COLUMNS = statements.Columns(OutboxRow)
_NAMES = [name for name in _COLUMNS.names if name != "id"]
_LISTED = ", ".join(f'"{name}"' for name in _NAMES)
_INSERT = (
    f'INSERT INTO "{_COLUMNS.table}" ({_LISTED}) '  # nosec B608: names of our own
    f'VALUES ({", ".join(["%s"] * len(_NAMES))}) ON CONFLICT ("task", "key") DO NOTHING RETURNING "id"'
)


def enqueue(task: str, key: str, *, due_at: datetime | None = None, **body: Any) -> OutboxRow:
    """Enqueue `task(outbox_id, **body)`; call it inside `writing()`. One statement, two for a key that is known.

    `task`: a Celery task's name. `key`: unique for the task; a repeat returns the row that is there. `body`: JSON values.
    The row is written as sent when the commit will send it; a process killed between the two leaves it to the sweep.
    """
    now = clock.now()
    due = due_at or now
    at_once = due <= now and not _by_hand.get()
    row = OutboxRow(task=task, key=key, body=body, due_at=due, created_at=now)
    if at_once:
        row.due_at, row.attempts = now + _wait(row), 1
    if not _insert(row):
        return OutboxRow.objects.get(task=task, key=key)
    if at_once:
        transaction.on_commit(lambda: broker.hand_over(partial(_publish, row)))
    return row


def _insert(row: OutboxRow) -> bool:
    """Write the row unless its key is known; return whether it is new."""
    for (pk,) in statements.rows(_INSERT, _COLUMNS.prepared(row, _NAMES)):
        row.pk, row._state.adding, row._state.db = pk, False, DEFAULT_DB_ALIAS
        return True
    return False


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


def fresh(task: str, limit: int) -> list[OutboxRow]:
    """Return the oldest rows of `task` that are not done and have been tried at most FRESH times; for a task that does the
    work of several rows at once."""
    rows = OutboxRow.objects.filter(task=task, done_at__isnull=True, attempts__gt=0, attempts__lte=FRESH)
    return list(rows.order_by("created_at", "pk")[:limit])


def failed(outbox_id: int) -> None:
    """Count a try of the row that its own task has not made."""
    OutboxRow.objects.filter(pk=outbox_id, done_at__isnull=True).update(attempts=F("attempts") + 1)


def send(rows: Sequence[OutboxRow]) -> None:
    """Hand the rows to the broker without waiting for it; a broker that is down is no error, because the sweep retries."""
    now = clock.now()
    by_wait: dict[timedelta, list[int]] = {}
    for row in rows:
        by_wait.setdefault(_wait(row), []).append(row.pk)
    if not rows:
        return
    with writing():
        for wait, ids in by_wait.items():
            OutboxRow.objects.filter(pk__in=ids).update(attempts=F("attempts") + 1, due_at=now + wait)
    for row in rows:
        broker.hand_over(partial(_publish, row))


def _wait(row: OutboxRow) -> timedelta:
    """Return how long the row's next sending is given before the sweep repeats it."""
    return min(RETRY_AFTER * 2 ** min(row.attempts, 10), MAX_WAIT)


def _publish(row: OutboxRow) -> None:
    try:
        current_app.send_task(row.task, kwargs={"outbox_id": row.pk, **row.body}, retry=False)
    except Exception as error:
        log.warning("broker refused %s: %s", row, type(error).__name__)


def done(*outbox_ids: int) -> None:
    """Mark the rows as done; call it in the task's own transaction."""
    OutboxRow.objects.filter(pk__in=outbox_ids, done_at__isnull=True).update(done_at=clock.now())


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
    send(rows)
    return len(rows)


def forget(older_than: timedelta = timedelta(days=14)) -> int:
    """Delete rows done long ago; return how many."""
    with writing():
        deleted, _ = OutboxRow.objects.filter(done_at__lt=clock.now() - older_than).delete()
    return deleted
