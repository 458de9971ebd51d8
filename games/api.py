"""What pages of tables send besides the commands of a game."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.selectors import player_of
from tock_league.common import clock, limits
from tock_league.common.errors import NotThere, Refused

from .selectors import lessons
from .services import lessons as learning
from .services import preferences

MAX_BYTES = 1024
CHOICES = 120  # changes of settings per address in ten minutes
PLAYS = 600  # plays of lessons per address in ten minutes: enough for a class behind one router


@require_POST
def choose_preferences(request: HttpRequest) -> JsonResponse:
    """Keep settings of the tables' pages for the person who has signed in. The body is `{name: value}`; the answer is
    everything that is kept.
    """
    limits.spend(request, "preferences", count=CHOICES, seconds=600)
    player = player_of(request)
    return JsonResponse(preferences.choose(by=player, player=player, chosen=_body(request, "settings")))


@require_safe
def play_lesson(request: HttpRequest, name: str) -> HttpResponse:
    """Return what the player's plays so far, each a `play` of the address in order, lead to in a lesson; for a play that
    the rules allow but that does something else than the lesson asks, `{"hint": "..."}`.

    Nothing is kept: the answer depends on the address alone. See `games.selectors.lessons`.
    """
    found = lessons.lesson(name)
    if found is None:
        raise NotThere
    limits.spend(request, "lesson", count=PLAYS, seconds=600, in_halls=True)
    try:
        done = lessons.walk(found, request.GET.getlist("play"))
    except lessons.OtherGoal as other:
        return JsonResponse({"hint": str(other.sentence)})
    return JsonResponse(lessons.answer_of(done, now=clock.now_ms()))


@require_POST
def finish_lessons(request: HttpRequest) -> JsonResponse:
    """Keep finished lessons for the person who has signed in. The body is a list of names; the answer is all that is
    kept.
    """
    limits.spend(request, "preferences", count=CHOICES, seconds=600)
    player = player_of(request)
    done = learning.finish(by=player, player=player, names=_body(request, "lessons"))
    return JsonResponse({"lessons": done})


def _body(request: HttpRequest, field: str) -> Any:
    """Return the JSON of the body. Raises Refused on that field."""
    try:
        body = request.body if request.content_type == "application/json" else b""
        if len(body) > MAX_BYTES:
            raise Refused("too_long", _("At most %(count)s bytes.") % {"count": MAX_BYTES}, field=field, status=413)
        return json.loads(body)
    except (ValueError, RecursionError, RawPostDataException):  # the last one: the check of its origin has read a form
        raise Refused("json", _("The body is no JSON."), field=field, status=400) from None
