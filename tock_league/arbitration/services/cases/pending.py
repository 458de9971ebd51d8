"""Keeps the desk of a competition from correcting a result that a referee is about to decide."""

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Conflict
from tock_league.competitions.announcements import ResultCorrecting

from ...core import cases
from ...models import Case


def refuse_while_disputed(told: ResultCorrecting) -> None:
    """Refuse the correction of a match that is disputed; WITHIN subscriber of ResultCorrecting. Raises Conflict
    `case_open`."""
    case = Case.objects.filter(match=told.match_id, state__in=cases.PENDING).first()
    if case is not None:
        raise Conflict(
            "case_open",
            _("Case %(number)s about this match is open: its referee decides.") % {"number": case.number},
            number=case.number,
        )
