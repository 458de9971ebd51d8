from celery import shared_task

from .services.cases import overdue


@shared_task(name="tock_league.arbitration.tasks.sweep_deadlines")
def sweep_deadlines() -> int:
    """Carry out deadlines that passed and leases that ran out; each 20 seconds."""
    return overdue.sweep()
