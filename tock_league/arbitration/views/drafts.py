"""Saving a draft while it is typed, and discarding it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.selectors import player_of
from tock_league.common import clock, limits
from tock_league.common.http import wants_json

from ..services.cases import drafts
from .kept import case_post, keep
from .shared import find

SAVES = 3000  # by one address in ten minutes: a club's referees share one


@require_POST
def save(request: HttpRequest, number: str) -> HttpResponse:
    """Keep a draft, for the page's script (JSON) or a pressed button. The form's token says whose it is."""
    limits.spend(request, "draft", count=SAVES, seconds=600)
    pressed = not wants_json(request)
    draft = keep(request, find(number), dict(request.POST.lists()), replace=pressed or "draft_replace" in request.POST)
    if not pressed:
        return JsonResponse({"version": draft.version, "saved": clock.ms(draft.saved_at)})
    messages.success(request, _("Your draft is kept."))
    return redirect("arbitration:case", number=number)


@case_post
def discard(request: HttpRequest, number: str, name: str) -> HttpResponse:
    """Delete the reader's own draft of one form."""
    drafts.discard(by=player_of(request), case=find(number), form=name)
    messages.success(request, _("The draft is discarded."))
    return redirect("arbitration:case", number=number)
