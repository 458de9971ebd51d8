"""Entering a team after the start, and taking that back: what changes is shown before it is done."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal

from ..forms.entries import LateForm
from ..selectors.changes.previews import Preview
from ..selectors.entries import late as selectors
from ..selectors.seasons import competitions
from ..services.entries import late
from .registration import visible_entry


@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the team, and its group where there are several; then see what changes, and enter it."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "entry.late", found, needed="organiser")
    openings = selectors.openings(found)
    if not found.is_planned or not openings:
        raise NotThere
    given = request.POST if request.method == "POST" else request.GET if "team" in request.GET else None
    form = LateForm(given, teams=selectors.teams(found), openings=openings)
    shown: Preview | None = None
    status = 200
    if form.is_bound and form.is_valid():
        team, group = form.cleaned_data["team"], form.cleaned_data["group"]
        try:
            if request.method == "POST":
                digest = request.POST.get("digest", "")
                made = late.enter_late(by=person, competition=found, team=team, group=group, digest=digest)
                messages.success(request, _("%(team)s plays from the next round on.") % {"team": str(made)})
                return redirect("competitions:entry", slug=made.slug)
            shown = late.preview(by=person, competition=found, team=team, group=group)
        except Refused as error:
            if error.status in (403, 404):
                raise
            status = error.status
            add_refusal(form, error)
            if error.code == "preview_moved":
                shown = late.preview(by=person, competition=found, team=team, group=group)
    elif form.is_bound:
        status = 422
    context: dict[str, Any] = {
        "competition": found,
        "form": form,
        "preview": shown,
        "scores": selectors.scores_missed_rounds(openings[0].group),
        "plan": found.tournament_plan,
    }
    return render(request, "competitions/late.html", context, status=status)


@login_required
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a late entry back as long as the team has not been paired."""
    view = visible_entry(request, slug)
    person, entry = player_of(request), view.entry
    shown = late.preview_take_back(by=person, entry=entry)
    error: Refused | None = None
    if request.method == "POST":
        try:
            made = late.take_back(by=person, entry=entry, digest=request.POST.get("digest", ""))
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            messages.success(request, _("The late entry of %(team)s is taken back.") % {"team": view.name})
            return redirect("competitions:organise", slug=made.slug)
    context = {
        "view": view,
        "entry": entry,
        "competition": entry.competition,
        "preview": shown,
        "error": error,
    }
    return render(request, "competitions/late_take_back.html", context, status=error.status if error else 200)
