"""The hall's page for the desk: clock, announcements, screens, links of teams."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.permissions import Person, can, require
from tock_league.accounts.selectors import player_of
from tock_league.common import clock as time
from tock_league.common.errors import Refused
from tock_league.common.http import valid
from tock_league.common.room import absolute_for_phones
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.seasons import competitions

from ..announcements import FACTS
from ..forms import ClockForm, SayForm, ScreenForm, ShowForm
from ..models import RoundClock, Screen
from ..names import LONGEST_S, SHORTEST_S, USUAL_S, VIEWS
from ..selectors import screens as shown
from ..selectors import teams
from ..selectors.clocks import clock_of, usual
from ..selectors.secret import secret_of
from ..services import announcing, clocks, links, screens
from .public import feed_of


def _found(request: HttpRequest, slug: str) -> tuple[Person, Competition]:
    """Return the person asking, who may run the clock, and the event."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "hall.clock", found, needed="organiser")
    return person, found


def _page(request: HttpRequest, person: Person, found: Competition, error: Refused | None = None) -> HttpResponse:
    if error is not None and error.status in (403, 404):
        raise error
    clock = clock_of(found)
    may_set_up = can(person, "hall.set_up", found)
    minutes, call = usual(found)
    context = {
        "competition": found,
        "tab": "hall",
        "viewer": person,
        "organiser": can(person, "competition.organise", found),
        "may_set_up": may_set_up,
        "error": error,
        "clock": clock,
        "minutes": clock.minutes or minutes,
        "calls": RoundClock.Call.choices,
        "call": clock.call_code or call,
        "said": shown.announced(found),
        "screens": [_screen(request, found, row) for row in shown.screens_of(found)],
        "wall": absolute_for_phones(request, reverse("hall:wall", args=[found.slug])),
        "views": VIEWS,
        "new_screen": _choices({}),
        "themes": Screen.Theme.choices,
        "least": SHORTEST_S,
        "most": LONGEST_S,
        "links": _links(request, found) if may_set_up else [],
        "now_ms": time.now_ms(),
        "feed": feed_of(found),
        "kinds": FACTS,
    }
    response = render(request, "hall/hall.html", context, status=error.status if error is not None else 200)
    response["Cache-Control"] = "no-store"  # it shows the secret links
    return response


def _screen(request: HttpRequest, found: Competition, row: Screen) -> dict[str, Any]:
    address = absolute_for_phones(request, reverse("hall:screen", args=[found.slug, row.number]))
    return {"row": row, "address": address, "choices": _choices({str(view): int(s) for view, s in row.turns})}


def _choices(turns: dict[str, int]) -> list[dict[str, Any]]:
    """Return each view with whether it is shown and for how long; a new screen shows everything."""
    return [
        {"view": view, "name": name, "on": view in turns or not turns, "seconds": turns.get(view, USUAL_S[view])}
        for view, name in VIEWS.items()
    ]


def _links(request: HttpRequest, found: Competition) -> list[dict[str, Any]]:
    made = []
    for line in teams.links_of(found):
        secret = secret_of(line.link) if line.link is not None else ""
        address = absolute_for_phones(request, reverse("hall:team", args=[secret])) if secret else ""
        made.append({"line": line, "address": address})
    return made


@require_safe
@login_required
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page."""
    return _page(request, *_found(request, slug))


@require_POST
@login_required
def press(request: HttpRequest, slug: str) -> HttpResponse:
    """Press a button of the clock; the page that has it is shown again."""
    person, found = _found(request, slug)
    try:
        chosen = valid(ClockForm(request.POST))
        clocks.press(
            chosen["deed"],
            by=person,
            competition=found,
            seen=chosen["seen"],
            minutes=chosen["minutes"],
            call=chosen["call"],
            table=chosen["table"],
        )
    except Refused as error:
        return _page(request, person, found, error)
    return _back(slug, "clock")


@require_POST
@login_required
def say(request: HttpRequest, slug: str) -> HttpResponse:
    """Announce a sentence to everybody."""
    person, found = _found(request, slug)
    require(person, "hall.set_up", found, needed="organiser")  # before the form is read
    try:
        announcing.announce(by=person, competition=found, text=valid(SayForm(request.POST))["text"])
    except Refused as error:
        return _page(request, person, found, error)
    return _back(slug, "said")


@require_POST
@login_required
def say_no_more(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the sentence away."""
    person, found = _found(request, slug)
    announcing.end(by=person, competition=found)
    return _back(slug, "said")


@require_POST
@login_required
def add_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a screen."""
    person, found = _found(request, slug)
    require(person, "hall.set_up", found, needed="organiser")
    form = ScreenForm(request.POST)
    try:
        chosen = valid(form)
        screens.add(by=person, competition=found, name=chosen["name"], turns=form.turns(), theme=chosen["theme"])
    except Refused as error:
        return _page(request, person, found, error)
    return _back(slug, "screens")


@require_POST
@login_required
def change_screen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change what a screen shows."""
    person, found = _found(request, slug)
    require(person, "hall.set_up", found, needed="organiser")
    form = ScreenForm(request.POST)
    try:
        chosen = valid(form)
        screens.change(
            by=person, competition=found, number=number, name=chosen["name"], turns=form.turns(), theme=chosen["theme"]
        )
    except Refused as error:
        return _page(request, person, found, error)
    return _back(slug, "screens")


@require_POST
@login_required
def show(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let a screen show one view at once, or its views in turn."""
    person, found = _found(request, slug)
    require(person, "hall.set_up", found, needed="organiser")
    screens.show(by=person, competition=found, number=number, view=valid(ShowForm(request.POST))["view"])
    return _back(slug, "screens")


@require_POST
@login_required
def remove_screen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Remove a screen."""
    person, found = _found(request, slug)
    screens.remove(by=person, competition=found, number=number)
    return _back(slug, "screens")


@require_POST
@login_required
def make_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the links that are missing."""
    person, found = _found(request, slug)
    made = links.make(by=person, competition=found)
    text = ngettext("%(count)s link is made.", "%(count)s links are made.", made) % {"count": made}
    messages.success(request, text)
    return _back(slug, "links")


@require_POST
@login_required
def stop_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete all links."""
    person, found = _found(request, slug)
    links.stop(by=person, competition=found)
    messages.success(request, _("The links do not work any more."))
    return _back(slug, "links")


@require_POST
@login_required
def renew_link(request: HttpRequest, slug: str, entry: str) -> HttpResponse:
    """Replace the link of one team."""
    person, found = _found(request, slug)
    require(person, "hall.set_up", found, needed="organiser")
    links.renew(by=person, entry=get_object_or_404(found.entries, slug=entry))
    messages.success(request, _("Here is the new link. The former one does not work any more."))
    return _back(slug, "links")


def _back(slug: str, part: str) -> HttpResponse:
    return redirect(reverse("hall:hall", args=[slug]) + f"#{part}")
