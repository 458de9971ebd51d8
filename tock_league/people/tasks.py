from celery import shared_task

from tock_league.common import outbox
from tock_league.common.transactions import writing

from . import export, retention


@shared_task(name=export.TASK)
def make_export(outbox_id: int, export_id: int) -> None:
    """Do the next step of an export. Idempotent: what is made is not made again."""
    if outbox.is_done(outbox_id):
        return
    export.make(export_id)
    with writing():
        outbox.done(outbox_id)


@shared_task(name="tock_league.people.tasks.forget")
def forget() -> None:
    """Erase who asked for it, and delete what has been kept long enough; hourly."""
    retention.forget_all()
