from celery import shared_task

from ratings.models import Ladder

from . import services


@shared_task(name="tock_league.integrity.tasks.watch", time_limit=240, soft_time_limit=220)
def watch() -> int:
    """Look at the games that were added to each ladder; every five minutes. Return how many findings were made."""
    return sum(services.look(ladder=ladder) for ladder in Ladder.objects.order_by("key"))
