"""The first of two signatures: the decision is kept with its preview's digest, and nothing of it takes effect."""

from datetime import timedelta

from games.services import referee as tables
from tock_league.common import clock
from tock_league.common.canonical import utf8
from tock_league.competitions.services.changes.previews import check

from ...core import effects
from ...core.decisions import TEXTS
from ...models import Case, Deadline, Lease, Ruling
from ...selectors.rulings.proposals import Proposal, proposal_of
from ..cases import deadlines, events
from ..cases.disputes import release_table
from ..referees import leases
from . import execution
from .assessment import Weighed


def propose(
    case: Case, weighed: Weighed, signer: execution.Signer, lease: Lease, *, digest: str, quashed: Ruling | None
) -> Proposal:
    """Keep the decision for a second signature. The rows of competition, match, game and case are locked by the caller.

    The lease ends. A table waits on where the ruling acts there, and plays on where it does not. Raises Conflict
    `preview_moved` when the signature would change anything else than the preview of `digest`.
    """
    check(execution.rehearse(case, weighed, signer, quashed=quashed, ratings=False).digest, digest)
    case.refresh_from_db(fields=["state", "heard", "live"])  # the rehearsal has changed this instance
    leases.hand_over(lease, case)
    waits = any(effect.type in effects.TABLE for effect in weighed.preview.planned)
    if case.live and case.game_id is not None and waits:
        until = clock.now() + timedelta(seconds=deadlines.deadlines_of(case.competition).lease)
        tables.hold(game_id=case.game_id, until=until)
    else:
        release_table(case, "proposed")
        case.live = False
    decision = weighed.decision
    kept = {"decision": decision.body(), "digest": digest, "second": weighed.preview.second}
    events.append(
        case,
        "ruling_proposed",
        by=signer.by,
        role=signer.role,
        private={name: getattr(decision, name) for name in TEXTS if getattr(decision, name)},
        hidden={"proposal": utf8(kept).decode()},
    )
    deadlines.stop(case)
    deadlines.start(case, Deadline.Kind.RULING, clock.now() + deadlines.span(case, "second"))
    found = proposal_of(case)
    assert found is not None
    return found


def reopen(case: Case) -> None:
    """Start the time for a ruling again, in a case whose proposed ruling was not signed."""
    deadlines.start(case, Deadline.Kind.RULING, clock.now() + deadlines.span(case, "ruling"))
