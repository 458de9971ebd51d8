from celery import shared_task

from .services.cases import overdue


@shared_task(name="tock_league.arbitration.tasks.sweep_deadlines")
def sweep_deadlines() -> int:
    """Process passed deadlines and expired leases; every 20 seconds."""
    return overdue.sweep()
