"""Where a match is played, and what its captains have said about it."""

from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can

from ...models import Competition, Match, PlaceProposal
from ...permissions import captain_side
from .progress import begun

M = Match.State
OPEN = (M.WAITING, M.READY, M.SCHEDULED, M.CALLED)
OVER = (
    Competition.State.DRAFT,
    Competition.State.FINISHED,
    Competition.State.ARCHIVED,
    Competition.State.CANCELLED,
)


@dataclass(frozen=True)
class PlaceOf:
    """What the page of a match says about its place, to one viewer."""

    on_board: bool
    proposal: PlaceProposal | None  # the open one
    is_own: bool  # whether it is the viewer's side that proposes
    may_propose: bool
    may_answer: bool
    may_decide: bool

    @property
    def is_shown(self) -> bool:
        """Whether there is something to say or to press."""
        return self.may_propose or self.may_decide or self.proposal is not None


def may_change(match: Match) -> bool:
    """Return whether the place of the match can still change: it has not begun. `match`: with its table. One query."""
    return match.state in OPEN and match.competition.state not in OVER and not begun(match)


def proposed(match: Match) -> PlaceProposal | None:
    """Return the open proposal about a match. One query."""
    return PlaceProposal.objects.filter(match=match, state=PlaceProposal.State.OPEN).select_related("by").first()


def place_of(match: Match, viewer: Player | None) -> PlaceOf:
    """Return what `viewer` sees and may do about the place of the match."""
    is_open = may_change(match)
    side = captain_side(viewer, match) if viewer is not None and is_open else None
    found = proposed(match) if is_open and match.competition.by_agreement else None
    is_own = found is not None and side is not None and side.position == found.position
    speaks = side is not None and match.competition.by_agreement
    return PlaceOf(
        on_board=match.is_on_board,
        proposal=found,
        is_own=is_own,
        may_propose=speaks and found is None,
        may_answer=speaks and found is not None and not is_own,
        may_decide=is_open and can(viewer, "match.place", match),
    )
