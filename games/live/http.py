"""The HTTP twins of the socket: same bodies, same codes, same projection. For hostile networks, bots, tests, and replays."""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from games.fold import EVERYTHING, SPECTATOR, Viewer, steps, told
from games.models import Game, Table
from games.permissions import Login, Person
from games.selectors import games as reader
from games.selectors import replays
from games.selectors import tables as table_reader
from tock_league.common import clock
from tock_league.common.errors import Refused

from . import doors, hints, people, projection
from .commands import frame_of, submit
from .limits import seat_rates
from .messages import MAX_BYTES, BadFrame, Nak, Outbound, body, command, read_json
from .threads import in_thread

MAX_WAIT = 25.0  # seconds of a long poll
LOOK_S = 2.0  # how long a long poll trusts hints alone
MAX_HISTORY = 5000  # events in one answer
STATUS = {"auth": 403, "seat_lost": 403, "rate": 429, "internal": 503}


def answer(frame: Outbound, status: int = 200) -> HttpResponse:
    """Answer a frame as JSON that nobody may store: it may hold a hand."""
    return no_store(JsonResponse(body(frame), status=status))


def no_store(response: HttpResponse) -> HttpResponse:
    """Answer `response` with the header that keeps it out of every cache."""
    response["Cache-Control"] = "no-store"
    return response


def refuse(code: str, message: str, *, field: str = "", status: int) -> HttpResponse:
    """Answer an error in the site's JSON shape."""
    error: dict[str, Any] = {"code": code, "message": message}
    if field:
        error["field"] = field
    return no_store(JsonResponse({"error": error}, status=status))


def _person(request: HttpRequest) -> Person:
    return people.person_of(request.user, request.session)


def _place(request: HttpRequest, slug: str) -> tuple[Table, Person, Viewer] | None:
    """Answer table, person and viewer; in a thread."""
    table = reader.table_by_slug(slug)
    if table is None:
        return None
    person = _person(request)
    return table, person, table_reader.viewer_of(table, person)


def _no_table() -> HttpResponse:
    return refuse("not_found", gettext("There is no such table."), status=404)


@require_POST
async def commands(request: HttpRequest, slug: str) -> HttpResponse:
    """POST a `cmd` (without `t`); answers its `ack` (200) or `nak` (409, or 403, 429, 503 by code)."""
    if int(request.headers.get("content-length") or 0) > MAX_BYTES:
        return refuse("bad_frame", f"at most {MAX_BYTES} bytes", field="frame", status=413)
    try:
        asked = command(read_json(request.body))
    except BadFrame as error:
        return refuse("bad_frame", error.rule, field=error.field, status=400)
    place = await in_thread(_place, request, slug)
    if place is None:
        return _no_table()
    table, person, viewer = place
    if doors.watch().closing:
        return answer(Nak(id=asked.id, code="internal", why="deploy", retry=True, seq=0), 503)
    if viewer.seat is None:
        return answer(Nak(id=asked.id, code="auth", why="no_seat", retry=False, seq=0), 403)
    if not seat_rates.allows(table.pk, viewer.seat):
        return answer(Nak(id=asked.id, code="rate", why="rate", retry=True, seq=0), 429)
    # The request's own session was read a moment ago: there is no older login to look at again.
    done = await in_thread(submit, table.pk, viewer.seat, person, Login(), asked)
    return answer(frame_of(done), STATUS.get(done.code, 409) if done.code else 200)


@require_GET
async def snap(request: HttpRequest, slug: str) -> HttpResponse:
    """GET the whole view: the body of a `snap`."""
    place = await in_thread(_place, request, slug)
    if place is None:
        return _no_table()
    return answer(await in_thread(_snap, place[0], _seen_as(request, place[2])))


def _snap(table: Table, viewer: Viewer) -> Outbound:
    game, now = reader.current_game(table.pk), clock.now_ms()
    state = reader.state_at(game, reader.shown_to(game, viewer, now=now))
    return projection.snap_of(game, state, viewer, now=now)


def _seen_as(request: HttpRequest, viewer: Viewer) -> Viewer:
    """Answer the viewer, or a spectator where `as=spectator` asks for it."""
    return SPECTATOR if request.GET.get("as") == "spectator" else viewer


