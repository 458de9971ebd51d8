"""The page “My data” of the profile: an export of everything, and the erasure."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ask_again, fresh_sign_in
from tock_league.accounts.views.profile import signed_in
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import erasure, export
from .forms import EraseForm


@login_required
@require_GET
def my_data(request: HttpRequest) -> HttpResponse:
    """Show what can be done with the own data, and what is under way."""
    return _page(request, EraseForm(wanted=_wanted(request)))


@login_required
@require_POST
@fresh_sign_in
def ask_export(request: HttpRequest) -> HttpResponse:
    """Have everything gathered by a worker."""
    try:
        export.ask(by=signed_in(request))
    except Refused as error:
        messages.error(request, str(error.sentence))
    else:
        messages.success(request, _("Your data is being gathered. Come back in a few minutes."))
    return redirect("accounts:my_data")


@login_required
@require_GET
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the zip to its person, who has signed in minutes ago."""
    ask_again(request)
    body = export.zip_of(signed_in(request), pk)
    response = HttpResponse(body, content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="tock-league.zip"'
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
@fresh_sign_in
def ask_erasure(request: HttpRequest) -> HttpResponse:
    """Have the own login and player erased, after some days."""
    form = EraseForm(request.POST, wanted=_wanted(request))
    if form.is_valid():
        try:
            erasure.ask(by=signed_in(request), typed=form.cleaned_data["typed"])
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("Your account will be erased. Until then you can change your mind here."))
            return redirect("accounts:my_data")
    return _page(request, form, status=422)


@login_required
@require_POST
def stay(request: HttpRequest) -> HttpResponse:
    """Take the erasure back."""
    if erasure.take_back(by=signed_in(request)):
        messages.success(request, _("Your account stays as it is."))
    return redirect("accounts:my_data")


def _wanted(request: HttpRequest) -> str:
    """Return what confirms an erasure: the name, or the address of a login without a player."""
    player = player_of(request)
    return player.display_name if player is not None else signed_in(request).email


def _page(request: HttpRequest, form: EraseForm, *, status: int = 200) -> HttpResponse:
    user = signed_in(request)
    farewell, last = erasure.farewell_of(user), export.latest(user)
    waits = farewell is None or farewell.postponed_at is not None
    shown = {
        "export": last,
        "may_ask": export.may_ask(last),
        "farewell": farewell,
        "obstacles": erasure.obstacles(user) if waits else [],
        "form": form,
    }
    return render(request, "people/my_data.html", shown, status=status)
