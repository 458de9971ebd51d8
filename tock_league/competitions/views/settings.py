"""Announcing a tournament and changing what it says until the draw."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.selectors import rule_sets
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from ..core.estimate import GAME_MINUTES, Estimate, estimate, minutes_of
from ..forms import EditForm, own_clubs
from ..forms.announcing import FORM_FIELDS, changed, values_of
from ..forms.caps import minutes_before_cap
from ..forms.fields import PLACES
from ..forms.settings import TournamentForm, initial_dates, plan_of, tournament_initial
from ..models import Competition
from ..selectors.seasons import competitions
from ..selectors.seasons.shapes import Shape, shape_of
from ..services.seasons import leagues, tournaments

USUAL_FIELD = 8  # teams that an estimate supposes where places are not limited


@login_required
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Make a tournament on one page; it is a draft until it is announced."""
    person = player_of(request)
    if not own_clubs(person):
        require(None, "competition.create", None, needed="organiser")
    clubs = own_clubs(person)
    first = {"club": clubs[0]} if len(clubs) == 1 else {}
    form = TournamentForm(request.POST or None, by=person, initial=initial_dates() | first)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        chosen = form.cleaned_data
        try:
            made = tournaments.create_tournament(by=person, club=chosen["club"], **values_of(chosen))
        except Refused as error:
            _refused(form, error)
        else:
            messages.success(request, _("%(name)s is a draft. Announce it when it is ready.") % {"name": made.name})
            return redirect("competitions:organise", slug=made.slug)
    return render(request, "competitions/tournament_settings.html", {"form": form, "costs": _costs(form)})


@login_required
def edit_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a tournament before its draw, a league or club night before its calendar."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    if not found.is_planned:
        return _edit_league(request, found)
    form = TournamentForm(request.POST or None, by=person, initial=tournament_initial(found))
    form.fields.pop("club")
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            tournaments.edit(by=person, competition=found, **values_of(form.cleaned_data))
        except Refused as error:
            _refused(form, error)
        else:
            messages.success(request, _("The settings are changed."))
            return redirect("competitions:organise", slug=found.slug)
    context = {"form": form, "competition": found, "costs": _costs(form)}
    return render(request, "competitions/tournament_settings.html", context)


def _edit_league(request: HttpRequest, found: Competition) -> HttpResponse:
    if not may_edit(found):
        return redirect("competitions:organise", slug=found.slug)
    form = EditForm(request.POST or None, competition=found)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        try:
            leagues.edit(
                by=player_of(request),
                competition=found,
                name=chosen["name"],
                size=chosen.get("size"),
                regulations=changed(found, chosen),
                bots_allowed=chosen["bots_allowed"],
                on_paper=PLACES[chosen["place"]].on_paper,
                by_agreement=PLACES[chosen["place"]].by_agreement,
            )
        except Refused as error:
            _refused(form, error)
        else:
            messages.success(request, _("The settings are changed."))
            return redirect("competitions:organise", slug=found.slug)
    context = {
        "form": form,
        "competition": found,
        "tab": "organise",
        "viewer": player_of(request),
        "organiser": True,
    }
    return render(request, "competitions/league_settings.html", context, status=422 if form.errors else 200)


def _refused(form: BaseForm, error: Refused) -> None:
    if error.status in (403, 404):
        raise error
    named = FORM_FIELDS.get(error.field or "", error.field)
    error.field = named if named is None or named in form.fields else error.field
    add_refusal(form, error)


def _costs(form: TournamentForm) -> dict[str, Any] | None:
    """Return matches and hours of what the form says, for the number of places; None while it says nothing playable."""
    values = form.cleaned_data if form.is_bound and form.is_valid() else None
    if values is None:
        if form.is_bound:
            return None
        values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
        for name in ("legs", "best_of_group", "best_of_knockout", "best_of_final"):
            values[name] = int(values[name] or 1)
    teams = values["size"] or USUAL_FIELD
    shape = values["rules"] if isinstance(values["rules"], Shape) else shape_of(values["rules"])
    minutes = GAME_MINUTES
    if shape is not None:
        in_rounds = rule_sets.has_rounds(shape.rules)
        minutes = minutes_of(shape.seats, in_rounds=in_rounds, rounds=values["game_rounds"] or 0)
    minutes = min(minutes, minutes_before_cap(values) or minutes)
    try:
        made: Estimate = estimate(plan_of(values), teams, game_minutes=minutes)
    except ValueError:
        return None
    hours, rest = divmod(made.minutes, 60)
    return {"teams": teams, "made": made, "hours": hours, "minutes": rest // 5 * 5, "game": minutes}


def may_edit(found: Competition) -> bool:
    """Return whether the settings may still change: before the draw or the calendar. One query."""
    return found.state in ("draft", "published", "open", "closed") and not found.stages.exists()
