"""The register of incidents: administrators only, after a fresh sign-in."""

from collections.abc import Callable, Mapping
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ask_again
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import selectors, services
from .forms import FactsForm, NoteForm, NoticeForm, OpenForm, RiskForm

View = Callable[..., HttpResponse]
# What can be added to an incident: the form, and the service that writes it.
FORMS: Mapping[str, tuple[type[forms.Form], Callable[..., object]]] = {
    "facts": (FactsForm, services.amend),
    "risk": (RiskForm, services.assess),
    "notice": (NoticeForm, services.give_notice),
    "note": (NoteForm, services.note),
    "closed": (NoteForm, services.close),
}


def kept(view: View) -> View:
    """Decorate a page of the register: for administrators, who have signed in minutes ago, also to read."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        require(player_of(request), "incident.keep", needed="administrator")
        ask_again(request)
        return view(request, *args, **kwargs)

    return never_cache(login_required(guarded))


@kept
def index(request: HttpRequest) -> HttpResponse:
    """Show the register, the newest incident first."""
    return render(request, "incidents/list.html", {"register": selectors.register()})


@kept
def new(request: HttpRequest) -> HttpResponse:
    """Open an incident."""
    form = OpenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.open_incident(by=player_of(request), **form.cleaned_data)
        except Refused as error:
            add_refusal(form, error)
        else:
            return redirect("incidents:one", number=made.number)
    return render(request, "incidents/new.html", {"form": form})


@kept
def one(request: HttpRequest, number: str) -> HttpResponse:
    """Show an incident with its entries, and take a further one."""
    incident = selectors.incident(number)
    kind = request.POST.get("kind", "")
    found = {
        name: form(request.POST if request.method == "POST" and name == kind else None, prefix=name)
        for name, (form, _service) in FORMS.items()
    }
    if kind in found and found[kind].is_valid():
        try:
            FORMS[kind][1](by=player_of(request), incident=incident, **found[kind].cleaned_data)
        except Refused as error:
            add_refusal(found[kind], error)
        else:
            messages.success(request, _("The entry is made."))
            return redirect("incidents:one", number=incident.number)
    told = selectors.told(incident)
    entries = [(entry, selectors.sentence(entry)) for entry in told.entries]
    context = {"told": told, "incident": incident, "entries": entries, "forms": found, "kind": kind}
    return render(request, "incidents/one.html", context)


@require_POST
@kept
def export(request: HttpRequest) -> HttpResponse:
    """Return the register as a file for a spreadsheet; the journal says that it was exported."""
    services.exported(by=player_of(request))
    answer = HttpResponse(selectors.as_csv(selectors.register()), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="incidents.csv"'
    return answer
