"""Results that look arranged: for the head referee, after a fresh sign-in. Each view calls a selector or a service."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tock_league.accounts.models import Player
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ask_again
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import services
from .forms import CaseForm, CloseForm
from .selectors import findings
from .services.deciding import decider

View = Callable[..., HttpResponse]


def kept(view: View) -> View:
    """Decorate a page of the watch: for the head referee, who has signed in minutes ago, also to read."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        person = decider(player_of(request))
        ask_again(request)
        return view(request, person, *args, **kwargs)

    return never_cache(login_required(guarded))


@kept
def index(request: HttpRequest, person: Player) -> HttpResponse:
    """List the open findings, and those decided."""
    context = {"open": findings.shown(person), "decided": findings.shown(person, decided=True)}
    return render(request, "integrity/list.html", context)


@kept
def finding(request: HttpRequest, person: Player, number: str) -> HttpResponse:
    """Show a finding with its games; close it, or open a case."""
    found = findings.finding(person, number)
    lines = findings.lines(found)
    games = [(line.source, _choice(line)) for line in lines if line.match]
    deed = request.POST.get("deed", "")
    closing = CloseForm(request.POST if deed == "close" else None, prefix="close")
    opening = CaseForm(request.POST if deed == "case" else None, prefix="case", games=games)
    chosen: Any = {"close": closing, "case": opening}.get(deed)
    if chosen is not None and chosen.is_valid():
        try:
            if deed == "close":
                services.close(by=person, finding=found, **chosen.cleaned_data)
                messages.success(request, _("The finding is closed."))
                return redirect("integrity:list")
            case = services.open_case(by=person, finding=found, **chosen.cleaned_data)
        except Refused as error:
            add_refusal(chosen, error)
        else:
            return redirect("arbitration:case", number=case.number)
    context = {
        "row": findings.row_of(found),
        "finding": found,
        "lines": lines,
        "reason": findings.reason_of(found),
        "closing": closing,
        "opening": opening if games else None,
        "deed": deed,
    }
    return render(request, "integrity/finding.html", context)


def _choice(line: findings.Line) -> str:
    day = formats.date_format(line.at, "j F Y")
    return _("%(day)s, against %(against)s") % {"day": day, "against": line.against}
