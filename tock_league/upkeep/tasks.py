from celery import shared_task

from . import nightly, weekly


@shared_task(ignore_result=True)
def nightly_backup() -> None:
    """Start the nightly copy when it is due; periodic."""
    nightly.start_if_due()


@shared_task(ignore_result=True)
def weekly_drill() -> None:
    """Start the weekly restore drill when it is due; periodic."""
    weekly.start_if_due()
