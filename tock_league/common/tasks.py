from celery import shared_task

from . import health, outbox


@shared_task(name="tock_league.common.tasks.sweep_outbox")
def sweep_outbox() -> int:
    """Send lost tasks again; every five seconds."""
    return outbox.sweep()


@shared_task(name="tock_league.common.tasks.forget_outbox")
def forget_outbox() -> int:
    """Delete old rows of the outbox; daily."""
    return outbox.forget()


@shared_task(name="tock_league.common.tasks.worker_pulse")
def worker_pulse() -> None:
    """Record that a worker is alive; the `ready` page reads it."""
    health.pulse("worker")
