"""Celery tasks: a fallback for the scheduler threads of the web processes, and the analysis after a game."""

from celery import shared_task

from games.services import analysis, bots, casual, clocks, months, turns
from tock_league.common.metrics import MISSED


@shared_task(name="games.tasks.sweep_deadlines")
def sweep_deadlines() -> int:
    """Carry out deadlines and bots' turns that no web process has claimed. Idempotent."""
    done = clocks.claim_due() + bots.act_due()
    MISSED.inc(done)
    return done


@shared_task(name="games.tasks.keep_months_ready")
def keep_months_ready() -> None:
    """Make the partitions of the coming months; daily, on PostgreSQL."""
    months.keep_ready()


@shared_task(name="games.tasks.close_abandoned")
def close_abandoned() -> int:
    """Close the casual tables whose people have left; every minute."""
    return casual.close_abandoned()


@shared_task(name="games.tasks.call_away")
def call_away() -> int:
    """Tell by a push whose turn it is while they are away from their table; every ten seconds."""
    return turns.call_away()


@shared_task(name="games.tasks.analyse")
def analyse(outbox_id: int, game_id: int) -> None:
    """Judge the choices of a finished game for its replay; idempotent per game."""
    analysis.analyse(game_id=game_id, outbox_id=outbox_id)
