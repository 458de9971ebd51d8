"""The page of the applications that may act for the person."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.views.profile import signed_in

from .. import selectors, services


@login_required
@require_safe
def permitted(request: HttpRequest) -> HttpResponse:
    """List the applications with access: what each may do, since when, and when it was last used."""
    return render(request, "oauth/accesses.html", {"accesses": selectors.permitted_by(signed_in(request))})


@login_required
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End the access of an application."""
    access = services.end_own(by=signed_in(request), pk=pk)
    messages.success(request, _("%(name)s has no access any more.") % {"name": access.application.name})
    return redirect("oauth:accesses")
