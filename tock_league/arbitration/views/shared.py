"""Helpers of the case pages: the lookup, and the page with every form that its reader may use."""

from collections.abc import Callable
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal

from ..forms import (
    AppealForm,
    DecisionForm,
    DismissForm,
    EscalateForm,
    OutsiderForm,
    ReasonForm,
    ReviewForm,
    SeatForm,
    SecondForm,
    StatementForm,
    UpholdForm,
    VoteForm,
)
from ..models import Case, Vote
from ..selectors.cases import case_files, game_log
from ..selectors.cases.drafts import drafts_of
from ..selectors.rulings import options
from .kept import attach

# Fields of refusals that have another name in the form.
FIELDS = {"clock_ms": "clock_s", "referee": "player", "grounds": "grounds"}


def find(number: str) -> Case:
    """Return the case of that number. Raises NotThere."""
    case = case_files.case_by_number(number)
    if case is None:
        raise NotThere
    return case


def freshly(act: Callable[[], Any]) -> Any:
    """Return the value of `act`; where it asks for a fresh sign-in, let the person sign in and continue.

    allauth keeps the request with everything that was typed, asks for the password, and then sends the request again.
    """
    try:
        return act()
    except Refused as error:
        if error.code == "sign_in_again":
            raise ReauthenticationRequired from error
        raise


def attempt(form: Form, act: Callable[[], Any]) -> Any:
    """Return the value of `act`, True in place of None; on a refusal, add it to `form` and return None.

    NotThere and NotAllowed are raised, because they have pages of their own; a missing right that concerns one field,
    such as the head referee's penalty, is shown at that field. Where another case has decided or will decide the same,
    the form gets the refusal as `known_case`.
    """
    try:
        return freshly(act) or True
    except Refused as error:
        error.field = FIELDS.get(error.field or "", error.field)
        if error.field == "sheet":
            error.field = getattr(form, "first_of_sheet", error.field)
        if error.status == 404 or (error.status == 403 and error.field not in form.fields):
            raise
        add_refusal(form, error)
        if error.code in ("act_decided", "case_open") and "number" in error.details:
            form.known_case = error  # type: ignore[attr-defined]  # read by _faults.html
        return None


def case_page(
    request: HttpRequest, case: Case, *, status: int = 200, preview: Any = None, **bound: Form
) -> HttpResponse:
    """Return the page of a case. `bound`: invalid forms, by their names; `preview`: of the decision."""
    viewer = player_of(request)
    file = case_files.case_file(case, viewer)
    forms = {**_forms(file, viewer), **bound}
    slots = attach(file.case, viewer, forms)
    context = {
        "file": file,
        "case": file.case,
        "competition": file.case.competition,
        "viewer": viewer,
        "preview": preview,
        "log": game_log.log_of(file.case, judges=file.role in ("referee", "panel")),
        "step": _step(file, preview),
        "options": options.options(file.case, viewer) if preview is not None or file.proposal is not None else None,
        "restored": [slot for slot in slots if slot.restored],
        "draft_kept": "decision_form" not in forms and "decision" in drafts_of(viewer, file.case),
        **forms,
    }
    return render(request, "arbitration/case.html", context, status=status)


def _forms(file: Any, viewer: Any) -> dict[str, Form]:
    """Return an empty form for each action that the reader may take."""
    may = file.may
    found: dict[str, Form] = {}
    plain = {
        "answer": StatementForm,
        "add": StatementForm,
        "recuse": ReasonForm,
        "escalate": EscalateForm,
        "disagree": ReasonForm,
        "refuse": ReasonForm,
        "appeal": AppealForm,
        "reply": StatementForm,
        "vote": VoteForm,
        "name_outsider": OutsiderForm,
        "review": ReviewForm,
    }
    for name, form in plain.items():
        if name in may:
            found[f"{name}_form"] = form(auto_id=f"{name}-%s")
    if "dismiss" in may:
        found["dismiss_form"] = DismissForm(initial={"about": file.case.kind}, auto_id="dismiss-%s")
    if "countersign" in may:
        found["second_form"] = SecondForm()
    stands = [vote.choice for vote in file.votes].count(Vote.Choice.UPHOLD) > len(file.votes) // 2
    if "panel_rule" in may and stands:
        found["uphold_form"] = UpholdForm(auto_id="uphold-%s")
    elif "rule" in may or "panel_rule" in may:
        found["decision_form"] = DecisionForm(options=options.options(file.case, viewer))
    if "view_seat" in may:
        found["seat_form"] = SeatForm(seats=seats_of(options.options(file.case, viewer)), auto_id="seat-%s")
    return found


def seats_of(offered: Any) -> list[tuple[int, str]]:
    """Return (seat, name) of the players who sit at the table, in order of seats."""
    return sorted((player.seat, player.name) for player in offered.players if player.seat is not None)


STEPS = ("call", "evidence", "decision", "signature", "notice")


def _step(file: Any, preview: Any) -> int:
    """Return the index of the case's step on its page's line of five steps, from 0."""
    if file.rulings or file.case.state in ("inadmissible", "withdrawn"):
        return len(STEPS) - 1
    if preview is not None or file.case.state == "triage":
        return STEPS.index("signature")
    if "rule" in file.may:
        return STEPS.index("decision")
    return STEPS.index("evidence") if file.lease is not None or file.case.heard else STEPS.index("call")
