"""Pages of the own applications: register one, change it, renew its secret, delete it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tock_league.accounts.models import Player
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.http import add_refusal

from .. import selectors, services
from ..forms import ApplicationForm, NewApplicationForm
from ..models import Application


def _owner(request: HttpRequest) -> Player:
    person = player_of(request)
    if person is None:
        raise NotAllowed(needed="player")
    return person


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def mine(request: HttpRequest) -> HttpResponse:
    """List the own applications, and register one. Its secret is in this one answer and nowhere else."""
    owner = _owner(request)
    form = NewApplicationForm(request.POST or None)
    made, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = services.register(by=owner, **form.values())
                form, status = NewApplicationForm(), 200
            except Refused as error:
                add_refusal(form, error)
    context = {"form": form, "made": made, "applications": selectors.of(owner), "most": services.MOST}
    return render(request, "oauth/applications.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def one(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one of the own applications, and change it."""
    application = selectors.own(_owner(request), slug)
    form = ApplicationForm(request.POST or None, initial=_values(application))
    if request.method == "POST" and form.is_valid():
        try:
            services.change(by=_owner(request), client_id=slug, **form.values())
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("The application is changed."))
            return redirect("oauth:application", slug=slug)
    return _page(request, application, form, status=422 if form.errors else 200)


def _values(application: Application) -> dict[str, str]:
    fields = ("name", "website", "description")
    return {**{name: getattr(application, name) for name in fields}, "redirects": "\n".join(application.redirects)}


def _page(
    request: HttpRequest,
    application: Application,
    form: ApplicationForm,
    *,
    made: services.Made | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"application": application, "form": form, "made": made}
    return render(request, "oauth/application.html", context, status=status)


@never_cache
@require_POST
@login_required
@fresh_sign_in
def secret(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an application a new secret, which is in this one answer and nowhere else."""
    made = services.renew_secret(by=_owner(request), client_id=slug)
    return _page(request, made.application, ApplicationForm(initial=_values(made.application)), made=made)


@require_POST
@login_required
@fresh_sign_in
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete an application."""
    application = selectors.own(_owner(request), slug)
    services.delete(by=_owner(request), client_id=slug)
    messages.success(request, _("%(name)s is deleted.") % {"name": application.name})
    return redirect("oauth:applications")
