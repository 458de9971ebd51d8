"""Drafts: what a person types into a form of a case is kept on the server until it is sent, discarded or handed over."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match

from ...core import cases
from ...models import Case, CaseEvent, Draft
from ...models.draft import DISPUTE, FORMS
from ...permissions import heads

MOST = 16_384  # bytes of one draft, as JSON
KEPT_DAYS = 30  # how long the draft of a dispute that was never filed is kept
SENT = {
    "answered": ["answer", "add"],
    "stated": ["answer", "add"],
    "ruled": ["decision"],
    "appeal_ruled": ["decision", "uphold"],
    "appealed": ["appeal"],
    "replied": ["reply"],
    "voted": ["vote"],
    "recused": ["recuse"],
    "escalated": ["escalate"],
    "dismissal_proposed": ["dismiss"],
    "dismissed": ["dismiss"],
    "dismissal_refused": ["disagree"],
    "ruling_refused": ["refuse"],
}  # the drafts that an event of the case makes superfluous


def save(
    *,
    by: Person,
    case: Case | Match,
    form: str,
    fields: Mapping[str, Sequence[str]],
    version: int,
    replace: bool = False,
) -> Draft:
    """Keep what `by` has typed into `form`, in place of the version that the writer's page knows (0 for none).

    `case`: or the match whose result the form disputes. `replace`: also in place of a newer version. Raises
    NotAllowed for those who may not see the case or dispute the result; Refused: `form`,
    `draft_large` (more than MOST bytes); Conflict: `not_open` when the case is closed, `draft_newer` when another window
    has saved or discarded it since.
    """
    if form not in ([DISPUTE] if isinstance(case, Match) else FORMS):
        raise Refused("form", _("There is no such form."), field="form")
    told = {str(name): [str(value).replace("\0", "") for value in values] for name, values in fields.items()}
    if len(json.dumps(told, ensure_ascii=False).encode(errors="replace")) > MOST:
        raise Refused("draft_large", _("This is too long to be kept as a draft."), field="form", most=MOST)
    with writing():
        whose = _of(by, case)
        if not isinstance(by, Player):
            raise NotAllowed(needed="party")
        if isinstance(case, Case) and Case.objects.get(pk=case.pk).state in cases.CLOSED and form != "review":
            raise Conflict("not_open", _("The case is closed; drafts are no longer kept."), number=case.number)
        mine = Draft.objects.select_for_update().filter(**whose, person=by, form=form)
        known = mine.first()
        if known is None and version and not replace:
            raise Conflict("draft_newer", _("This draft was sent or discarded in another window."), version=0)
        if known is None:
            fresh = {"fields": told, "saved_at": clock.now()}
            known, made = Draft.objects.get_or_create(**whose, person=by, form=form, defaults=fresh)
            if made:
                return known
        if known.fields == told:
            return known  # the same window saved it a moment ago
        if known.version != version and not replace:
            raise Conflict("draft_newer", _("A newer draft was saved in another window."), version=known.version)
        known.fields, known.saved_at, known.offered = told, clock.now(), False
        known.version += 1
        known.save(update_fields=["fields", "saved_at", "offered", "version"])
        return known


def _of(by: Person, of: Case | Match) -> dict[str, Any]:
    """Return what a draft of the case or match is found by. Raises NotAllowed for those who may not write there."""
    if isinstance(of, Match):
        require(by, "case.dispute_result", of, needed="player")
        return {"match": of}
    require(by, "case.see", of, needed="party")
    return {"case": of}


def discard(*, by: Person, case: Case | Match, form: str) -> None:
    """Delete the own draft of `form`. Idempotent. Raises NotAllowed for those who may not write there."""
    with writing():
        Draft.objects.filter(**_of(by, case), person=getattr(by, "pk", None), form=form).delete()


def filed(match: Match, by: Player) -> None:
    """Delete the draft of the dispute that `by` has just filed; inside the transaction that files it."""
    Draft.objects.filter(match=match, person=by, form=DISPUTE).delete()


def offer(case: Case, by: Person, *, wanted: bool) -> None:
    """Mark the own draft of the ruling: the head referee who takes the case next gets a copy of it, if `wanted`."""
    Draft.objects.filter(case=case, person=getattr(by, "pk", None), form="decision").update(offered=wanted)


def receive(case: Case, referee: Player) -> None:
    """Give a head referee who has taken the case a copy of the draft that was handed over, unless they have their own."""
    if (
        not heads(referee, case.competition)
        or Draft.objects.filter(case=case, person=referee, form="decision").exists()
    ):
        return
    offered = Draft.objects.filter(case=case, form="decision", offered=True).order_by("-saved_at", "-pk").first()
    if offered is not None:
        Draft.objects.create(
            case=case,
            person=referee,
            form="decision",
            fields=offered.fields,
            saved_at=offered.saved_at,
            given_by=offered.person,
        )


def sent(event: CaseEvent) -> None:
    """Delete the drafts of what the event's actor has just sent; inside the event's transaction."""
    if event.actor_id is not None and event.type in SENT:
        Draft.objects.filter(case=event.case_id, person=event.actor_id, form__in=SENT[event.type]).delete()


def clean() -> int:
    """Delete the drafts of closed cases and old ones of disputes; return how many. A re-examination can still be prepared
    for a final case."""
    with writing():
        left = Draft.objects.filter(case__state__in=sorted(cases.CLOSED)).exclude(form="review", case__state="final")
        old = Draft.objects.filter(form=DISPUTE, saved_at__lt=clock.now() - timedelta(days=KEPT_DAYS))
        return left.delete()[0] + old.delete()[0]
