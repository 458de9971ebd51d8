"""Finished and running games over HTTP: the replay of a game, and its record as a file."""

import json
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from games.fold import EVERYTHING, Viewer, steps, told
from games.models import Game
from games.permissions import person_of
from games.selectors import games as reader
from games.selectors import replays
from tock_league.common import clock

from . import projection
from .answers import no_store, of_game, read, refuse
from .messages import Outbound, body


@require_GET
async def record(request: HttpRequest, slug: str) -> HttpResponse:
    """GET the replay of a game: `{"game", "as", "frames": [snap, ev, ev, ...]}`, one `ev` per event.

    `as`: `seat:N` (its holder while the game runs, anybody afterwards), `spectator`, `referee` (the table's), or `all`
    once the game is over.
    """
    return await read(of_game, request, slug, _record)


def _record(request: HttpRequest, game: Game) -> HttpResponse:
    point = request.GET.get("as", "all" if game.state == Game.State.OVER else "spectator")
    try:
        viewer = replays.viewer_for(game, point, person_of(request.user, request.session))
    except ValueError:
        return refuse("bad_point", "seat:N, spectator, referee or all", field="as", status=400)
    frames = list(_frames(game, viewer))
    return no_store(JsonResponse({"game": game.slug, "as": point, "frames": [body(frame) for frame in frames]}))


def _frames(game: Game, viewer: Viewer) -> Iterable[Outbound]:
    now = clock.now_ms()
    upto = game.last_seq if viewer == EVERYTHING else reader.shown_to(game, viewer, now=now)
    if upto < 1:
        return
    begin = reader.state_at(game, 1)
    yield projection.snap_of(game, begin, viewer, now=begin.at)
    for each in told(steps(begin, replays.rows(game, upto=upto)[1:])):
        yield projection.ev_of([each], viewer, now=each.step.row.at)


@require_GET
async def export(request: HttpRequest, slug: str) -> HttpResponse:
    """GET the record of a finished game as JSON Lines: a head, then one row a line with its chain value."""
    return await read(of_game, request, slug, _export)


def _export(request: HttpRequest, game: Game) -> HttpResponse:
    text = "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in replays.lines(game))
    response = HttpResponse(text, content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{game.slug}.jsonl"'
    return response
