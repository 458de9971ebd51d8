"""The role and past actions of a viewer in cases, and the cases' progress; read in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import is_administrator
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import run_by

from ...core import cases
from ...models import Appeal, Case, CaseEvent, Deadline, Lease, PanelSeat, Ruling, Vote
from ...permissions import headed_by, refereed_by
from ..referees import available, conflicts
from ..rulings.context import running
from .deadlines import appeals_end, span
from .parties import positions


@dataclass(frozen=True, slots=True)
class Standing:
    """The facts from which the powers of one viewer in one case are computed. Players by their ids."""

    grounds: tuple[str, ...]  # the viewer's conflicts of interest
    side: int | None  # the viewer's side of the match, or None
    said: int  # how many statements this side has made; in a re-examination its answer too
    appealed: bool  # whether this side has appealed
    appeal_ends: datetime | None
    reply_ends: datetime | None  # until when this side may reply to the appeal of another one
    reply_open: bool  # whether a side may still reply to an appeal on whose panel the viewer sits
    referees: bool  # offices of the viewer in the competition: referee, head referee, organiser
    heads: bool
    organises: bool
    holder: int | None  # who has the lease
    proposed: str  # what waits for a second referee, of core.cases.PROPOSALS, or ""
    proposer: int | None  # who proposed what waits for a second referee
    playing: bool  # whether the game goes on while a dismissal waits for a second referee
    author: bool  # whether the viewer held or judged the case before, and may not judge the appeal
    reviewed: bool  # whether a re-examination of the case is open
    judged: bool  # whether the viewer ruled the case, or one that it re-examines
    on_appeal: bool  # whether a panel has ruled the case
    seated: int  # how many members the panel has
    sits: bool  # whether the viewer is one of them
    votes: Mapping[int, str]  # by member; empty unless the viewer is one
    missing: int  # how many referees the case lacks


def organised_by(person: Player, competitions: Collection[Competition]) -> set[int]:
    """Return the keys of the competitions that `person` may organise; an administrator may organise all."""
    if is_administrator(person):
        return {competition.pk for competition in competitions}
    return run_by(person, competitions)


def standings(viewer: Player, found: Collection[Case]) -> dict[int, Standing]:
    """Return by case the standing of `viewer`. The number of queries does not depend on the number of cases.

    `found`: with the relations of `lookup.WITH` loaded.
    """
    keys = [case.pk for case in found]
    competitions = {case.competition_id: case.competition for case in found}
    refereed = refereed_by(viewer, competitions)
    headed = headed_by(viewer, competitions)
    organised = organised_by(viewer, competitions.values())
    panel = _panel([case for case in found if case.state in cases.APPEAL | cases.PENDING])
    sitting = {case for case, members in panel.items() if viewer.pk in members}
    judged = [case for case in found if case.competition_id in refereed or case.pk in sitting]
    grounds = conflicts.grounds_by_case(viewer, judged)
    sides = positions(viewer, found)
    again = {case.pk for case in found if case.reviews_id is not None}
    spoken = CaseEvent.objects.filter(case__in=sides, type__in=["stated", "answered", "replied"])
    own = [
        (case, type) for case, type, body in spoken.values_list("case", "type", "body") if body["side"] == sides[case]
    ]
    said = Counter(case for case, type in own if type == "stated" or (type == "answered" and case in again))
    replied = {case for case, type in own if type == "replied"}
    appeals = list(Appeal.objects.filter(case__in=sides).order_by("at").values_list("case", "side", "at"))
    appealed = {(case, side) for case, side, _at in appeals}
    against = {case: at for case, side, at in appeals if side != sides[case] and case not in replied}
    leases = Lease.objects.filter(case__in=keys, ended_at__isnull=True, until__gt=clock.now())
    holders = dict(leases.values_list("case", "referee"))
    in_triage = [case.pk for case in found if case.state == "triage"]
    proposals = CaseEvent.objects.filter(case__in=in_triage, type__in=cases.PROPOSALS).order_by("seq")
    proposed = {
        row.case_id: (row.type, row.actor_id) for row in proposals.only("case", "type", "actor")
    }  # the last wins
    playing = set(Case.objects.filter(running(), pk__in=in_triage).values_list("pk", flat=True))
    reviewed = set(
        Case.objects.filter(reviews__in=keys, state__in=sorted(cases.PENDING)).values_list("reviews", flat=True)
    )
    to_review = [case for case in found if case.competition_id in headed and case.state in ("ruled", "final")]
    judges = conflicts.judges_by_case(to_review)
    on_appeal = set(
        Ruling.objects.filter(case__in=[case.pk for case in to_review], level=2).values_list("case", flat=True)
    )
    votes: dict[int, dict[int, str]] = defaultdict(dict)
    for case, member, choice in Vote.objects.filter(case__in=sitting).values_list("case", "member", "choice"):
        votes[case][member] = choice
    replying = Deadline.objects.filter(case__in=sitting, kind=Deadline.Kind.ANSWER, done_at__isnull=True)
    waiting = set(replying.filter(due_at__gt=clock.now()).values_list("case", flat=True))
    ends = appeals_end(found)
    authors = conflicts.authors_by_case([case for case in found if case.state in cases.APPEAL])
    lacking = available.missing_by_case(
        [
            case
            for case in found
            if case.competition_id in organised and _may_lack(case, len(panel.get(case.pk, frozenset())))
        ]
    )
    return {
        case.pk: Standing(
            grounds=grounds.get(case.pk, ()),
            side=sides.get(case.pk),
            said=said[case.pk],
            appealed=(case.pk, sides.get(case.pk)) in appealed,
            appeal_ends=ends.get(case.pk),
            reply_ends=against[case.pk] + span(case, "answer") if case.pk in against else None,
            reply_open=case.pk in waiting,
            referees=case.competition_id in refereed,
            heads=case.competition_id in headed,
            organises=case.competition_id in organised,
            holder=holders.get(case.pk),
            proposed=proposed.get(case.pk, ("", None))[0],
            proposer=proposed.get(case.pk, ("", None))[1],
            playing=case.pk in playing,
            author=viewer.pk in authors.get(case.pk, ()),
            reviewed=case.pk in reviewed,
            judged=viewer.pk in judges.get(case.pk, ()),
            on_appeal=case.pk in on_appeal,
            seated=len(panel.get(case.pk, frozenset())),
            sits=case.pk in sitting,
            votes=votes.get(case.pk, {}),
            missing=lacking.get(case.pk, 0),
        )
        for case in found
    }


def _panel(found: Collection[Case]) -> dict[int, frozenset[int]]:
    """Return by case the members now in the three places of its panel."""
    seats = PanelSeat.objects.filter(case__in=[case.pk for case in found], place__isnull=False, left_at__isnull=True)
    return conflicts.grouped([case.pk for case in found], seats.values_list("case", "member"))


def _may_lack(case: Case, seated: int) -> bool:
    """Return whether it matters in the case's state that referees are missing."""
    return case.state in ("filed", "triage", "appealed") or (case.state in cases.PANEL_SITS and seated < cases.PANEL)
