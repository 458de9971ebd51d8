"""A countdown to the step that begins a round. Its end is the server's: the sweep of the beat does the step, no browser."""

import logging
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import SITE, Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...models import Competition
from ...selectors.seasons.next_step import BEGINS_A_ROUND, next_step
from ..shared.journal import note
from ..shared.locking import lock_competition
from . import steps

log = logging.getLogger(__name__)
MOST_MIN = 15


def begin(*, by: Person, competition: Competition, code: str, minutes: int) -> Competition:
    """Do the step `code` in so many minutes, at once for 0; return the competition. A second countdown replaces the first.

    Raises NotAllowed; Refused `countdown_range` on `minutes`; Conflict `step` when the next step is another one by now, or
    begins no round.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if not 0 <= minutes <= MOST_MIN:
            raise Refused(
                "countdown_range", _("A countdown takes 0 to %(most)s minutes.") % {"most": MOST_MIN}, field="minutes"
            )
        offered = next_step(competition)
        if code != offered.code or offered.kind not in BEGINS_A_ROUND:
            raise Conflict("step", steps.MOVED_ON, state=competition.state, next=offered.code)
        if minutes == 0:
            steps.take(by=by, competition=competition, code=code)
            return Competition.objects.get(pk=competition.pk)
        competition.step_due_at, competition.step_due = clock.now() + timedelta(minutes=minutes), code
        _write(competition)
        note(competition, "countdown.begun", by, minutes=minutes, step=code)
        return competition


def cancel(*, by: Person, competition: Competition) -> Competition:
    """End the countdown without its step. Idempotent."""
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.step_due_at is not None:
            _end(competition)
            note(competition, "countdown.cancelled", by)
        return competition


def finish_due() -> int:
    """Do the steps whose countdown is over, and end countdowns whose step was done by hand; return how many steps were done.

    One transaction each. A step that is refused, such as a round that needs second meetings, ends its countdown: the
    organiser's page shows what is in the way. Idempotent.
    """
    done = 0
    for competition in Competition.objects.filter(step_due_at__isnull=False).order_by("step_due_at", "pk"):
        try:
            done += _finish(competition.pk)
        except Refused as error:
            _stop(competition.pk, error.code)
        except Exception:
            log.exception("the countdown of %s could not end", competition.slug)
    return done


def _finish(pk: int) -> bool:
    with writing():
        competition = lock_competition(pk, changes=False)
        due, code = competition.step_due_at, competition.step_due
        if due is None:  # cancelled meanwhile
            return False
        if next_step(competition).code != code:
            _end(competition)
            return False
        if clock.now() < due:
            return False
        _end(competition)
        steps.take(by=SITE, competition=competition, code=code)
        return True


def _stop(pk: int, reason: str) -> None:
    with writing():
        competition = lock_competition(pk)
        if competition.step_due_at is not None and clock.now() >= competition.step_due_at:
            _end(competition)
            note(competition, "countdown.stopped", SITE, refused=reason)


def _end(competition: Competition) -> None:
    competition.step_due_at, competition.step_due = None, ""
    _write(competition)


def _write(competition: Competition) -> None:
    competition.save(update_fields=["step_due_at", "step_due", "updated_at"])
