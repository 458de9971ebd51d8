"""Whether the result of a match that people entered may be disputed, and what a case about such a result shows."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.results.entered import Entered, by_ref, entered, said_by

from ...core import cases
from ...models import Case
from ...permissions import position_of
from .deadlines import result_filing_ends

KINDS: dict[str, Text] = {
    Case.Kind.RESULT: _("The result entered is wrong: the winner, the score, or that a team did not come."),
    Case.Kind.ELIGIBILITY: _("Somebody played without the right to, or a team was kept from playing."),
}
HOW: dict[str, Text] = {
    "paper": _("on paper"),
    "award": _("decided without play"),
    "correction": _("corrected by the desk"),
}
CLOSED = (Competition.State.ARCHIVED, Competition.State.CANCELLED)


@dataclass(frozen=True)
class DisputableResult:
    """Whether a player may dispute the result of a match now."""

    possible: bool
    reason: str = ""  # why not: "stranger", "competition", "none" (nobody entered it), "over", "open" or "ruled"
    until: datetime | None = None  # when the time to dispute ends
    case: Case | None = None  # of "open" and "ruled"
    joins: bool = False  # whether a further complaint would be added to `case`
    entered: Entered | None = None


def disputable_result(match: Match, player: Player | None) -> DisputableResult:
    """Return whether `player` may dispute the result of `match` now, and until when. No query for visitors."""
    if player is None or position_of(player, Case(match=match)) is None:  # an administrator has no side
        return DisputableResult(False, "stranger")
    if not can(player, "case.dispute_result", match):
        return DisputableResult(False, "stranger")
    if match.competition.state in CLOSED:
        return DisputableResult(False, "competition")
    stands = entered(match)
    if stands is None:
        return DisputableResult(False, "none")
    until = result_filing_ends(match, stands.at)
    found = list(Case.objects.filter(match=match, origin=Case.Origin.DISPUTE).order_by("pk"))
    about = [case for case in found if case.entered == stands.ref]
    ruled = next((case for case in about if case.state in cases.RULED), None)
    if ruled is not None:
        return DisputableResult(False, "ruled", until, ruled, entered=stands)
    if clock.now() > until:
        return DisputableResult(False, "over", until, entered=stands)
    waiting = next((case for case in found if case.state in cases.PENDING), None)
    if waiting is not None:
        return DisputableResult(False, "open", until, waiting, joins=waiting in about, entered=stands)
    return DisputableResult(True, until=until, entered=stands)


def disputable_until(match: Match) -> datetime | None:
    """Return until when the players may dispute the result that stands, None when they may not (any more)."""
    stands = entered(match)
    if stands is None or match.competition.state in CLOSED:
        return None
    until = result_filing_ends(match, stands.at)
    return until if clock.now() <= until else None


@dataclass(frozen=True)
class EnteredView:
    """The result that a case is about, for its page."""

    how: Text
    result: str  # in words, such as "Castors 1 – 0 Remparts"
    at: datetime
    by: Player | None
    tied: bool


def entered_of(case: Case) -> EnteredView | None:
    """Return the result that the case is about, None for a case about a game."""
    known = by_ref(case.match, case.entered) if case.entered else None
    if known is None:
        return None
    return EnteredView(HOW[known.how], said_by(case.match, case.entered), known.at, known.by, known.tied)
