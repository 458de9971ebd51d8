"""Who looks after a tournament: organisers and referees are named here, and their offices end here."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.clubs.forms import SearchForm
from tock_league.common.errors import NotThere, Refused

from ..forms.desk import RoleEndForm, RoleForm
from ..models import Competition, CompetitionRole
from ..selectors.seasons import competitions, offices
from ..services.seasons import roles


@login_required
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Organisers and referees of one competition, and the search for more."""
    return _page(request, competitions.get(slug, player_of(request)))


def _page(request: HttpRequest, found: Competition, **more: Any) -> HttpResponse:
    person = player_of(request)
    require(person, "competition.organise", found, needed="organiser")
    search = SearchForm(request.GET)
    query = search.cleaned_data["q"].strip() if search.is_valid() else ""
    names = [
        (name, label)
        for name, label in CompetitionRole.Name.choices
        if can(person, "competition.give_role", (found, name))
    ]
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": True,
        "offices": offices.offices(found),
        "search": search,
        "query": query,
        "candidates": offices.candidates(found, query) if query else [],
        "names": names,
        "may_give": {name for name, _label in names},
        **more,
    }
    return render(request, "competitions/people.html", context, status=422 if "error" in more else 200)


@require_POST
@login_required
@fresh_sign_in
def give_role(request: HttpRequest, slug: str) -> HttpResponse:
    """Name somebody to an office."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    form = RoleForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused("competition_role_name", _("Choose a player and an office."), field="name")
        player = player_by_slug(form.cleaned_data["player"])
        role = roles.give(by=person, competition=found, player=player, name=form.cleaned_data["name"])
    except Refused as error:
        if error.status != 422:
            raise
        return _page(request, found, error=error)
    messages.success(
        request,
        _("%(player)s: %(office)s.") % {"player": player.display_name, "office": role.get_name_display()},
    )
    return redirect("competitions:people", slug=slug)


@require_POST
@login_required
@fresh_sign_in
def end_role(request: HttpRequest, slug: str) -> HttpResponse:
    """End an office."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    form = RoleEndForm(request.POST)
    held = CompetitionRole.objects.filter(competition=found)
    role = held.filter(pk=form.cleaned_data["role"]).first() if form.is_valid() else None
    if role is None:
        raise NotThere
    roles.end(by=person, role=role)
    return redirect("competitions:people", slug=slug)
