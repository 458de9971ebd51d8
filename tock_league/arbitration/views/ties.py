"""The page on which players and referees declare family ties."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.selectors import player_of
from tock_league.common import limits

from ..forms import TieForm
from ..selectors.referees import ties as reader
from ..services.referees import ties
from .shared import attempt

DECLARATIONS = 20  # sent by one address in ten minutes


@login_required
@require_safe
def family(request: HttpRequest) -> HttpResponse:
    """Show the reader's ties, those to answer first, and the form that declares one."""
    return _page(request, TieForm(by=player_of(request)))


@require_POST
@login_required
def declare(request: HttpRequest) -> HttpResponse:
    """Declare a tie with another player."""
    limits.spend(request, "tie", count=DECLARATIONS, seconds=600)
    by = player_of(request)
    form = TieForm(request.POST, by=by)
    if form.is_valid() and attempt(form, lambda: ties.declare(by=by, other=form.cleaned_data["other"])):
        messages.success(request, _("Your declaration is noted; the other player is asked to confirm it."))
        return redirect("arbitration:family")
    return _page(request, form, status=422)


@require_POST
@login_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or decline a tie that the other declared."""
    by = player_of(request)
    accept = request.POST.get("accept") == "yes"
    ties.answer(by=by, tie=reader.tie_of(by, pk), accept=accept)
    messages.success(request, _("The family tie is confirmed.") if accept else _("The declaration is declined."))
    return redirect("arbitration:family")


@require_POST
@login_required
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a tie, for either of the two."""
    by = player_of(request)
    ties.end(by=by, tie=reader.tie_of(by, pk))
    messages.success(request, _("The family tie is ended."))
    return redirect("arbitration:family")


def _page(request: HttpRequest, form: TieForm, *, status: int = 200) -> HttpResponse:
    viewer = player_of(request)
    found = reader.of_player(viewer) if viewer is not None else []
    return render(request, "arbitration/family.html", {"viewer": viewer, "ties": found, "form": form}, status=status)
