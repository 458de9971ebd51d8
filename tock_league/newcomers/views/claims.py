"""Pages of the code: an officer makes it, its person claims the player, administrators answer where both have games."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts import selectors as accounts
from tock_league.accounts.models import User
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.clubs.selectors import clubs_of
from tock_league.common import limits
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal, next_address
from tock_league.common.room import absolute_for_phones

from .. import selectors, services
from ..forms import CodeForm
from ..models import Claim
from ..services.claims import shown_by

WRONG_OF_ADDRESS = 30  # wrong codes in an hour: a hall has one address
TRIES_OF_PERSON = 20  # in a day; a claim takes two
HOUR_S = 3600
TOO_MANY = gettext_lazy("You have typed many codes today. Come back tomorrow, or ask your club.")


@require_POST
@never_cache
@login_required
def make_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a new code for a player without an account: once, because only its digest is stored."""
    player = accounts.player(slug)
    code, ends = services.make_code(by=player_of(request), player=player)
    context = {
        "player": player,
        "code": code,
        "ends": ends,
        "link": absolute_for_phones(request, reverse("newcomers:claim")),
    }
    return render(request, "newcomers/code.html", context)


@require_POST
@login_required
def revoke_code(request: HttpRequest, slug: str) -> HttpResponse:
    """End the code of a player."""
    player = accounts.player(slug)
    services.revoke_code(by=player_of(request), player=player)
    messages.success(request, _("The code of %(player)s is ended.") % {"player": player.display_name})
    return redirect(next_address(request) or reverse("pages:player", args=[player.slug]))


@never_cache
@login_required
def claim(request: HttpRequest) -> HttpResponse:
    """Take a code, show whom it means, and claim that player when the code is sent again with `confirm`."""
    user = request.user
    assert isinstance(user, User)
    form = CodeForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        limits.check(request, "claim", count=WRONG_OF_ADDRESS, seconds=HOUR_S)
        limits.spend_of_day(user, "claim", count=TRIES_OF_PERSON, sentence=TOO_MANY)
        code = form.cleaned_data["code"]
        try:
            found = shown_by(code)
            if "confirm" in request.POST:
                return _claimed(request, user, code)
            context |= {"player": found.player, "teams": selectors.teams_of_player(found.player), "code": code}
            context |= {"clubs": clubs_of(found.player)}
        except NotThere as error:
            limits.spend(request, "claim", count=WRONG_OF_ADDRESS, seconds=HOUR_S)
            form.add_error("code", str(error.sentence))
        except Refused as error:
            add_refusal(form, error)
    return render(request, "newcomers/claim.html", context, status=422 if form.errors else 200)


def _claimed(request: HttpRequest, user: User, code: str) -> HttpResponse:
    made = services.claim(user=user, code=code)
    if made.state == Claim.State.ASKED:
        sentence = _("You have games under both names. An administrator looks at both and merges them; you are told.")
        messages.success(request, sentence)
        return redirect(settings.LOGIN_REDIRECT_URL)
    messages.success(request, _("You are %(player)s from now on.") % {"player": made.player.display_name})
    return redirect("pages:player", slug=made.player.slug)


@require_safe
@login_required
def waiting(request: HttpRequest) -> HttpResponse:
    """Show administrators the claims that wait for a merge."""
    require(player_of(request), "player.merge", needed="administrator")
    return render(request, "newcomers/claims.html", {"claims": selectors.claims()})


@require_POST
@login_required
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline a claim."""
    services.decline(by=player_of(request), claim=selectors.claim(pk))
    messages.success(request, _("The claim is declined."))
    return redirect("newcomers:claims")
