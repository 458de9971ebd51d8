"""Preview and signature of rulings, by a referee or a panel. The signature sends the digest of the preview."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tock_league.accounts.selectors import player_of, signed_in_recently

from ..forms import AppealForm, DecisionForm, SecondForm, UpholdForm, VoteForm
from ..models import Case, Ruling
from ..selectors.rulings import options
from ..services.appeals import hearing
from ..services.rulings import countersigning, signing
from .kept import case_post
from .shared import attempt, case_page, find

DIGEST = 64  # hex digits


@case_post
def rule(request: HttpRequest, number: str) -> HttpResponse:
    """Preview a decision, or sign it with the digest of the preview that was read."""
    sign = partial(signing.sign, fresh=signed_in_recently(request))
    return _decide(request, number, preview=signing.preview, sign=sign)


@case_post
def countersign(request: HttpRequest, number: str) -> HttpResponse:
    """Preview the ruling that waits for a second signature, or sign it with the digest of the preview that was read."""
    found, by = find(number), player_of(request)
    form, status = SecondForm(request.POST), 200
    digest = request.POST.get("preview_digest", "")[:DIGEST]
    if request.POST.get("do") == "sign" and digest:
        fresh = signed_in_recently(request)
        act = partial(countersigning.countersign, by=by, case=found, preview_digest=digest, fresh=fresh)
        signed = attempt(form, act)
        if signed:
            return _signed(request, number, signed)
        status = 409
    told = form if status == 200 else SecondForm(request.POST)
    seen = attempt(told, partial(countersigning.preview, by=by, case=found))
    return case_page(request, found, status=422 if seen is None else status, preview=seen, second_form=form)


@case_post
def panel_rule(request: HttpRequest, number: str) -> HttpResponse:
    """Preview or sign the panel's ruling on an appeal; upholding the first ruling needs reasons only."""
    if request.POST.get("do") == "uphold":
        return _uphold(request, number)
    return _decide(request, number, preview=hearing.preview, sign=hearing.rule)


def _uphold(request: HttpRequest, number: str) -> HttpResponse:
    found, by = find(number), player_of(request)
    form = UpholdForm(request.POST, auto_id="uphold-%s")
    if form.is_valid():
        signed = attempt(form, lambda: hearing.rule(by=by, case=found, reasons=form.cleaned_data["reasons"]))
        if signed:
            return _signed(request, number, signed)
    return case_page(request, found, status=422, uphold_form=form)


def _decide(request: HttpRequest, number: str, *, preview: Any, sign: Any) -> HttpResponse:
    found, by = find(number), player_of(request)
    form = DecisionForm(request.POST, options=options.options(found, by))
    if not form.is_valid():
        return case_page(request, found, status=422, decision_form=form)
    decision, status = form.decision(), 200
    digest = request.POST.get("preview_digest", "")[:DIGEST]
    if request.POST.get("do") == "sign" and digest:
        signed = attempt(form, lambda: sign(by=by, case=found, decision=decision, preview_digest=digest))
        if signed:
            return _signed(request, number, signed)
        status = 409
    # The page shows why a signature was refused, beside a preview that may be new.
    told = form if status == 200 else DecisionForm(request.POST, options=form.options)
    seen = attempt(told, lambda: preview(by=by, case=found, decision=decision)) if told.is_valid() else None
    if seen is None:
        return case_page(request, found, status=422, decision_form=form)
    return case_page(request, found, status=status, preview=seen, decision_form=form)


def _signed(request: HttpRequest, number: str, signed: Any) -> HttpResponse:
    if isinstance(signed, Ruling):
        messages.success(request, _("Ruling %(ref)s is signed.") % {"ref": signed.ref})
    else:
        messages.success(
            request, _("Your signature is kept; the ruling takes effect when a second referee has signed.")
        )
    return redirect("arbitration:case", number=number)


@case_post
def appeal(request: HttpRequest, number: str) -> HttpResponse:
    """File a side's appeal."""
    found, by = find(number), player_of(request)
    form = AppealForm(request.POST, auto_id="appeal-%s")
    if form.is_valid():
        given = form.cleaned_data
        if attempt(form, lambda: hearing.appeal(by=by, case=found, grounds=given["grounds"], text=given["text"])):
            messages.success(request, _("The appeal is filed; three other referees will judge it."))
            return redirect("arbitration:case", number=number)
    return case_page(request, found, status=422, appeal_form=form)


@case_post
def panel(request: HttpRequest, number: str) -> HttpResponse:
    """Form the panel of three, or fill a place that has become free."""
    found = find(number)
    act = hearing.form_panel if found.state == Case.State.APPEALED else hearing.fill_panel
    act(by=player_of(request), case=found)
    return redirect("arbitration:case", number=number)


@case_post
def vote(request: HttpRequest, number: str) -> HttpResponse:
    """Take the vote of a panel member."""
    found, by = find(number), player_of(request)
    form = VoteForm(request.POST, auto_id="vote-%s")
    if form.is_valid():
        given = form.cleaned_data
        if attempt(form, lambda: hearing.vote(by=by, case=found, vote=given["vote"], note=given["note"])):
            messages.success(request, _("Your vote is counted."))
            return redirect("arbitration:case", number=number)
    return case_page(request, found, status=422, vote_form=form)
