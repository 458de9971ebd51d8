"""The pages on which an administrator merges two players, or separates them again: what will happen, then the deed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tock_league.accounts import selectors as accounts
from tock_league.accounts.models import Merge, Player
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from . import merging
from .forms import MergeForm, ReasonForm
from .meetings import meetings


@login_required
@fresh_sign_in
def merge(request: HttpRequest, player: str, other: str) -> HttpResponse:
    """Choose who stays, see what will happen, and merge."""
    person = player_of(request)
    require(person, "player.merge", needed="administrator")
    former, kept = _two(player, other, request.GET.get("kept", ""))
    met = meetings(former, kept)
    form = MergeForm(request.POST or None, met=bool(met))
    shown, refused = None, None
    try:
        shown = merging.preview(by=person, former=former, kept=kept)
        if request.method == "POST" and form.is_valid():
            merging.merge(by=person, former=former, kept=kept, **form.cleaned_data)
            messages.success(request, _("%(former)s is merged.") % {"former": former.display_name})
            return redirect("pages:player", slug=kept.slug)
    except Refused as error:
        if form.is_bound:
            add_refusal(form, error)
        else:
            refused = error
    context = {"form": form, "shown": shown, "refused": refused, "met": met, "former": former, "kept": kept}
    return render(request, "people/merge.html", context, status=422 if form.is_bound else 200)


@login_required
@fresh_sign_in
def separate(request: HttpRequest, pk: int) -> HttpResponse:
    """See what a separation gives back, and separate."""
    person = player_of(request)
    require(person, "player.merge", needed="administrator")
    found = get_object_or_404(Merge.objects.select_related("former", "kept"), pk=pk)
    shown = merging.preview_separation(by=person, merge=found)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            merging.separate(by=person, merge=found, reason=form.cleaned_data["reason"])
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("%(former)s is separate again.") % {"former": found.former.display_name})
            return redirect("pages:player", slug=found.former.slug)
    context = {"form": form, "shown": shown, "former": found.former, "kept": found.kept}
    return render(request, "people/separate.html", context, status=422 if form.errors else 200)


def _two(player: str, other: str, kept: str) -> tuple[Player, Player]:
    """Return the player to give up, and the one to keep: `kept`, else the one with a login."""
    one, another = accounts.player(player), accounts.player(other)
    if kept in (one.slug, another.slug):
        return (another, one) if kept == one.slug else (one, another)
    return (another, one) if one.user_id is not None and another.user_id is None else (one, another)
