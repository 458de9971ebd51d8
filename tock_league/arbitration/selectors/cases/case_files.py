"""A case file as its reader may see it, and whether a game may be disputed.

Lookups and queues have modules of their own and are exported here too.
"""

from dataclasses import dataclass, field
from datetime import datetime

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.errors import NotThere, Text
from tock_league.competitions.models import Competition, Match

from ...core import cases
from ...models import Appeal, Case, Deadline, Lease, PanelSeat, Ruling
from ...permissions import panel_usable, position_of, referees
from ..referees import conflicts
from ..rulings.book import PublishedRuling, view
from ..rulings.context import game_running
from ..rulings.proposals import Proposal, proposal_of
from .concerns import Waiting, concerns, waiting_for
from .contents import (
    EventView,
    EvidenceView,
    SideView,
    Statement,
    VoteView,
    events,
    evidence,
    hush,
    seen_again,
    sides,
    statements,
    votes,
)
from .deadlines import filing_ends
from .lookup import case_by_number, names_of, open_lease, table_case, with_sides
from .powers import powers
from .queues import MyCases, QueueRow, mine, queue
from .result_disputes import EnteredView, entered_of
from .same_act import EarlierCase, earlier
from .viewers import standings

__all__ = [
    "CaseFile",
    "Disputable",
    "MyCases",
    "QueueRow",
    "Waiting",
    "case_by_number",
    "case_file",
    "concerns",
    "disputable",
    "mine",
    "names_of",
    "queue",
    "table_case",
    "waiting_for",
]


@dataclass(frozen=True)
class CaseFile:
    """A case as one reader may see it."""

    case: Case
    sides: tuple[SideView, ...]
    statements: tuple[Statement, ...]
    events: tuple[EventView, ...]
    evidence: tuple[EvidenceView, ...]
    lease: Lease | None
    deadlines: tuple[Deadline, ...]  # the open ones
    rulings: tuple[PublishedRuling, ...]  # the latest first
    appeals: tuple[Appeal, ...]
    panel: tuple[PanelSeat, ...]  # the present members
    votes: tuple[VoteView, ...]
    may: frozenset[str]  # what the reader can do now (see `powers`)
    conflict: Text  # the reader's conflict of interest in a sentence, or ""
    role: str  # "party", "referee", "panel", "organiser" or "reader"
    viewer_side: int | None  # the reader's own position, or None
    replay_url: str  # at which the reader sees the position again, or ""
    title: str = ""  # the names of the sides
    appealable_until: datetime | None = None
    reply_until: datetime | None = None  # until when the reader's side may reply to an appeal
    in_force: Ruling | None = None
    earlier: tuple[EarlierCase, ...] = ()  # other cases about the same plays, for those who judge
    proposal: Proposal | None = None  # for the first signer and those who may sign second
    entered: EnteredView | None = None  # the result that people entered, of a case about one
    reviewed_by: tuple[Case, ...] = field(default=())  # re-examinations of this case


def case_file(case: Case, viewer: Player | None) -> CaseFile:
    """Return the case as `viewer` may see it. Raises NotThere for strangers, who read ruled cases in the book."""
    if viewer is None or not can(viewer, "case.see", case):
        raise NotThere
    case = with_sides(Case.objects.filter(pk=case.pk)).get()
    known = standings(viewer, [case])[case.pk]
    side = known.side
    judges = known.referees and not known.grounds
    hush(case, viewer, judges=judges)
    lease = open_lease(case)
    url = seen_again(case, viewer, lease.referee_id if lease is not None else None)
    may = powers(case, viewer, known)
    reads = "countersign" in may or known.proposer == viewer.pk
    # Those whom a ruling touches read its texts, the table only when it no longer plays.
    texts = judges or not game_running(case)
    book = view(case, texts=texts) if case.state in cases.RULED else None
    return CaseFile(
        case=case,
        sides=sides(case),
        statements=statements(case, viewer, side, holds=judges and known.holder == viewer.pk),
        events=events(case, viewer, side),
        evidence=evidence(case, url),
        lease=lease,
        deadlines=tuple(case.deadlines.filter(done_at__isnull=True)),
        rulings=book.rulings if book is not None else (),
        appeals=tuple(case.appeals.select_related("by")),
        panel=tuple(case.panel.select_related("member").filter(left_at__isnull=True)),
        votes=votes(case, viewer),
        may=may,
        conflict=conflicts.sentence(known.grounds),
        role=_role(case, viewer, side),
        viewer_side=side,
        replay_url=url,
        title=" – ".join(names_of(case)),
        appealable_until=known.appeal_ends,
        reply_until=known.reply_ends,
        in_force=case.rulings.filter(superseded_by__isnull=True, confirms__isnull=True).last(),
        entered=entered_of(case),
        reviewed_by=tuple(case.reviewed_by.all()),
        earlier=earlier(case) if side is None else (),
        proposal=proposal_of(case) if reads and side is None else None,
    )


@dataclass(frozen=True)
class Disputable:
    """Whether a player may dispute a game now."""

    possible: bool
    until: datetime | None = None  # when the time to file ends; None for "running", "stranger" and "competition"
    reason: str = ""  # why not: "running", "stranger", "over", "competition" or "open"
    open_case: Case | None = None
    own: bool = False  # whether the player's side has opened it, so that more about the same act is added to it


def disputable(game: Game, player: Player | None) -> Disputable:
    """Return whether `player` may dispute `game` now, and until when."""
    match = Match.objects.select_related("competition__regulations").filter(table=game.table_id).first()
    if match is None or match.competition.state in (Competition.State.ARCHIVED, Competition.State.CANCELLED):
        return Disputable(False, reason="competition")
    side = position_of(player, Case(match=match)) if player is not None else None
    if player is None or not can(player, "case.file", game) or side is None:
        return Disputable(False, reason="stranger")
    if game.state != Game.State.OVER:
        return Disputable(False, reason="running")
    until = filing_ends(match)
    other = Case.objects.filter(match=match, origin=Case.Origin.DISPUTE, state__in=sorted(cases.PENDING)).first()
    if other is not None:
        return Disputable(False, until, "open", other, own=other.side == side and clock.now() <= until)
    return Disputable(True, until) if clock.now() <= until else Disputable(False, until, "over")


def _role(case: Case, viewer: Player, side: int | None) -> str:
    if side is not None:
        return "party"
    if PanelSeat.objects.filter(panel_usable(), case=case, member=viewer, left_at__isnull=True).exists():
        return "panel"
    if referees(viewer, case.competition):
        return "referee"
    return "organiser" if can(viewer, "competition.organise", case.competition) else "reader"
