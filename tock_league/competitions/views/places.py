"""The deeds about the place of a match: propose, accept, decline, take back, decide."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused

from ..core import places as core
from ..forms import PlaceForm
from ..models import Match
from ..selectors.rounds import matches
from ..services.rounds import places
from .public import match_context


@require_POST
@login_required
def place(request: HttpRequest, slug: str) -> HttpResponse:
    """Do one of the deeds that the page of a match offers."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    if not can(person, "result.report", view.match):
        require(person, "match.place", view.match, needed="captain")
    form, status = PlaceForm(request.POST), 422
    if form.is_valid():
        what = form.cleaned_data["what"]
        try:
            made = places.act(by=person, match=view.match, **form.cleaned_data)
        except Refused as error:
            if error.status in (403, 404):
                raise
            form.add_error(None, str(error.sentence))
            status = error.status
        else:
            messages.success(request, _said(what, made))
            return redirect("competitions:match", slug=slug)
    context = match_context(request, matches.match_view(slug, person), place_form=form)
    return render(request, "competitions/match.html", context, status=status)


def _said(what: str, match: Match) -> str:
    if what == core.DECLINE:
        return _("You have declined; the match stays where it is.")
    if what == core.WITHDRAW:
        return _("Your proposal is taken back.")
    if what == core.PROPOSE and match.place_proposals.filter(state="open").exists():
        return _("The other captain is asked.")
    if match.is_on_board:
        return _("The match is played on a board; the captains enter the result.")
    return _("The match is played at a table of the site.")
