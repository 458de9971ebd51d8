"""The organisers' hand on the draw: a preview of the next round, wishes, places that change, a new seed."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal

from ..forms import draw_by_hand as forms
from ..models import Competition, Entry, PairingWish
from ..selectors.rounds import wishes
from ..selectors.rounds.draw_by_hand import Reach, reach_of
from ..selectors.seasons import competitions
from ..services.rounds import draw_by_hand as service


@login_required
def draw_by_hand(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what may be changed of the draw, and change it."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    reach = reach_of(found)
    bound = _forms(request, reach)
    what = request.POST.get("what", "")
    form = bound.get(what)
    status = 200
    if request.method == "POST":
        if form is None:
            raise NotThere
        status = 422
        if form.is_valid():
            try:
                said = _do(what, found, reach, form, person)
            except Refused as error:
                if error.status in (403, 404):
                    raise
                status = error.status
                add_refusal(form, error)
            else:
                messages.success(request, said)
                return redirect("competitions:draw_by_hand", slug=slug)
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": True,
        "reach": reach,
        "forms": bound,
        "preview": service.preview(by=person, group=reach.group) if reach.group is not None else None,
        "wishes": wishes.in_force(found),
    }
    return render(request, "competitions/draw_by_hand.html", context, status=status)


@require_POST
@login_required
def end_wish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a wish back."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    wish = PairingWish.objects.select_related("competition", "low", "high").filter(pk=pk, competition=found).first()
    if wish is None:
        raise NotThere
    service.take_back(by=person, wish=wish)
    messages.success(request, _("The wish has ended."))
    return redirect("competitions:draw_by_hand", slug=slug)


def _forms(request: HttpRequest, reach: Reach) -> dict[str, Form]:
    """Return the forms that may be used now, by deed; the one that was sent is bound."""

    def data(what: str) -> Any:
        return request.POST if request.POST.get("what") == what else None

    made: dict[str, Form] = {}
    if reach.may_wish:
        made[forms.WISH] = forms.WishForm(data(forms.WISH), entries=reach.entries, prefix=None, auto_id="wish_%s")
    if reach.group is not None:
        made[forms.SWAP_OPPONENTS] = forms.TwoForm(
            data(forms.SWAP_OPPONENTS), entries=reach.entries, auto_id="opponents_%s"
        )
    if reach.may_swap_places:
        made[forms.SWAP_PLACES] = forms.TwoForm(data(forms.SWAP_PLACES), entries=reach.entries, auto_id="places_%s")
    if reach.may_take_new_seed:
        made[forms.NEW_SEED] = forms.SeedForm(data(forms.NEW_SEED), auto_id="seed_%s")
    return made


def _do(what: str, found: Competition, reach: Reach, form: Form, person: Any) -> str:
    chosen: dict[str, Any] = form.cleaned_data
    one: Entry | None = chosen.get("one")
    other: Entry | None = chosen.get("other")
    if what == forms.NEW_SEED:
        seed = service.new_seed(by=person, competition=found, reason=chosen["reason"])
        return _("The new seed is published: %(seed)s") % {"seed": seed}
    assert one is not None
    assert other is not None
    if what == forms.WISH:
        service.wish(by=person, competition=found, kind=chosen["kind"], one=one, other=other, reason=chosen["reason"])
        return _("The next round follows this wish.")
    if what == forms.SWAP_OPPONENTS and reach.group is not None:
        service.swap_opponents(by=person, group=reach.group, one=one, other=other, reason=chosen["reason"])
        return _("The two change places in the next round.")
    service.swap_places(by=person, competition=found, one=one, other=other, reason=chosen["reason"])
    return _("The two have changed places in the draw.")
