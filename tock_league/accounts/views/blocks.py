"""The page of the people whom one has blocked, and the two buttons."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import blocks
from ..selectors import player as player_by_slug
from ..selectors import player_of


@require_safe
@login_required
def blocked(request: HttpRequest) -> HttpResponse:
    """Show the people whom the reader has blocked."""
    person = player_of(request)
    return render(request, "accounts/blocked.html", {"blocks": blocks.of(person) if person is not None else ()})


@require_POST
@login_required
def block(request: HttpRequest, slug: str) -> HttpResponse:
    """Block somebody."""
    found = player_by_slug(slug)
    blocks.block(by=player_of(request), player=found)
    messages.success(
        request,
        _("You have blocked %(player)s: neither of you can invite or answer the other.")
        % {"player": found.display_name},
    )
    return redirect("accounts:blocked")


@require_POST
@login_required
def unblock(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a block back."""
    found = player_by_slug(slug)
    blocks.unblock(by=player_of(request), player=found)
    messages.success(request, _("%(player)s is no longer blocked.") % {"player": found.display_name})
    return redirect("accounts:blocked")
