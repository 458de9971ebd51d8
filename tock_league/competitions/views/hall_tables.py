"""The tables of the hall: their list, and which match is played where."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import valid

from ..forms.hall_tables import KeepForm, PutForm, RemoveForm, TablesForm
from ..models import Competition, Entry
from ..selectors.entries.registration import GONE
from ..selectors.rounds.hall import hall
from ..selectors.seasons import competitions
from ..services.rounds import placing
from ..services.seasons import hall_tables


@login_required
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables, and change the list or a match's table."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.desk", found, needed="organiser")
    entries = Entry.objects.filter(competition=found).exclude(state__in=GONE).select_related("team", "player")
    act = request.POST.get("act", "")
    form = TablesForm(request.POST if act == "list" else None, entries=list(entries.order_by("team__name", "pk")))
    error: Refused | None = None
    if request.method == "POST":
        try:
            _do(request, person, found, act, form)
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            return redirect("competitions:hall_tables", slug=slug)
    organiser = can(person, "competition.organise", found)
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": organiser,
        "hall": hall(found),
        "form": form if organiser else None,
        "error": error,
    }
    return render(request, "competitions/hall_tables.html", context, status=error.status if error else 200)


def _do(request: HttpRequest, person: Player | None, found: Competition, act: str, form: TablesForm) -> None:
    if act == "list":
        chosen: dict[str, Any] = valid(form)
        wanted = {key: chosen[key] for key in ("first", "last", "room", "accessible", "for_finals", "entry")}
        hall_tables.put_tables(by=person, competition=found, **wanted)
    elif act == "remove":
        number = valid(RemoveForm(request.POST))["number"]
        hall_tables.remove_table(by=person, competition=found, number=number)
    elif act == "keep":
        keep = valid(KeepForm(request.POST))["keep"] == "yes"
        hall_tables.keep_tables(by=person, competition=found, keep=keep)
    else:
        chosen = valid(PutForm(request.POST))
        match = found.matches.filter(slug=chosen["match"]).first()
        if match is None:
            raise NotThere
        placing.put(by=person, match=match, number=chosen["table"])
