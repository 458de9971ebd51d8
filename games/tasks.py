"""The safety net behind the scheduler threads of the web processes."""

from celery import shared_task

from games.services import bots, clocks


@shared_task(name="games.tasks.sweep_deadlines")
def sweep_deadlines() -> int:
    """Carry out deadlines and bots' turns that no web process has claimed; safe to run at any time, twice or not at all."""
    return clocks.claim_due() + bots.act_due()
