"""What somebody can do in a case now: the buttons of its page. The services decide again when a button is pressed."""

from collections import Counter
from collections.abc import Sequence

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock

from ..core import cases
from ..core.cases import PANEL
from ..models import Appeal, Case, Lease, Vote
from ..permissions import heads, position_of, referees, sits_on
from . import conflicts
from .timing import appeal_ends

STATEMENTS = 3


def powers(case: Case, viewer: Player, found: Sequence[str]) -> frozenset[str]:
    """Answer what `viewer` may do; `found`: the grounds of conflict, if the viewer judges at all.

    Out of: take renew release rule dismiss second answer add withdraw appeal form_panel fill_panel vote panel_rule recuse
    view_seat name_outsider escalate review.
    """
    return frozenset(_party(case, viewer) | _referee(case, viewer, found) | _appeal(case, viewer, found))


def _party(case: Case, viewer: Player) -> set[str]:
    side = position_of(viewer, case)
    if side is None:
        return set()
    may = set()
    if case.state in cases.PENDING:
        said = case.events.filter(type="stated").values_list("body", flat=True)
        if sum(body.get("side") == side for body in said) < STATEMENTS:
            may.add("add")
        if not case.heard and side != case.side:
            may.add("answer")
        if case.opened_by_id == viewer.pk and case.kind not in (Case.Kind.CONDUCT, Case.Kind.DEAL):
            may.add("withdraw")
    ends = appeal_ends(case)
    if ends is not None and clock.now() <= ends and not Appeal.objects.filter(case=case, side=side).exists():
        may.add("appeal")
    return may


def _referee(case: Case, viewer: Player, found: Sequence[str]) -> set[str]:
    may: set[str] = set()
    if not referees(viewer, case.competition):
        return may
    lease = Lease.objects.filter(case=case, ended_at__isnull=True, until__gt=clock.now()).first()
    if case.state in ("filed", "assigned", "hearing") and not found and lease is None:
        may.add("take")
    if lease is not None and lease.referee_id == viewer.pk and not found:
        may |= {"renew", "release", "rule", "dismiss", "escalate"}
        if case.live:
            may.add("view_seat")
    if case.state == "triage" and not found and _proposer(case) != viewer.pk:
        may.add("second")
    if case.state in cases.PENDING and "recused" not in found and "party" not in found:
        may.add("recuse")
    if case.state in ("ruled", "appeal_ruled", "final") and heads(viewer, case.competition):
        open_one = case.reviewed_by.filter(state__in=sorted(cases.PENDING)).exists()
        may |= set() if open_one else {"review"}
    return may


def _proposer(case: Case) -> int | None:
    return case.events.filter(type="dismissal_proposed").order_by("-seq").values_list("actor", flat=True).first()


def _appeal(case: Case, viewer: Player, found: Sequence[str]) -> set[str]:
    may: set[str] = set()
    organises = can(viewer, "case.name_outsider", case)
    if organises and case.state in cases.PENDING | cases.APPEAL:
        vacant = case.state in ("panel_formed", "deliberating") and _seated(case) < PANEL
        if (case.state in ("filed", "appealed") or vacant) and conflicts.missing(case) > 0:
            may.add("name_outsider")
    forms = organises or (heads(viewer, case.competition) and viewer.pk not in conflicts.authors(case))
    if case.state == "appealed" and forms:
        may.add("form_panel")
    if case.state in ("panel_formed", "deliberating") and forms and _seated(case) < PANEL:
        may.add("fill_panel")
    if case.state in ("panel_formed", "deliberating") and sits_on(viewer, case) and not found:
        votes = dict(Vote.objects.filter(case=case).values_list("member", "choice"))
        if viewer.pk not in votes:
            may |= {"vote", "recuse"}
        elif len(votes) == PANEL and votes[viewer.pk] == Counter(votes.values()).most_common(1)[0][0]:
            may.add("panel_rule")
    return may


def _seated(case: Case) -> int:
    return case.panel.filter(place__isnull=False, left_at__isnull=True).count()
