"""The tasks of webhooks, sent from the outbox."""

from celery import shared_task

from .services import delivering
from .services.delivering import SPREAD_TASK
from .services.keeping import DELIVER_TASK


@shared_task(name=SPREAD_TASK)
def spread(outbox_id: int, event: int) -> int:
    """Make the deliveries of one fact."""
    return delivering.spread(outbox_id=outbox_id, event=event)


@shared_task(name=DELIVER_TASK)
def deliver(outbox_id: int, delivery: int) -> str:
    """Make one attempt of a delivery."""
    return delivering.deliver(outbox_id=outbox_id, delivery=delivery)
