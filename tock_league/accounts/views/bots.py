"""Pages of the own bot accounts: make one, make and revoke its tokens, close it."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.common.http import add_refusal

from .. import bot_accounts as bots
from ..forms import BotForm
from ..models import Player
from ..selectors import player_of
from ..staff import fresh_sign_in
from .tokens import tokens_page


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
    if account.player.user is None:
        raise NotThere
    return tokens_page(
        request,
        "accounts/bot.html",
        account.player.user,
        partial(bots.make_token, by=owner, slug=slug),
        scopes=bots.SCOPES,
        chosen=bots.SCOPES,
        account=account,
        bot=account.player,
    )


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
