"""Reviews of ruled cases on new evidence: a new case, whose ruling supersedes the old one.

A panel's ruling is final. Both sides may answer before the review is ruled.
"""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing

from ...core import cases
from ...models import Case, Deadline
from ...selectors.referees.conflicts import judges_by_case
from ..cases import deadlines, events, telling
from ..cases.calls import open_case
from ..cases.texts import clean
from ..rulings.signing import PANEL_FINAL, ruling_in_force

REASON_LENGTH = 280
REVIEWABLE = frozenset({"ruled", "appeal_ruled", "final"})  # `appeal_ruled` is refused with a reason of its own


def open_review(*, by: Person, case: Case, reason: str) -> Case:
    """Open the re-examination of a ruled case on new evidence (`reason`), by a head referee who has not ruled it.

    Both sides have the competition's time to answer. Raises NotAllowed; Conflict: `not_ruled`, `panel_final` (a panel
    has ruled), `case_open` (a review is open already); Refused `evidence_over` after the competition's time for new
    evidence, and those of `reason`.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH)
    with writing():
        case = events.lock(case)
        require(by, "case.review", case, needed="head_referee")
        if not isinstance(by, Player):
            raise NotAllowed(needed="head_referee")
        if by.pk in judges_by_case([case])[case.pk]:
            raise NotAllowed(_("Another head referee than those who ruled opens the review."), needed="head_referee")
        ruling = ruling_in_force(case)
        if case.state not in REVIEWABLE or ruling is None:
            raise Conflict("not_ruled", _("There is no ruling in force to look at again."), number=case.number)
        if case.rulings.filter(level=2).exists():
            raise Conflict("panel_final", PANEL_FINAL, number=case.number)
        other = case.reviewed_by.filter(state__in=sorted(cases.PENDING)).first()
        if other is not None:
            raise Conflict(
                "case_open", _("Case %(number)s looks at it again.") % {"number": other.number}, number=other.number
            )
        if clock.now() > ruling.signed_at + deadlines.span(case, "evidence"):
            raise Refused("evidence_over", _("The time for new evidence is over."))
        review = open_case(
            match=case.match,
            game=case.game,
            entered=case.entered,
            seq=case.seq,
            kind=case.kind,
            origin=Case.Origin.REVIEW,
            by=by,
            side=None,
            text=words,
            reviews=case,
            role="head_referee",
        )
        heard_by = clock.now() + deadlines.span(case, "answer")
        deadlines.start(review, Deadline.Kind.ANSWER, heard_by)
        deadlines.start(review, Deadline.Kind.RULING, heard_by + deadlines.span(case, "ruling"))
        telling.opened(review, by, answer_until=heard_by)
        return review
