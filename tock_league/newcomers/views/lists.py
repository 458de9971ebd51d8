"""Pages on which officers and organisers enter people by name: one, or a list with its preview; and the undo."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import Person, can
from tock_league.accounts.selectors import player_of
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club
from tock_league.common import limits
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.entries import registration as registrations
from tock_league.competitions.selectors.entries.late import takes_late_teams

from .. import reading, selectors, services
from ..doubles import Place
from ..forms import CHOICE, ListForm, OneForm
from ..models import NameList
from ..services.lists import may, one_row

TRIES = 120  # lists of an address in an hour: each is parsed and compared with all players
HOUR_S = 3600


@login_required
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's players without an account and its lists; add one player by name."""
    person, found = player_of(request), clubs.club(slug)
    may(person, found)
    form = OneForm(request.POST or None)
    context: dict[str, Any] = {"club": found, "form": form}
    if request.method == "POST" and form.is_valid():
        limits.spend(request, "newcomers", count=TRIES, seconds=HOUR_S)
        name, choice = form.cleaned_data["name"], request.POST.get(f"{CHOICE}2", "")
        try:
            seen = services.preview(by=person, place=found, rows=one_row(name), choices={2: choice})
            context["doubles"] = [one for one in seen.lines if one.is_undecided]
            if not context["doubles"] or seen.faults:
                agreed = form.cleaned_data["agreed"]
                made = services.add_one(by=person, club=found, name=name, agreed=agreed, choice=choice)
                said = _("%(name)s is a member.") if made is not None else _("%(name)s is a member already.")
                messages.success(request, said % {"name": seen.lines[0].line.name})
                return redirect("newcomers:club", slug=found.slug)
        except Refused as error:
            add_refusal(form, error)
    context |= {"people": selectors.newcomers(found), "lists": selectors.lists_of(found)}
    context |= {"may_code": can(person, "club.edit", found)}
    return render(request, "newcomers/club.html", context, status=422 if form.errors else 200)


@login_required
def club_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list for the club, show what it means, and save it when the same is sent again with `save`."""
    person, found = player_of(request), clubs.club(slug)
    may(person, found)
    return _list(request, person, found)


@login_required
def event_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list of visitors' teams for a tournament, as `club_list` does; show who came by lists before."""
    person, found = player_of(request), selectors.event(slug)
    may(person, found)
    return _list(request, person, found)


def _list(request: HttpRequest, person: Person, place: Place) -> HttpResponse:
    form = ListForm(request.POST or None, request.FILES or None)
    is_club = isinstance(place, Club)
    context: dict[str, Any] = {"form": form, "club" if is_club else "competition": place}
    if isinstance(place, Competition):
        context |= {"people": selectors.newcomers(place), "lists": selectors.lists_of(place), "may_code": True}
        context |= {"open": place.state in registrations.BEFORE_START and not registrations.is_drawn(place)}
        context |= {"late": takes_late_teams(place)}
    page = "newcomers/club_list.html" if is_club else "newcomers/event.html"
    if request.method != "POST" or not form.is_valid():
        return render(request, page, context, status=422 if form.errors else 200)
    limits.spend(request, "newcomers", count=TRIES, seconds=HOUR_S)
    try:
        read = reading.read(form.body())
        choices = form.choices()
        seen = services.preview(by=person, place=place, rows=read.rows, choices=choices)
        ready = not seen.faults and not seen.undecided
        if "save" in request.POST and ready:
            agreed = form.cleaned_data["agreed"]
            try:
                made = services.save(by=person, place=place, rows=read.rows, choices=choices, agreed=agreed)
            except Refused as error:
                if error.status == 403:
                    raise
                context["refused"] = error
            else:
                messages.success(request, _saved(seen) if made else _("Everybody on the list is here already."))
                if made is not None and context.get("late"):
                    return redirect(_late_entry(place, made))
                return redirect("newcomers:club" if is_club else "newcomers:event", slug=place.slug)
    except Refused as error:
        if error.status in (403, 429):
            raise
        add_refusal(form, error)
        return render(request, page, context, status=error.status)
    agreed = {"agreed": "on"} if form.cleaned_data["agreed"] else {}
    context |= {
        "form": ListForm({"text": reading.as_text(read.rows), **agreed}),
        "seen": seen,
        "ready": ready,
        "read_as": read.read_as,
    }
    return render(request, page, context, status=422 if "save" in request.POST else 200)


def _late_entry(place: Place, made: NameList) -> str:
    """Return the address where the first team of the list is entered late: its preview."""
    team = selectors.first_team(made)
    query = f"?{urlencode({'team': team.slug})}" if team is not None else ""
    return reverse("competitions:enter_late", args=[place.slug]) + query


def _saved(seen: services.Preview) -> str:
    count = seen.new + seen.joining
    return ngettext(
        "The list is saved: %(count)d player came in.", "The list is saved: %(count)d players came in.", count
    ) % {"count": count}


@require_POST
@login_required
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list back, and say who stays."""
    found = selectors.names_of(slug)
    done = services.undo(by=player_of(request), names=found)
    messages.success(request, _("The list is undone."))
    if done.stay:
        sentence = _("These stay, because they have played, are entered, or have an account: %(names)s.")
        messages.warning(request, sentence % {"names": ", ".join(done.stay)})
    if found.club is not None:
        return redirect("newcomers:club", slug=found.club.slug)
    assert found.competition is not None
    return redirect("newcomers:event", slug=found.competition.slug)
