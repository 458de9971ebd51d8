"""Celery tasks; each calls one service. All are idempotent."""

from celery import shared_task
from django.utils import timezone

from games.selectors.games import is_somebody_playing
from ratings import services
from tock_league.common import clock, outbox
from tock_league.common.alone import alone

GATHER_S = 0.3
NIGHT = range(3, 6)  # hours, local time
BETWEEN_S = 0.01  # between two batches, so that others get SQLite's write lock


@shared_task(name="ratings.tasks.rate_game")
def rate_game(outbox_id: int, ladder_key: str) -> None:
    """Rate the waiting entries of the ladder; sent when a game has ended. See services.live for the delay."""
    if outbox.is_done(outbox_id):
        return
    drain(ladder_key)


@shared_task(name="ratings.tasks.rate_waiting")
def rate_waiting() -> None:
    """Every five seconds: process waiting entries and dirty ladders found in the database, in case a task was lost."""
    for key in services.ladders_waiting():
        drain(key)
    for key in services.ladders_dirty():
        rebuild_ladder.delay(ladder_key=key)


@shared_task(name="ratings.tasks.rebuild_ladder", time_limit=900, soft_time_limit=880)
def rebuild_ladder(ladder_key: str) -> None:
    """Recompute a ladder that a late result or a correction has made dirty; do nothing if it is clean, or another worker is at
    it. While it is dirty this is sent every five seconds."""
    if ladder_key in services.ladders_dirty():
        services.rebuild_if_free(ladder_key=ladder_key, cause="late result or correction")


@shared_task(name="ratings.tasks.freeze_season", time_limit=900, soft_time_limit=880)
def freeze_season(outbox_id: int, season: int) -> None:
    """Freeze the boards of a season that an administrator has ended; sent again while a recomputation is under way."""
    if outbox.is_done(outbox_id):
        return
    drain(services.ladder_of_season(season))
    if services.freeze(season):
        outbox.done(outbox_id)


@shared_task(name="ratings.tasks.expire_boards")
def expire_boards() -> None:
    """Hourly: remove expired places from the boards."""
    services.expire_boards()


@shared_task(name="ratings.tasks.rebuild_reports", time_limit=3600, soft_time_limit=3500)
def rebuild_reports() -> None:
    """Hourly: make the evaluation reports that are due; it takes a minute or more. By day it waits until nobody plays, because a
    club's laptop has one process for everything."""
    if timezone.localtime(clock.now()).hour not in NIGHT and is_somebody_playing():
        return
    with alone("reports") as ours:
        if ours:
            services.make_due_reports()


def drain(ladder_key: str) -> None:
    """Rate until no entry waits; leave it to another worker that is at it.

    That one looks once more when it has given the lock back, so an entry that came meanwhile is not forgotten.
    """
    for _look in range(2):
        with alone(f"rating {ladder_key}") as ours:
            if not ours:
                return
            _drain(ladder_key)
        if ladder_key not in services.ladders_waiting():
            return


def _drain(ladder_key: str) -> None:
    """Rate at most 50 batches; sleep until the next entry is old enough (at most a second), and long enough that games
    which end one after another share a batch."""
    for _round in range(50):
        rated = services.rate_waiting(ladder_key=ladder_key)
        if rated.resting is None:
            return
        clock.pause(max(GATHER_S, rated.resting.total_seconds()) if rated.resting else BETWEEN_S)
