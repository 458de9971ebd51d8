"""Preview and signature of rulings. The signature and all its consequences are one transaction.

The lock order: competition, match, game, case, then the rows of results, and the journal's stream last.
"""

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.services.results import settlement

from ...core import cases
from ...core.decisions import Decision
from ...models import Case, Deadline, Ruling
from ...permissions import require_fresh
from ...selectors.rulings.proposals import Proposal, proposal_of
from ..cases import deadlines, events, telling
from ..referees import leases
from . import execution
from .assessment import RulingPreview, Weighed, weigh
from .proposals import propose

PANEL_FINAL = _("This case has been ruled on appeal; that is the last word.")


def preview(*, by: Person, case: Case, decision: Decision) -> RulingPreview:
    """Return what signing the decision now would change; nothing is written except the pending result of the finished
    game.

    Raises what `sign` raises, except for the digest.
    """
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        weighed = _weigh(by, case, decision)
        return execution.rehearse(case, weighed, _signer(by, case), quashed=quashed_by(case))


def sign(*, by: Person, case: Case, decision: Decision, preview_digest: str, fresh: bool = False) -> Ruling | Proposal:
    """Sign the decision that was previewed. Idempotent: the same signature again returns the same ruling or proposal.

    Where two must sign (core.keys), return the proposal that waits for a second referee (`countersigning`); `fresh`:
    whether `by` has just signed in, else Refused `sign_in_again`. Raises NotAllowed; Conflict: `no_lease`, `not_open`,
    `already_ruled`, `answer_pending`, `preview_moved` (look at the preview again); Refused with the fault's code and
    field, or `conflict`.
    """
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        known = case.rulings.order_by("number").first()
        if known is not None and known.preview_digest == preview_digest and known.author_id == getattr(by, "pk", None):
            return known
        waiting = proposal_of(case) if case.state == "triage" else None
        if waiting is not None and (waiting.by, waiting.digest) == (by, preview_digest):
            return waiting
        weighed, signer = _weigh(by, case, decision), _signer(by, case)
        quashed = quashed_by(case)
        if weighed.preview.second:
            require_fresh(fresh=fresh)
            lease = leases.held(by, case)
            return propose(case, weighed, signer, lease, digest=preview_digest, quashed=quashed)
        signed = execution.carry_out(case, weighed, signer, digest=preview_digest, quashed=quashed)
        after_ruling(case)
        if quashed is not None:
            execution.supersede(events.lock(quashed.case), by=signer.by, ref=signed.ruling.ref)
        return signed.ruling


def settle_game(case: Case) -> None:
    """Write the result of the case's finished game before a ruling. Idempotent."""
    if case.game_id is not None and Game.objects.filter(pk=case.game_id, state=Game.State.OVER).exists():
        settlement.settle(game_id=case.game_id)


def _signer(by: Person, case: Case) -> execution.Signer:
    assert isinstance(by, Player)
    head = leases.is_head(by, case)
    return execution.Signer(by=by, type="ruled", role="head_referee" if head else "referee", head=head)


def ruling_in_force(case: Case) -> Ruling | None:
    """Return the ruling of the case that is in force, or None."""
    return case.rulings.filter(superseded_by__isnull=True, confirms__isnull=True).order_by("-number").first()


def quashed_by(case: Case) -> Ruling | None:
    """Return the ruling that a re-examination takes out of force, or None for other cases.

    Raises Conflict: `panel_final`, `under_appeal` when the first case was appealed since the re-examination was opened.
    """
    first = case.reviews
    if first is None:
        return None
    if first.rulings.filter(level=2).exists():
        raise Conflict("panel_final", PANEL_FINAL, number=first.number)
    if first.state in cases.APPEAL:
        raise Conflict(
            "under_appeal",
            _("%(number)s is under appeal: the panel decides it.") % {"number": first.number},
            number=first.number,
        )
    return ruling_in_force(first)


def after_ruling(case: Case) -> None:
    """Close the lease and every deadline, and start the deadline for an appeal."""
    for lease in case.leases.filter(ended_at__isnull=True):
        leases.end(lease)
    deadlines.stop(case)
    appeal_until = clock.now() + deadlines.span(case, "appeal")
    deadlines.start(case, Deadline.Kind.APPEAL, appeal_until)
    telling.ruled(case, appeal_until=appeal_until)


def _weigh(by: Person, case: Case, decision: Decision) -> Weighed:
    if case.state in cases.RULED:
        raise Conflict("already_ruled", _("This case has been ruled."), number=case.number)
    require(by, "case.take", case, needed="referee", sentence=_("A referee of this event decides this case."))
    if not isinstance(by, Player):
        raise NotAllowed(needed="referee")
    leases.held(by, case)
    events.expect(case, "ruled")
    waiting = case.deadlines.filter(kind=Deadline.Kind.ANSWER, done_at__isnull=True).first()
    asked = case.origin in (Case.Origin.DISPUTE, Case.Origin.REVIEW)
    if asked and not case.heard and waiting is not None and waiting.due_at > clock.now():
        raise Refused(
            "answer_pending",
            _("The other side still has time to answer; nobody is judged unheard.")
            if case.origin == Case.Origin.DISPUTE
            else _("Both sides still have time to answer; nobody is judged unheard."),
            status=409,
            until=waiting.due_at.isoformat(),
        )
    return weigh(case, decision, head=leases.is_head(by, case), quashed=quashed_by(case))
