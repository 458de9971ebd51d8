"""Pages of events held elsewhere: the list, one event, and the import with its preview."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import selectors, services
from .forms import ImportForm

TRIES = 60  # of an address in an hour: a file is parsed and recomputed at each
HOUR_S = 3600


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every imported event."""
    person = player_of(request)
    context = {"events": selectors.listed(), "may_import": bool(person and selectors.importing_clubs(person))}
    return render(request, "imports/list.html", context)


@require_safe
def one(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an imported event: ranks, tables, matches, and where it comes from."""
    found = selectors.event(slug)
    may_remove = can(player_of(request), "competition.create", found.club)
    return render(request, "imports/event.html", {"shown": selectors.shown(found), "may_remove": may_remove})


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Take a file, show what it holds, and save it when the same is sent again with `save`."""
    person = player_of(request)
    if not selectors.importing_clubs(person):
        require(person, "competition.create", None, needed="organiser")
    form = ImportForm(request.POST or None, request.FILES or None, by=person)
    if request.method != "POST" or not form.is_valid():
        return render(request, "imports/new.html", {"form": form})
    limits.spend(request, "import", count=TRIES, seconds=HOUR_S)
    club, body = form.cleaned_data["club"], form.body()
    try:
        if "save" in request.POST:
            made = services.save(by=person, club=club, body=body)
            messages.success(request, _("The event is imported."))
            return redirect("imports:one", slug=made.slug)
        seen = services.preview(by=person, club=club, body=body)
    except Refused as error:
        add_refusal(form, error)
        return render(request, "imports/new.html", {"form": form}, status=error.status)
    again = ImportForm({"club": club.pk, "text": seen.text}, by=person)
    return render(request, "imports/new.html", {"form": again, "shown": selectors.shown(seen.event)})


@require_POST
@login_required
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete an imported event."""
    services.remove(by=player_of(request), event=selectors.event(slug))
    messages.success(request, _("The imported event is removed."))
    return redirect("imports:list")
