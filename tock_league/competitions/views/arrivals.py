"""Check-in: the desk's list with its filter, and the page to which the code of a badge or of the poster leads."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.codes import code_of
from tock_league.common.errors import Refused, Text
from tock_league.common.room import absolute_for_phones

from ..forms.entries import ArrivalsForm
from ..models import Competition, Entry
from ..selectors.entries import arrivals
from ..selectors.seasons import competitions, next_step
from ..services.entries import checkin
from .registration import back, visible_entry


@require_safe
@login_required
def check_in_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who may check in, with a filter for names and codes."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.desk", found, needed="organiser")
    form = ArrivalsForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    words, missing = chosen.get("q", ""), chosen.get("show") == "missing"
    closed = _closed(found, person)
    every = arrivals.arrivals(found) if not closed else []
    shown = arrivals.arrivals(found, words, missing=missing) if (words or missing) and not closed else every
    organiser = can(person, "competition.organise", found)
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": organiser,
        "form": form,
        "words": words,
        "only_missing": missing,
        "views": shown,
        "here": sum(view.entry.state == Entry.State.CHECKED_IN for view in every),
        "all": len(every),
        "may": {spot.player.pk for view in shown for spot in view.spots},
        "closed": closed,
        "told": _about_code(found, words, person) if not shown and words else "",
        "step": next_step.next_step(found, person) if organiser and found.is_planned else None,
        "address": request.get_full_path(),
    }
    return render(request, "competitions/check_in.html", context)


def _closed(found: Competition, person: Person) -> Text:
    """Return why nobody can be checked in now, "" when somebody can."""
    try:
        checkin.in_time(found, organiser=can(person, "competition.organise", found))
    except Refused as error:
        return error.sentence
    return ""


def _about_code(found: Competition, words: str, person: Person) -> str:
    """Return what to say of a scanned code that is none of this event, "" for names."""
    code = arrivals.scanned(words)
    if code is None:
        return ""
    if code.event and code.event != found.slug:
        event = arrivals.event_of(code, person)
        if event is None:
            return _("This is the code of an event that is not here.")
        return _("This is the code of another event: %(event)s.") % {"event": event.name}
    return _("Whoever has this code is in no team of this event.")


@require_POST
@login_required
def check_in_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Check a whole team in."""
    view = visible_entry(request, slug)
    checkin.check_in_team(by=player_of(request), entry=view.entry)
    messages.success(request, _("%(team)s is here.") % {"team": view.name})
    return back(request, "competitions:entry", slug)


@require_safe
@login_required
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead a player from the poster's code to the page that says "I am here"."""
    person = player_of(request)
    found = competitions.get(slug, person)
    if person is None:
        return redirect("competitions:competition", slug=found.slug)
    return redirect("competitions:here", slug=found.slug, player=person.slug)


@require_safe
def here(request: HttpRequest, slug: str, player: str) -> HttpResponse:
    """Show what the code of a badge is for: to check its player in, for the desk and the player; else the player's page.

    Reading it changes nothing: phones open addresses on their own.
    """
    person = player_of(request)
    found = competitions.get(slug, person)
    known = arrivals.by_code(player)
    own = person is not None and person.pk == known.pk
    if not own and not can(person, "competition.desk", found) and not arrivals.elsewhere(known, person, but=found):
        return redirect("pages:player", slug=player)
    return render(request, "competitions/here.html", _badge(request, found, known, person, own=own))


def _badge(request: HttpRequest, found: Competition, known: Player, person: Person, *, own: bool) -> dict[str, Any]:
    view = arrivals.spot_in(found, known)
    spot = view.spot_of(known) if view is not None else None
    closed = _closed(found, person)
    may = view is not None and not closed and can(person, "entry.check_in", (view.entry, known))
    desk = can(person, "competition.desk", found)
    address = reverse("competitions:here", args=[found.slug, known.slug])
    return {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": can(person, "competition.organise", found),
        "known": known,
        "own": own,
        "view": view,
        "spot": spot,
        "may": may,
        "desk": desk,
        "others": [one for one in view.spots if one.player.pk != known.pk] if view is not None else [],
        "closed": closed,
        "elsewhere": arrivals.elsewhere(known, person, but=found) if not may else [],
        "address": address,
        "code": code_of(absolute_for_phones(request, address)) if own and may else None,
    }
