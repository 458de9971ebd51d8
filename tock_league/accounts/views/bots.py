"""Pages of the own bot accounts: make one, make and revoke its tokens, close it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.http import add_refusal

from .. import bot_accounts as bots
from .. import tokens
from ..forms import BotForm, TokenForm
from ..models import Player
from ..selectors import player_of
from ..staff import fresh_sign_in


def _owner(request: HttpRequest) -> Player:
    person = player_of(request)
    if person is None:
        raise NotAllowed(needed="player")
    return person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """List the own bot accounts, and make one."""
    owner = _owner(request)
    form = BotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = bots.make(by=owner, name=form.cleaned_data["name"])
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("%(name)s is made. Now its token.") % {"name": made.player.display_name})
            return redirect("accounts:bot", slug=made.player.slug)
    context = {"form": form, "accounts": bots.of(owner), "most": bots.MOST}
    return render(request, "accounts/bots.html", context, status=422 if request.method == "POST" else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_sign_in
def one(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot account with its tokens, and make one. Its secret is in this one answer and nowhere else."""
    owner = _owner(request)
    account = bots.own(owner, slug)
    user = account.player.user
    most = tokens.longest_days(user) if user is not None else tokens.LONGEST_DAYS
    first = {"scopes": list(bots.SCOPES)}
    form = TokenForm(request.POST or None, most=most, scopes=bots.SCOPES, initial=first)
    made, status = None, 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = bots.make_token(by=owner, slug=slug, **form.cleaned_data)
                form, status = TokenForm(most=most, scopes=bots.SCOPES, initial=first), 200
            except Refused as error:
                add_refusal(form, error)
    context = {
        "account": account,
        "bot": account.player,
        "form": form,
        "made": made,
        "tokens": tokens.of(user) if user is not None else (),
        "now": clock.now(),
    }
    return render(request, "accounts/bot.html", context, status=status)


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a bot account for good."""
    account = bots.close(by=_owner(request), slug=slug)
    messages.success(request, _("%(name)s plays no more.") % {"name": account.player.display_name})
    return redirect("accounts:bots")


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a token of a bot account out of force."""
    token = bots.revoke_token(by=_owner(request), slug=slug, pk=pk)
    messages.success(request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("accounts:bot", slug=slug)
