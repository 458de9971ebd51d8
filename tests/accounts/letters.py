"""The letters that requests have promised, sent as a worker would."""

from django.core import mail
from django.core.mail import EmailMessage

from tock_league.accounts import tasks
from tock_league.accounts.services import LETTER_TASK
from tock_league.common import outbox


def delivered() -> list[EmailMessage]:
    """Send what waits, and return all letters that have been sent in this test."""
    for row in outbox.waiting(LETTER_TASK):
        tasks.send_letter(outbox_id=row.pk, **row.body)
    return list(mail.outbox)
