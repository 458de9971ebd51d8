from celery import shared_task

from .services.cases import overdue, reminders


@shared_task(name="tock_league.arbitration.tasks.sweep_deadlines")
def sweep_deadlines() -> int:
    """Process passed deadlines and expired leases; every 20 seconds."""
    return overdue.sweep()


@shared_task(name="tock_league.arbitration.tasks.remind")
def remind() -> int:
    """Remind the players of a case of an answer that is missing, and of the end of the time to appeal; each minute."""
    return reminders.remind()
