"""Announcing a tournament and changing what it says until the draw."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.selectors import rule_sets
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from ..core.corrections import EVENT_S, REPLAY
from ..core.estimate import GAME_MINUTES, Estimate, estimate, minutes_of
from ..core.plan import TournamentPlan
from ..forms import own_clubs
from ..forms.settings import TournamentForm, initial_dates, plan_of, tournament_initial
from ..models import Competition, Regulations
from ..selectors.seasons import competitions
from ..selectors.seasons.shapes import Shape, shape_of
from ..services.seasons import regulations, tournaments

USUAL_FIELD = 8  # teams that an estimate supposes where places are not limited
# Fields of the services that stand under another name in the form; `rounds` there are those of a game.
FORM_FIELDS = {"pause_s": "pause", "plan": None, "best_of": "best_of_group", "rounds": "game_rounds"}


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
            made = tournaments.create_tournament(by=person, club=chosen["club"], **_values(chosen))
        except Refused as error:
            _refused(form, error)
        else:
            messages.success(request, _("%(name)s is a draft. Announce it when it is ready.") % {"name": made.name})
            return redirect("competitions:organise", slug=made.slug)
    return render(request, "competitions/tournament_settings.html", {"form": form, "costs": _costs(form)})


@login_required
def edit_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a tournament before its draw."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    if not found.is_planned:
        return redirect("competitions:organise", slug=slug)
    form = TournamentForm(request.POST or None, by=person, initial=tournament_initial(found))
    form.fields.pop("club")
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            tournaments.edit(by=person, competition=found, **_values(form.cleaned_data))
        except Refused as error:
            _refused(form, error)
        else:
            messages.success(request, _("The settings are changed."))
            return redirect("competitions:organise", slug=found.slug)
    context = {"form": form, "competition": found, "costs": _costs(form)}
    return render(request, "competitions/tournament_settings.html", context)


def _values(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return what the service takes, from the form's cleaned values."""
    same = ("name", "plan", "size", "bots_allowed", "starts_at", "entries_close_at", "check_in_from", "check_in_until")
    return {name: chosen[name] for name in same} | {
        "on_paper": chosen["on_paper"],
        "seeding": chosen["seeding"],
        "regulations": _regulations(chosen),
    }


def _regulations(chosen: dict[str, Any]) -> Regulations:
    plan: TournamentPlan = chosen["plan"]
    return regulations.freeze(
        code=f"tournament-{plan.kind}".replace("_", "-"),
        rules=chosen["rules"].rules,
        seats=chosen["rules"].seats,
        best_of=chosen["best_of_group"],
        rounds=chosen["game_rounds"],
        clocks=regulations.STANDARD_CLOCKS if chosen["clocks"] else None,
        tiebreaks=plan.tiebreaks,
        referee_wait_s=chosen["referee_wait"],
        correction_s=None if chosen["correction"] == EVENT_S else chosen["correction"],
        later=chosen["later"] or REPLAY,
    )


def _refused(form: TournamentForm, error: Refused) -> None:
    if error.status in (403, 404):
        raise error
    error.field = FORM_FIELDS.get(error.field or "", error.field)
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
    try:
        made: Estimate = estimate(plan_of(values), teams, game_minutes=minutes)
    except ValueError:
        return None
    hours, rest = divmod(made.minutes, 60)
    return {"teams": teams, "made": made, "hours": hours, "minutes": rest // 5 * 5, "game": minutes}


def may_edit(found: Competition) -> bool:
    """Return whether the settings may still change: before the draw."""
    return found.is_planned and found.state in ("draft", "published", "open", "closed") and not found.stages.exists()
