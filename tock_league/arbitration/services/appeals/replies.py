"""Replies to an appeal: the other side answers once, within the time to answer, for the panel and for both sides."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing

from ...models import Appeal, Case, CaseEvent, Deadline
from ...models.case import TEXT_LENGTH
from ...permissions import position_of
from ..cases import deadlines, events
from ..cases.texts import clean


def reply(*, by: Person, case: Case, text: str) -> CaseEvent:
    """Write a side's only reply to the appeal of another side.

    Raises NotAllowed for strangers and for a side against which nobody has appealed; Refused `answer_over` after the time
    to answer, and those of `text`; Conflict: `answered`, `not_open` (also once the panel has ruled).
    """
    words = clean(text, field="text", most=TEXT_LENGTH)
    sentence = _("The other side of an appeal replies to it.")
    with writing():
        case = events.lock(case)
        require(by, "case.appeal", case, needed="player", sentence=sentence)
        side = position_of(by, case) if isinstance(by, Player) else None
        if side is None:
            raise NotAllowed(sentence, needed="player")
        against = Appeal.objects.filter(case=case).exclude(side=side).order_by("-at").first()
        events.expect(case, "replied")
        if against is None:
            raise NotAllowed(sentence, needed="player")
        replied = {body["side"] for body in case.events.filter(type="replied").values_list("body", flat=True)}
        if side in replied:
            raise Conflict("answered", _("Your side has replied already."), number=case.number)
        if clock.now() > against.at + deadlines.span(case, "answer"):
            raise Refused("answer_over", _("The time to reply is over."), field="text")
        event = events.append(case, "replied", by=by, role="party", body={"side": side}, private={"text": words})
        if sides_done(case) == frozenset(range(case.match.sides)):
            deadlines.stop(case, [Deadline.Kind.ANSWER])
        return event


def ask(case: Case) -> datetime:
    """Start the time in which the other side may reply to an appeal that was just filed; return its end."""
    until = clock.now() + deadlines.span(case, "answer")
    deadlines.start(case, Deadline.Kind.ANSWER, until)
    return until


def sides_done(case: Case) -> frozenset[int]:
    """Return the sides that have replied, and those against which nobody has appealed. Two queries."""
    replied = {body["side"] for body in case.events.filter(type="replied").values_list("body", flat=True)}
    appellants = set(Appeal.objects.filter(case=case).values_list("side", flat=True))
    return frozenset(side for side in range(case.match.sides) if side in replied or not appellants - {side})
