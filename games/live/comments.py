"""Comments at the plays of a finished game, and what else could have been played there, over HTTP."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import Game
from games.selectors import alternatives as possible
from games.selectors import comments as reader
from games.services import comments as writer
from tock_league.accounts.models import Player
from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.errors import NotThere, Refused
from tock_league.common.numbers import is_whole

from .answers import no_store, of_game

MAX_BYTES = 4096
WRITTEN = 60  # comments per address in ten minutes
LOOKED_UP = 600  # lists of plays per address in ten minutes


@require_http_methods(["GET", "POST"])
def comments(request: HttpRequest, slug: str) -> HttpResponse:
    """GET or POST: `{"comments": [...], "may_write"}`, see `games.selectors.comments.of_game`.

    POST `{"seq", "text", "line"}` writes one first; a line is optional. Refusals name the field.
    """
    return of_game(request, slug, _comments)


def _comments(request: HttpRequest, game: Game) -> HttpResponse:
    if request.method == "POST":
        limits.spend(request, "comment", count=WRITTEN, seconds=600)
        player = player_of(request)
        writer.write(by=player, game=game, **_body(request))
    return _all(request, game)


def _all(request: HttpRequest, game: Game) -> HttpResponse:
    player: Player | None = getattr(request.user, "player", None) if request.user.is_authenticated else None
    found = {"comments": reader.of_game(game, player), "may_write": reader.may_write(game, player)}
    return no_store(JsonResponse(found))


@require_POST
def remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """POST: delete a comment; the answer is that of `comments`."""

    def work(request: HttpRequest, game: Game) -> HttpResponse:
        found = reader.find(game, number)
        if found is None:
            raise NotThere(_("This comment is not there any more."))
        writer.remove(by=player_of(request), comment=found)
        return _all(request, game)

    return of_game(request, slug, work)


@require_GET
def alternatives(request: HttpRequest, slug: str) -> HttpResponse:
    """GET `?seq=N`: `{"seq", "plays"}`, what could have been played instead of the play at row `seq` of a finished game."""

    def work(request: HttpRequest, game: Game) -> HttpResponse:
        limits.spend(request, "alternatives", count=LOOKED_UP, seconds=600)
        text = request.GET.get("seq", "")
        if not (text.isascii() and text.isdecimal() and len(text) < 8):
            raise Refused("whole_number", _("A whole number is needed."), field="seq", status=400)
        return no_store(JsonResponse({"seq": int(text), "plays": possible.of_play(game, int(text))}))

    return of_game(request, slug, work)


def _body(request: HttpRequest) -> dict[str, Any]:
    """Return seq, text and line of the JSON body. Raises Refused naming the field."""
    try:
        raw = request.body if request.content_type == "application/json" else b""
        if len(raw) > MAX_BYTES:
            raise Refused("too_long", _("At most %(count)s bytes.") % {"count": MAX_BYTES}, field="text", status=413)
        body = json.loads(raw)
    except (ValueError, RecursionError, RawPostDataException):
        raise Refused("json", _("The body is no JSON."), field="text", status=400) from None
    if not isinstance(body, dict) or body.keys() - {"seq", "text", "line"}:
        raise Refused("object", _("Send an object with seq, text and line."), field="text", status=400)
    seq, text, line = body.get("seq"), body.get("text"), body.get("line", "")
    if not is_whole(seq) or not 0 < seq < 10**7:
        raise Refused("whole_number", _("A whole number is needed."), field="seq", status=400)
    for name, value in (("text", text), ("line", line)):
        if not isinstance(value, str):
            raise Refused("text", _("A text is needed."), field=name, status=400)
    return {"seq": seq, "text": text, "line": line}
