"""Open and close the hall of an event."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.accounts.templatetags.people import hour
from tock_league.common import halls
from tock_league.common.bounds import address_of_request
from tock_league.common.http import valid

from ..forms.desk import HallForm
from ..models import Competition
from ..selectors.seasons import competitions
from ..services.seasons import halls as service


def hall_of(found: Competition) -> dict[str, Any]:
    """Return the context of `_hall.html` for the organisers' pages. One query at most."""
    if found.state in service.NOBODY_COMES:
        return {"may_open_hall": False}
    return {"may_open_hall": True, "halls": halls.opened(event=found.slug)}


@require_POST
@login_required
def open_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the address from which this request comes."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")  # before the form is read
    address = address_of_request(request)
    until = service.open_hall(
        by=person, competition=found, address=address, hours=valid(HallForm(request.POST))["hours"]
    )
    messages.success(request, _("The hall is open until %(hour)s.") % {"hour": hour(until)})
    return redirect("competitions:organise", slug=found.slug)


@require_POST
@login_required
def close_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the hall."""
    person = player_of(request)
    found = competitions.get(slug, person)
    service.close_hall(by=person, competition=found)
    messages.success(request, _("The hall is closed."))
    return redirect("competitions:organise", slug=found.slug)
