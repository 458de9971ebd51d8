"""The tasks of notices: the mails and the pushes, sent from the outbox."""

from celery import shared_task

from .services import mailing, pushing, spreading, weekly
from .services.mailing import MAIL_TASK
from .services.pushing import PUSH_TASK
from .services.telling import SPREAD_TASK


@shared_task(name=SPREAD_TASK)
def spread(outbox_id: int, kind: str, fact: str) -> int:
    """Enqueue the mails and pushes about one fact."""
    return spreading.spread(outbox_id=outbox_id, kind=kind, key=fact)


@shared_task(name=MAIL_TASK)
def send_mail(outbox_id: int, notice: int) -> str:
    """Send the mail of one notice."""
    return mailing.send(outbox_id=outbox_id, notice=notice)


@shared_task(name=PUSH_TASK)
def send_push(outbox_id: int, push: int) -> str:
    """Send one notice to one device."""
    return pushing.send(outbox_id=outbox_id, push=push)


@shared_task(name="tock_league.notices.tasks.send_digests")
def send_digests() -> int:
    """Promise the digest of the week to everybody whose hour has come; each five minutes."""
    return weekly.send_digests()
