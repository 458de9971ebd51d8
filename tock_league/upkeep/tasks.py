from celery import shared_task

from .nightly import start_if_due


@shared_task(ignore_result=True)
def nightly_backup() -> None:
    """Start the nightly copy when it is due; periodic."""
    start_if_due()
