"""Dismissal of cases. A claim of talking, conduct or a false deal needs two referees to dismiss it."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing

from ...core import cases, keys
from ...models import Case
from ...permissions import referees, require_fresh
from ...selectors.referees import conflicts
from ...selectors.rulings.context import claims_of, game_running
from ..referees import leases
from . import deadlines, events
from .disputes import release_table
from .texts import clean

REASON_LENGTH = 1000
DISMISSALS = ("dismissed", "dismissal_refused")


def dismiss(*, by: Person, case: Case, reason: str, about: str = "", fresh: bool = False) -> Case:
    """Dismiss the case as not admissible, with a reason; allowed for the holder of the lease. A waiting table plays on.

    Cases of talking, the deal and conduct wait for a second referee (state `triage`); other kinds are closed at once.
    `about`: the kind that the claim turned out to have, where the filer chose another. `fresh`: whether `by` has just
    signed in. Raises NotAllowed; Conflict: `no_lease`, `not_open`; Refused: `conflict`, `about`, `sign_in_again` where
    two sign, and those of `reason`.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH, lines=True)
    if about and about not in Case.Kind.values:
        raise Refused("about", _("Choose what the claim was about."), field="about")
    with writing():
        case = events.lock(case, table=True)
        lease = leases.held(by, case)
        second = keys.protected(claims_of(case), about)
        events.expect(case, "dismissal_proposed" if second else "dismissed")
        if second:
            require_fresh(fresh=fresh)
        release_table(case, "dismissed")
        case.live = False
        leases.end(lease)
        if second:
            events.append(case, "dismissal_proposed", by=by, role="referee", private={"text": words})
        else:
            deadlines.stop(case)
            events.append(case, "dismissed", by=by, role="referee", private={"text": words})
        return case


def agree(*, by: Person, case: Case, fresh: bool = False) -> Case:
    """Agree to a dismissal, as a second referee without conflict who has just signed in (`fresh`), when the game is over.

    Raises NotAllowed; Conflict: `not_open`, `game_running`; Refused `conflict`, `second_referee`, `sign_in_again`.
    """
    with writing():
        case = events.lock(case)
        referee = second_referee(by, case, "dismissed")
        require_fresh(fresh=fresh)
        deadlines.stop(case)
        events.append(case, "dismissed", by=referee, role="referee")
        return case


def disagree(*, by: Person, case: Case, reason: str) -> Case:
    """Refuse a dismissal: the case goes back to the queue. Raises what `agree` raises, and Refused on `reason`."""
    words = clean(reason, field="reason", most=REASON_LENGTH, lines=True)
    with writing():
        case = events.lock(case)
        referee = second_referee(by, case, "dismissal_refused")
        events.append(case, "dismissal_refused", by=referee, role="referee", private={"text": words})
        return case


def second_referee(by: Person, case: Case, type: str) -> Player:
    """Return `by`, who may write the event `type` as the second referee of what was proposed.

    Raises NotAllowed; Conflict `not_open`; Refused `second_referee` for the one who proposed it, `conflict`.
    """
    sentence = _("A second referee of this event, other than the one who proposed it, looks at this.")
    require(by, "case.second", case, needed="referee", sentence=sentence)
    if not isinstance(by, Player) or not referees(by, case.competition):
        raise NotAllowed(sentence, needed="referee")
    state = events.state_of(case)
    if state.state != "triage" or not cases.may(state, type):
        raise events.not_open(case)
    if by.pk == state.proposer:
        raise Refused("second_referee", sentence, field="referee", status=403)
    found = conflicts.grounds(by, case)
    if found:
        raise leases.conflict(found)
    if type in DISMISSALS and game_running(case):  # until then nobody but the holder of the case reads what was written
        raise Conflict("game_running", _("The game goes on; the second opinion is given when it is over."))
    return by
