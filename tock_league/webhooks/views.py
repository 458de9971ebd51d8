"""The pages of webhooks, for the staff of a club or competition: the list, and each one with its log."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal
from tock_league.competitions.selectors.seasons import competitions

from . import selectors, services
from .forms import KindsForm, WebhookForm
from .selectors import Place


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def of_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the webhooks of a club, and add one."""
    return _list(request, clubs.club(slug))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def of_competition(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the webhooks of a competition, and add one."""
    return _list(request, competitions.get(slug, player_of(request)))


def _list(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the webhooks of a place, and add one, whose secret is in this one answer and nowhere else."""
    person = player_of(request)
    require(person, "webhook.manage", place, needed="organiser")
    form = WebhookForm(request.POST or None, initial={"kinds": ["result.confirmed", "result.corrected"]})
    made, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = services.add(by=person, place=place, **form.cleaned_data)
                form, status = WebhookForm(), 200
            except Refused as error:
                add_refusal(form, error)
    context = {"webhooks": selectors.of_place(place), "form": form, "made": made, "most": services.MOST}
    return render(request, "webhooks/list.html", {**_of(place), **context}, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a webhook with its log, and change its events."""
    person = player_of(request)
    webhook = selectors.own(person, slug)
    form = KindsForm(request.POST or None, initial={"kinds": webhook.kinds})
    if request.method == "POST" and form.is_valid():
        services.change(by=person, slug=slug, kinds=form.cleaned_data["kinds"])
        messages.success(request, _("The events are changed."))
        return redirect("webhooks:one", slug=slug)
    return _page(request, slug, form=form, status=422 if form.errors else 200)


def _page(
    request: HttpRequest, slug: str, *, form: KindsForm | None = None, secret: str = "", status: int = 200
) -> HttpResponse:
    webhook = selectors.own(player_of(request), slug)
    context = {
        "webhook": webhook,
        "form": form or KindsForm(initial={"kinds": webhook.kinds}),
        "log": selectors.log_of(webhook),
        "secret": secret,
    }
    return render(request, "webhooks/one.html", {**_of(selectors.place_of(webhook)), **context}, status=status)


@never_cache
@require_POST
@login_required
@fresh_sign_in
def secret(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a webhook a new secret, which is in this one answer and nowhere else."""
    made = services.renew_secret(by=player_of(request), slug=slug)
    return _page(request, slug, secret=made.secret)


@require_POST
@login_required
def ping(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a ping."""
    services.ping(by=player_of(request), slug=slug)
    messages.success(request, _("A ping is on its way. Its answer appears in the log."))
    return redirect("webhooks:one", slug=slug)


@require_POST
@login_required
def switch(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch a webhook on or off: `to`."""
    if request.POST.get("to") == "on":
        services.switch_on(by=player_of(request), slug=slug)
        messages.success(request, _("The webhook is told events again, from now on."))
    else:
        services.switch_off(by=player_of(request), slug=slug)
        messages.success(request, _("The webhook is told nothing any more."))
    return redirect("webhooks:one", slug=slug)


@require_POST
@login_required
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a webhook with its log."""
    place = services.remove(by=player_of(request), slug=slug)
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks:club" if isinstance(place, Club) else "webhooks:competition", slug=place.slug)


@require_POST
@login_required
def again(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send a delivery again."""
    services.send_again(by=player_of(request), slug=slug, delivery=pk)
    messages.success(request, _("It is sent again."))
    return redirect("webhooks:one", slug=slug)


def _of(place: Place) -> dict[str, object]:
    """Return the place, and the names of its own page and of the page of its webhooks."""
    if isinstance(place, Club):
        return {"place": place, "page": "pages:club", "list_page": "webhooks:club"}
    return {"place": place, "page": "competitions:competition", "list_page": "webhooks:competition"}
