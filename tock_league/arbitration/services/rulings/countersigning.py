"""The second of two signatures: another referee reads the decision and its preview, and signs it or refuses it.

The decision is the one that was signed first. Its consequences are computed again: both signers sign what they saw.
"""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ...models import Case, Ruling
from ...permissions import referees, require_fresh
from ...selectors.referees import conflicts
from ...selectors.rulings.proposals import Proposal, proposal_of
from ..cases import events
from ..cases.admissibility import REASON_LENGTH, second_referee
from ..cases.texts import clean
from ..referees import leases
from . import execution, proposals
from .assessment import RulingPreview, Weighed, weigh
from .signing import after_ruling, quashed_by, settle_game


def preview(*, by: Person, case: Case) -> RulingPreview:
    """Return what the second signature would change now. Raises what `countersign` raises, except for digest and sign-in."""
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        weighed, signer = _weigh(by, case)
        return execution.rehearse(case, weighed, signer, quashed=quashed_by(case))


def countersign(*, by: Person, case: Case, preview_digest: str, fresh: bool = False) -> Ruling:
    """Sign the proposed ruling as the second referee; now it takes effect. Idempotent for the same signature.

    Raises NotAllowed; Conflict: `not_open`, `preview_moved` (look at the preview again); Refused: `second_referee` for the
    first signer, `conflict`, `first_signature` when the first signer may not decide the case any more, `sign_in_again`,
    and the faults that the decision has by now.
    """
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        known = case.rulings.order_by("number").first()
        if known is not None and known.second_id is not None and known.second_id == getattr(by, "pk", None):
            return known
        weighed, signer = _weigh(by, case)
        require_fresh(fresh=fresh)
        quashed = quashed_by(case)
        signed = execution.carry_out(case, weighed, signer, digest=preview_digest, quashed=quashed)
        after_ruling(case)
        if quashed is not None:
            execution.supersede(events.lock(quashed.case), by=signer.by, ref=signed.ruling.ref)
        return signed.ruling


def refuse(*, by: Person, case: Case, reason: str) -> Case:
    """Refuse the proposed ruling with a reason: the case goes back to the queue, for any referee.

    Raises NotAllowed; Conflict `not_open`; Refused `second_referee`, `conflict`, and those of `reason`.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH, lines=True)
    with writing():
        case = events.lock(case)
        referee = second_referee(by, case, "ruling_refused")
        events.append(case, "ruling_refused", by=referee, role="referee", private={"text": words})
        proposals.reopen(case)
        return case


def _weigh(by: Person, case: Case) -> tuple[Weighed, execution.Signer]:
    second = second_referee(by, case, "ruled")
    found = proposal_of(case)
    if found is None:
        raise events.not_open(case)
    _still_a_judge(found, case)
    head = leases.is_head(found.by, case)
    weighed = weigh(case, found.decision, head=head, quashed=quashed_by(case), second=True)
    role = "head_referee" if leases.is_head(second, case) else "referee"
    return weighed, execution.Signer(by=second, type="ruled", role=role, head=head, author=found.by)


def _still_a_judge(found: Proposal, case: Case) -> None:
    first: Player = found.by
    if not referees(first, case.competition) or conflicts.grounds(first, case):
        raise Refused(
            "first_signature",
            _("%(name)s may not decide this case any more: refuse the ruling, so that another referee rules.")
            % {"name": first.display_name},
        )
