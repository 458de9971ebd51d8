"""The dispute of a result that people entered, from the page of its match."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.changes.previews import result_words
from tock_league.competitions.selectors.rounds import matches

from ..forms import ResultDisputeForm
from ..selectors.cases import result_disputes as known
from ..services.cases import result_disputes as disputes
from .desk import ADDED, DISPUTES
from .kept import attach, keep_sent
from .shared import attempt


def match_of(slug: str) -> Match:
    """Return the match of that address. Raises NotThere."""
    match = Match.objects.select_related("competition__regulations", "round__group__stage").filter(slug=slug).first()
    if match is None:
        raise NotThere
    return match


@require_http_methods(["GET", "HEAD", "POST"])
def dispute(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form that disputes the result of a match, and file the case. What was typed is kept as a draft."""
    if request.method == "POST":
        keep_sent(request, partial(match_of, slug))
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    viewer = player_of(request)
    view = matches.match_view(slug, viewer)
    match = view.match
    form = ResultDisputeForm()
    if request.method == "POST":
        limits.spend(request, "dispute", count=DISPUTES, seconds=600)
        form = ResultDisputeForm(request.POST)
        if form.is_valid():
            filed = attempt(form, partial(disputes.file, by=viewer, match=match, **form.cleaned_data))
            if filed:
                told = _("Case %(number)s is filed.") if filed.events.count() == 1 else ADDED
                messages.success(request, told % {"number": filed.number})
                return redirect("arbitration:case", number=filed.number)
    asked = known.disputable_result(match, viewer)
    slots = attach(match, viewer, {"dispute_form": form}) if asked.possible or asked.joins else []
    context: dict[str, Any] = {
        "view": view,
        "match": match,
        "asked": asked,
        "how": known.HOW[asked.entered.how] if asked.entered is not None else "",
        "form": form,
        "restored": [slot for slot in slots if slot.restored],
        "result": result_words(view.effective, [side.name for side in view.sides]) if view.is_decided else "",
    }
    return render(request, "arbitration/dispute_result.html", context, status=422 if form.is_bound else 200)
