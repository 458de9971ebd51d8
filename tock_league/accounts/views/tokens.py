"""The page of the own access tokens: a new one is shown once, each can be revoked."""

from collections.abc import Callable, Collection
from functools import partial

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
from ..models import Token, User
from ..staff import fresh_sign_in
from .profile import signed_in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def own(request: HttpRequest) -> HttpResponse:
    """Show the own tokens, and make one. Its secret is in this one answer and nowhere else."""
    user = signed_in(request)
    return tokens_page(request, "accounts/tokens.html", user, partial(tokens.make, by=user))


def tokens_page(
    request: HttpRequest,
    template: str,
    user: User,
    make: Callable[..., tokens.Made],
    *,
    scopes: Collection[str] = Token.Scope.values,
    chosen: Collection[str] = (Token.Scope.READ,),
    **more: object,
) -> HttpResponse:
    """Return the page of a login's tokens, after making one by `make` where the request posts the form.

    `scopes`: those that the form offers, `chosen`: those that are ticked at first. `more`: further context of the template.
    """
    empty = partial(TokenForm, most=tokens.longest_days(user), scopes=scopes, initial={"scopes": list(chosen)})
    form, made = empty(request.POST or None), None
    if form.is_valid():
        try:
            made = make(**form.cleaned_data)
            form = empty()
        except Refused as error:
            add_refusal(form, error)
    context = {"form": form, "made": made, "tokens": tokens.of(user), "now": clock.now(), **more}
    refused = request.method == "POST" and made is None
    return render(request, template, context, status=422 if refused else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a token out of force."""
    token = tokens.revoke(by=signed_in(request), pk=pk)
    messages.success(request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("accounts:tokens")
