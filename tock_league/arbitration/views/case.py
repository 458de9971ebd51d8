"""The pages of a case file, for its parties and referees."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of, signed_in_recently
from tock_league.accounts.staff import ask_again

from ..forms import DismissForm, EscalateForm, OutsiderForm, ReasonForm, ReviewForm, SeatForm, StatementForm
from ..selectors.cases import case_files
from ..selectors.rulings import options
from ..services.appeals import replies, reviews
from ..services.cases import admissibility, disputes
from ..services.referees import leases, outsiders, recusals
from ..services.rulings import countersigning
from .kept import case_post
from .shared import attempt, case_page, find, freshly, seats_of


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Show the reader's own cases: as a party, as a referee, on a panel; what waits for an answer first."""
    viewer = player_of(request)
    context = {"mine": case_files.mine(viewer), "waiting": case_files.waiting_for(viewer)} if viewer is not None else {}
    return render(request, "arbitration/mine.html", context)


@login_required
@require_safe
def case(request: HttpRequest, number: str) -> HttpResponse:
    """Show a case file, as far as the reader may see it."""
    return case_page(request, find(number))


def _back(number: str) -> HttpResponse:
    return redirect("arbitration:case", number=number)


# ---- the parties


@case_post
def answer(request: HttpRequest, number: str) -> HttpResponse:
    """Take the other side's answer."""
    return _said(request, number, "answer", disputes.answer, _("Your answer is in the case file."))


@case_post
def add(request: HttpRequest, number: str) -> HttpResponse:
    """Take a further statement of a side."""
    return _said(request, number, "add", disputes.add, _("Your words are in the case file."))


@case_post
def reply(request: HttpRequest, number: str) -> HttpResponse:
    """Take the other side's reply to an appeal."""
    return _said(request, number, "reply", replies.reply, _("Your reply is in the case file."))


def _said(request: HttpRequest, number: str, what: str, act: Callable[..., object], thanks: str) -> HttpResponse:
    """Pass a side's text to the service `act`; a refusal is shown in its form."""
    found = find(number)
    form = StatementForm(request.POST, auto_id=f"{what}-%s")
    by = player_of(request)
    if form.is_valid() and attempt(form, lambda: act(by=by, case=found, text=form.cleaned_data["text"])):
        messages.success(request, thanks)
        return _back(number)
    return case_page(request, found, status=422, **{f"{what}_form": form})


@case_post
def withdraw(request: HttpRequest, number: str) -> HttpResponse:
    """Withdraw the case, for its opener."""
    disputes.withdraw_case(by=player_of(request), case=find(number))
    messages.success(request, _("The case is taken back."))
    return _back(number)


# ---- the referee


@case_post
def take(request: HttpRequest, number: str) -> HttpResponse:
    """Take the case for five minutes, for a referee."""
    leases.take(by=player_of(request), case=find(number))
    return _back(number)


@case_post
def renew(request: HttpRequest, number: str) -> HttpResponse:
    """Extend the lease by five minutes from now."""
    leases.renew(by=player_of(request), case=find(number))
    return _back(number)


@case_post
def release(request: HttpRequest, number: str) -> HttpResponse:
    """Return the case to the queue."""
    found = find(number)
    leases.release(by=player_of(request), case=found)
    return redirect("arbitration:desk", slug=found.competition.slug)


@case_post
def recuse(request: HttpRequest, number: str) -> HttpResponse:
    """Step aside, for a referee."""
    return _with_reason(request, number, "recuse", recusals.recuse)


@case_post
def escalate(request: HttpRequest, number: str) -> HttpResponse:
    """Hand the case over to the head referee, with the draft of the ruling or without."""
    found, by = find(number), player_of(request)
    form = EscalateForm(request.POST, auto_id="escalate-%s")
    if form.is_valid():
        given = form.cleaned_data
        if attempt(form, lambda: leases.escalate(by=by, case=found, note=given["reason"], draft=given["draft"])):
            return _back(number)
    return case_page(request, found, status=422, escalate_form=form)


@case_post
def dismiss(request: HttpRequest, number: str) -> HttpResponse:
    """Dismiss the case; some kinds need a second referee to agree."""
    found, by = find(number), player_of(request)
    form = DismissForm(request.POST, auto_id="dismiss-%s")
    if form.is_valid():
        act = partial(admissibility.dismiss, by=by, case=found, fresh=signed_in_recently(request))
        if attempt(form, partial(act, **form.cleaned_data)):
            return _back(number)
    return case_page(request, found, status=422, dismiss_form=form)


@case_post
def agree(request: HttpRequest, number: str) -> HttpResponse:
    """Agree with a dismissal, as the second referee."""
    found, fresh = find(number), signed_in_recently(request)
    freshly(partial(admissibility.agree, by=player_of(request), case=found, fresh=fresh))
    return _back(number)


@case_post
def disagree(request: HttpRequest, number: str) -> HttpResponse:
    """Disagree with a dismissal, as the second referee: the case returns to the queue."""
    return _with_reason(request, number, "disagree", admissibility.disagree)


@case_post
def refuse(request: HttpRequest, number: str) -> HttpResponse:
    """Refuse the ruling that waits for a second signature: the case returns to the queue."""
    return _with_reason(request, number, "refuse", countersigning.refuse)


@case_post
def review(request: HttpRequest, number: str) -> HttpResponse:
    """Open the re-examination of a ruled case, for the head referee."""
    found = find(number)
    form = ReviewForm(request.POST, auto_id="review-%s")
    by = player_of(request)
    if form.is_valid():
        opened = attempt(form, lambda: reviews.open_review(by=by, case=found, reason=form.cleaned_data["reason"]))
        if opened:
            return _back(opened.number)
    return case_page(request, found, status=422, review_form=form)


def _with_reason(request: HttpRequest, number: str, name: str, act: Any) -> HttpResponse:
    found = find(number)
    form = ReasonForm(request.POST, auto_id=f"{name}-%s")
    by = player_of(request)
    if form.is_valid() and attempt(form, lambda: act(by=by, case=found, reason=form.cleaned_data["reason"])):
        return _back(number)
    return case_page(request, found, status=422, **{f"{name}_form": form})


@case_post
def seat(request: HttpRequest, number: str) -> HttpResponse:
    """Show the referee one seat's hand, or hide it; both are recorded."""
    found, by = find(number), player_of(request)
    form = SeatForm(request.POST, seats=seats_of(options.options(found, by)), auto_id="seat-%s")
    if form.is_valid() and attempt(form, lambda: leases.view_seat(by=by, case=found, seat=form.cleaned_data["seat"])):
        return _back(number)
    return case_page(request, found, status=422, seat_form=form)


@case_post
def outsider(request: HttpRequest, number: str) -> HttpResponse:
    """Name a referee from outside, for the organiser, when no other is free of conflict."""
    found = find(number)
    form = OutsiderForm(request.POST, auto_id="name_outsider-%s")
    by = player_of(request)
    if can(by, "case.name_outsider", found):
        ask_again(request)
    if form.is_valid():
        given = form.cleaned_data
        if attempt(
            form, lambda: outsiders.name_outsider(by=by, case=found, player=given["player"], reason=given["reason"])
        ):
            messages.success(request, _("%(name)s is named for this case.") % {"name": given["player"]})
            return _back(number)
    return case_page(request, found, status=422, name_outsider_form=form)
