"""What a viewer can do in a case now: the buttons of its page. The services check again when a button is pressed."""

from collections import Counter
from collections.abc import Collection

from tock_league.accounts.models import Player
from tock_league.common import clock

from ...core import cases
from ...core.cases import PANEL
from ...models import Case
from .viewers import Standing, standings


def powers_by_case(viewer: Player, found: Collection[Case]) -> dict[int, frozenset[str]]:
    """Return by case what `viewer` may do, in a fixed number of queries.

    Out of: take renew release rule dismiss second disagree countersign refuse answer add withdraw appeal reply form_panel
    fill_panel vote panel_rule recuse view_seat name_outsider escalate review.
    """
    known = standings(viewer, found)
    return {case.pk: powers(case, viewer, known[case.pk]) for case in found}


def powers(case: Case, viewer: Player, known: Standing) -> frozenset[str]:
    """Return what `viewer` may do in the case, given their standing `known`. No query."""
    return frozenset(_party(case, viewer, known) | _referee(case, viewer, known) | _appeal(case, viewer, known))


def _party(case: Case, viewer: Player, known: Standing) -> set[str]:
    if known.side is None:
        return set()
    may = set()
    if case.state in cases.PENDING:
        again = case.origin == Case.Origin.REVIEW  # both sides answer, and what they said counts as their answer
        if known.said < cases.TEXTS + again:
            may.add("add")
        if not case.heard and not (again and known.said) and known.side != case.side:
            may.add("answer")
        if case.opened_by_id == viewer.pk and case.kind not in (Case.Kind.CONDUCT, Case.Kind.DEAL):
            may.add("withdraw")
    if case.state in cases.APPEAL and known.reply_ends is not None and clock.now() <= known.reply_ends:
        may.add("reply")
    if known.appeal_ends is not None and clock.now() <= known.appeal_ends and not known.appealed:
        may.add("appeal")
    return may


def _referee(case: Case, viewer: Player, known: Standing) -> set[str]:
    may: set[str] = set()
    if not known.referees:
        return may
    found = known.grounds
    if case.state in ("filed", "assigned", "hearing") and not found and known.holder is None:
        may.add("take")
    if known.holder == viewer.pk and not found:
        may |= {"renew", "release", "rule", "dismiss", "escalate"}
        if case.live:
            may.add("view_seat")
    if case.state == "triage" and not found and known.proposer != viewer.pk:
        if known.proposed == "ruling_proposed":
            may |= {"second", "countersign", "refuse"}
        elif not known.playing:
            may |= {"second", "disagree"}
    if case.state in cases.PENDING and "recused" not in found and "party" not in found:
        may.add("recuse")
    if case.state in ("ruled", "final") and known.heads and not (known.reviewed or known.judged or known.on_appeal):
        may.add("review")
    return may


def _appeal(case: Case, viewer: Player, known: Standing) -> set[str]:
    may: set[str] = set()
    sitting, votes = case.state in cases.PANEL_SITS, known.votes
    if known.missing > 0:
        may.add("name_outsider")
    forms = known.organises or (known.heads and not known.author)
    if case.state == "appealed" and forms:
        may.add("form_panel")
    if sitting and forms and known.seated < PANEL:
        may.add("fill_panel")
    if sitting and known.sits and not known.grounds:
        if viewer.pk not in votes:
            may |= {"recuse"} if known.reply_open else {"vote", "recuse"}
        elif len(votes) == PANEL and votes[viewer.pk] == Counter(votes.values()).most_common(1)[0][0]:
            may.add("panel_rule")
    return may
