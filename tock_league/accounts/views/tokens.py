"""The page of the own access tokens: a new one is shown once, each can be revoked."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from .. import tokens
from ..forms import TokenForm
from ..staff import fresh_sign_in
from .profile import signed_in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def own(request: HttpRequest) -> HttpResponse:
    """Show the own tokens, and make one. Its secret is in this one answer and nowhere else."""
    user = signed_in(request)
    most = tokens.longest_days(user)
    form = TokenForm(request.POST or None, most=most)
    made, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = tokens.make(by=user, **form.cleaned_data)
                form, status = TokenForm(most=most), 200
            except Refused as error:
                add_refusal(form, error)
    context = {"form": form, "made": made, "tokens": tokens.of(user), "now": clock.now()}
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a token out of force."""
    token = tokens.revoke(by=signed_in(request), pk=pk)
    messages.success(request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("accounts:tokens")
