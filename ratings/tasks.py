"""Doors of the worker: each calls one service. All may run twice."""

from celery import shared_task

from ratings import services
from tock_league.common import clock, outbox


@shared_task(name="ratings.tasks.rate_game")
def rate_game(outbox_id: int, ladder_key: str) -> None:
    """Rate what waits in the ladder; sent when a game has ended. Its entry rests a second, see services.live."""
    if outbox.is_done(outbox_id):
        return
    drain(ladder_key)


@shared_task(name="ratings.tasks.rate_waiting")
def rate_waiting() -> None:
    """Each five seconds: find what waits or is dirty from the database, for a lost task must not lose a game."""
    for key in services.ladders_waiting():
        drain(key)
    for key in services.ladders_dirty():
        rebuild_ladder.delay(ladder_key=key)


@shared_task(name="ratings.tasks.rebuild_ladder", time_limit=900, soft_time_limit=880)
def rebuild_ladder(ladder_key: str) -> None:
    """Recompute a ladder that a late result or a correction has made dirty; asked twice, the second finds it clean."""
    if ladder_key in services.ladders_dirty():
        services.rebuild(ladder_key=ladder_key, cause="late result or correction")


@shared_task(name="ratings.tasks.expire_boards")
def expire_boards() -> None:
    """Hourly: places on boards end when nobody plays."""
    services.expire_boards()


def drain(ladder_key: str) -> None:
    """Rate until nothing waits, resting as long as the youngest entry has to (at most a second at a time)."""
    for _round in range(50):
        rated = services.rate_waiting(ladder_key=ladder_key)
        if rated.resting is None:
            return
        clock.pause(rated.resting.total_seconds())
