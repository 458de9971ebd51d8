"""Helpers of the live room's HTTP views: JSON responses that are not stored, and reading within limits."""

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext

from games.models import Game
from games.permissions import may_see_game, person_of
from games.selectors import games as reader
from tock_league.common.errors import Refused
from tock_league.common.gate import Gate

from .messages import Outbound, body
from .threads import in_thread

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _reads() -> Gate:
    return Gate(max(1, settings.LIVE_DB_THREADS // 2), settings.PATIENCE_S)


async def read(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread of the live room; half of the threads stay free for commands and for the hub.

    Raises Full, which the site turns into 503, when no thread is free in time.
    """
    async with _reads().inside():
        return await in_thread(work, *args, **kwargs)


def answer(frame: Outbound, status: int = 200) -> HttpResponse:
    """Return a frame as a JSON response that must not be stored, because it may contain a hand."""
    return no_store(JsonResponse(body(frame), status=status))


def no_store(response: HttpResponse) -> HttpResponse:
    """Return `response` with the header that forbids caching."""
    response["Cache-Control"] = "no-store"
    return response


def refuse(code: str, message: str, *, field: str = "", status: int) -> HttpResponse:
    """Return an error in the site's JSON format."""
    error: dict[str, Any] = {"code": code, "message": message}
    if field:
        error["field"] = field
    return no_store(JsonResponse({"error": error}, status=status))


def of_game(request: HttpRequest, slug: str, work: Callable[[HttpRequest, Game], HttpResponse]) -> HttpResponse:
    """Return the response that `work` makes for the game; 404 if there is no such game, refusals as JSON errors."""
    game = reader.game_by_slug(slug)
    if game is None or not may_see_game(game, person_of(request.user, request.session)):
        return refuse("not_found", gettext("There is no such game."), status=404)
    try:
        return work(request, game)
    except Refused as error:
        return no_store(JsonResponse(error.body(), status=error.status))