@require_GET
async def events(request: HttpRequest, slug: str) -> HttpResponse:
    """GET what follows `since`: an `ev`, a `snap` when that cannot be, or after `wait` seconds without news an `hb`.

    `epoch`, `since`: the view held (0, 0: from the first event on). `wait`: 0 to 25 seconds. `game`: its public id, if
    known; another game of the table than that gives a snap.
    """
    try:
        epoch, since = _number(request, "epoch"), _number(request, "since")
        wait = min(float(_number(request, "wait")), MAX_WAIT)
    except BadFrame as error:
        return refuse("bad_frame", error.rule, field=error.field, status=400)
    place = await in_thread(_place, request, slug)
    if place is None:
        return _no_table()
    table, person, viewer = place
    viewer = _seen_as(request, viewer)
    held = (request.GET.get("game", ""), epoch, since)
    news = asyncio.Event()
    listening = hints.listen(lambda told: news.set() if told.table_id == table.pk else None)
    until = clock.monotonic() + wait
    visit = doors.wait(people.login_of(request.user, request.session), person, table.pk, viewer, news.set)
    try:
        while True:
            news.clear()
            if visit.ended:
                return _shown_out(visit.ended)
            frame = await in_thread(_news, table, viewer, held)
            left = until - clock.monotonic()
            if frame is not None:
                return answer(frame)
            if left <= 0:
                return answer(await in_thread(_beat, table, viewer))
            await _heard(news, min(left, LOOK_S if viewer.live else 0.5))
    finally:
        hints.forget(listening)
        await doors.leave(visit)


def _shown_out(why: str) -> HttpResponse:
    """Answer a poll that may not wait any longer: its login or its seat has ended, or the server stops."""
    if why == doors.DEPLOY:
        response = refuse("internal", "the server restarts", status=503)
        response["Retry-After"] = "1"
        return response
    return refuse(why, "the login or the seat of this request has ended", status=STATUS[why])


async def _heard(news: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadFrame(name, "a whole number from 0 to 999999999")
    return int(text)


def _news(table: Table, viewer: Viewer, held: tuple[str, int, int]) -> Outbound | None:
    """Answer what the viewer lacks, or None; in a thread."""
    slug, epoch, since = held
    game, now = reader.current_game(table.pk), clock.now_ms()
    upto = reader.shown_to(game, viewer, now=now)
    other = (slug and slug != game.slug) or since > upto or upto - since > MAX_HISTORY
    if other or epoch != reader.epoch_at(game, upto):
        return projection.snap_of(game, reader.state_at(game, upto), viewer, now=now)
    if since == upto:
        return None
    return projection.ev(reader.steps_between(game, since, upto), viewer, now=now)


def _beat(table: Table, viewer: Viewer) -> Outbound:
    game, now = reader.current_game(table.pk), clock.now_ms()
    return projection.beat(reader.state_at(game, reader.shown_to(game, viewer, now=now)), viewer, n=0, now=now)


@require_GET
async def record(request: HttpRequest, slug: str) -> HttpResponse:
    """GET the replay of a game: `{"game", "as", "frames": [snap, ev, ev, ...]}`, one `ev` per event.

    `as`: `seat:N` (its holder while the game runs, anybody afterwards), `spectator`, `referee` (the table's), or `all`
    once the game is over.
    """
    return await _of_game(request, slug, _record)


def _record(request: HttpRequest, game: Game) -> HttpResponse:
    point = request.GET.get("as", "all" if game.state == Game.State.OVER else "spectator")
    try:
        viewer = replays.viewer_for(game, point, _person(request))
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
    return await _of_game(request, slug, _export)


def _export(request: HttpRequest, game: Game) -> HttpResponse:
    text = "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in replays.lines(game))
    response = HttpResponse(text, content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{game.slug}.jsonl"'
    return response


async def _of_game(request: HttpRequest, slug: str, work: Callable[[HttpRequest, Game], HttpResponse]) -> HttpResponse:
    return await in_thread(of_game, request, slug, work)


def of_game(request: HttpRequest, slug: str, work: Callable[[HttpRequest, Game], HttpResponse]) -> HttpResponse:
    """Answer what `work` makes of the game; 404 where there is none, and what it refuses as an error in JSON."""
    game = reader.game_by_slug(slug)
    if game is None:
        return refuse("not_found", gettext("There is no such game."), status=404)
    try:
        return work(request, game)
    except Refused as error:
        return no_store(JsonResponse(error.body(), status=error.status))
