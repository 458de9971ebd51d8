from celery import shared_task

from .services.entries import checkin, silence
from .services.results import settlement
from .services.rounds import publishing, reminders
from .services.seasons import countdown, lifecycle


@shared_task(name="tock_league.competitions.tasks.settle_game")
def settle_game(outbox_id: int, game_id: int) -> None:
    """Write a finished game's result and settle its match, with those that wait beside it; idempotent by game."""
    settlement.settle_waiting(game_id=game_id, outbox_id=outbox_id)


@shared_task(name="tock_league.competitions.tasks.open_due_tables")
def open_due_tables() -> int:
    """Open the tables of matches that start within 15 minutes; each 20 seconds."""
    return publishing.open_due_tables()


@shared_task(name="tock_league.competitions.tasks.remind")
def remind() -> int:
    """Remind players of matches that begin within 24 hours, and within an hour, and of partners who do not answer; each
    minute.
    """
    return reminders.remind() + silence.remind()


@shared_task(name="tock_league.competitions.tasks.keep_tournaments")
def keep_tournaments() -> int:
    """Close entries and check-ins at their time, begin rounds whose countdown is over and start what is drawn and due; each
    20 seconds.
    """
    return checkin.close_due() + countdown.finish_due() + lifecycle.start_due()
