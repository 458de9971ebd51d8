"""Saving a draft while it is typed, and discarding it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.selectors import player_of
from tock_league.common import clock, limits
from tock_league.common.http import wants_json
from tock_league.competitions.models import Match

from ..models import Case
from ..models.draft import DISPUTE
from ..services.cases import drafts
from .kept import case_post, keep
from .results import match_of
from .shared import find

SAVES = 3000  # by one address in ten minutes: a club's referees share one


@require_POST
def save(request: HttpRequest, number: str) -> HttpResponse:
    """Keep a draft, for the page's script (JSON) or a pressed button. The form's token says whose it is."""
    return _save(request, find(number), reverse("arbitration:case", args=[number]))


@require_POST
def save_dispute(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the draft of a dispute of the result of a match, as `save` does."""
    return _save(request, match_of(slug), reverse("arbitration:dispute_result", args=[slug]))


def _save(request: HttpRequest, case: Case | Match, page: str) -> HttpResponse:
    limits.spend(request, "draft", count=SAVES, seconds=600)
    pressed = not wants_json(request)
    draft = keep(request, case, dict(request.POST.lists()), replace=pressed or "draft_replace" in request.POST)
    if not pressed:
        return JsonResponse({"version": draft.version, "saved": clock.ms(draft.saved_at)})
    messages.success(request, _("Your draft is kept."))
    return redirect(page)


@case_post
def discard(request: HttpRequest, number: str, name: str) -> HttpResponse:
    """Delete the reader's own draft of one form."""
    drafts.discard(by=player_of(request), case=find(number), form=name)
    messages.success(request, _("The draft is discarded."))
    return redirect("arbitration:case", number=number)


@require_POST
@login_required
def discard_dispute(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the reader's own draft of a dispute of the match's result."""
    drafts.discard(by=player_of(request), case=match_of(slug), form=DISPUTE)
    messages.success(request, _("The draft is discarded."))
    return redirect("arbitration:dispute_result", slug=slug)
