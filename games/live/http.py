"""The same as the socket over HTTP: same bodies, same codes, same projection.

For restrictive networks, bots, tests and replays. All database access happens in the live room's threads, and no
middleware uses the database for these addresses (`common.http.is_apart`): a request that held a connection while
waiting for another one could deadlock the site.
"""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

from django.http import HttpRequest, HttpResponse, RawPostDataException
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from games.fold import SPECTATOR, Viewer
from games.models import Game, Table
from games.permissions import Login, Person, may_see, person_of
from games.selectors import games as reader
from games.selectors import tables as table_reader
from tock_league.accounts.models import Token
from tock_league.common import clock, logs
from tock_league.common.away import is_away
from tock_league.common.http import RETRY_AFTER_S
from tock_league.common.metrics import SNAPSHOTS

from . import doors, people, polls, projection
from .answers import answer, read, refuse
from .commands import frame_of, submit
from .limits import seat_rates
from .messages import MAX_BYTES, Ack, BadFrame, Cmd, Nak, command, read_json
from .threads import in_thread
from .traces import Trace

MAX_WAIT = 25.0  # seconds of a long poll
MAX_HISTORY = 5000  # events in one answer
_SNAPSHOTS = SNAPSHOTS.labels("http")
# The HTTP status of a refusal by its code; 409 for every other code of a command.
STATUS = {"auth": 403, "seat_lost": 403, "rate": 429, "internal": 503}


@dataclass(frozen=True, slots=True)
class Place:
    """Who asks about which table, with which login and in which role."""

    table: Table
    person: Person
    viewer: Viewer
    login: Login


@dataclass(frozen=True, slots=True)
class Held:
    """The view that a poll says it holds."""

    game: str  # the game's public id, or empty
    epoch: int
    since: int  # the seq of the last event


def _place(request: HttpRequest, slug: str) -> Place | None:
    """Return who asks, or None if there is no such table; in a thread. Login, session and seat are read only here."""
    table = reader.table_by_slug(slug)
    if table is None:
        return None
    person = person_of(request.user, request.session)
    return _seen(table, person, people.login_of(request.user, request.session))


def place_of(slug: str, token: Token | None) -> Place | None:
    """Return the place of a token's person, or of a visitor, at the table; None if there is no such table; in a thread."""
    table = reader.table_by_slug(slug)
    if table is None:
        return None
    user = token.user if token is not None else None
    return _seen(table, person_of(user, None), people.login_of(user, None, token))


def _seen(table: Table, person: Person, login: Login) -> Place | None:
    if not may_see(table, person):
        return None
    return Place(table, person, table_reader.viewer_of(table, person), login)


class Ended(Exception):
    """A poll may not wait any longer: its login or seat has ended, another poll took its place, or the server stops."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why  # a reason of `doors`


def _no_table() -> HttpResponse:
    return refuse("not_found", gettext("There is no such table."), status=404)


@require_POST
async def commands(request: HttpRequest, slug: str) -> HttpResponse:
    """POST a `cmd` (without `t`); returns its `ack` (200) or `nak` (409, or 403, 429, 503 by code)."""
    length = request.headers.get("content-length") or "0"
    if not (length.isascii() and length.isdecimal()) or int(length) > MAX_BYTES:
        return refuse("bad_frame", f"at most {MAX_BYTES} bytes", field="frame", status=413)
    try:
        asked = command(read_json(_body(request)))
    except BadFrame as error:
        return refuse("bad_frame", error.rule, field=error.field, status=400)
    logs.add_context(table=slug, command=asked.id)
    trace = Trace(asked)
    try:
        found = await carry_out(partial(_place, request, slug), asked, trace)
    except Exception as error:
        if not is_away(error):
            raise
        found = Nak(id=asked.id, code="internal", why="busy", retry=True, seq=0)
    if found is None:
        return _no_table()
    trace.answered(found)
    trace.finish()
    response = answer(found, STATUS.get(found.code, 409) if isinstance(found, Nak) else 200)
    if isinstance(found, Nak) and found.why == "busy":
        response["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _body(request: HttpRequest) -> bytes:
    """Return the body. Raises BadFrame for a form body, which the CSRF check has already consumed."""
    try:
        return request.body
    except RawPostDataException:
        raise BadFrame("frame", "must be JSON") from None


async def carry_out(find: Callable[[], Place | None], asked: Cmd, trace: Trace) -> Ack | Nak | None:
    """Return the response to a command, None if there is no such table. `find` is called in a thread."""
    place = await in_thread(find)
    trace.ends("queue")
    if place is None:
        return None
    if doors.watch().closing:
        return Nak(id=asked.id, code="internal", why="deploy", retry=True, seq=0)
    seat = place.viewer.seat
    if seat is None:
        return Nak(id=asked.id, code="auth", why="no_seat", retry=False, seq=0)
    if not seat_rates.allows(place.table.pk, seat):
        return Nak(id=asked.id, code="rate", why="rate", retry=True, seq=0)
    logs.add_context(seat=seat)
    done = await in_thread(submit, place.table.pk, seat, place.person, place.login, asked)
    await in_thread(people.keep, [place.login])
    trace.ends("commit")
    return frame_of(done)


@require_GET
async def snap(request: HttpRequest, slug: str) -> HttpResponse:
    """GET the whole view: the body of a `snap`."""
    return await read(_snap, request, slug)


def _snap(request: HttpRequest, slug: str) -> HttpResponse:
    place = _place(request, slug)
    if place is None:
        return _no_table()
    return whole(place, _seen_as(request, place.viewer))


def whole(place: Place, viewer: Viewer) -> HttpResponse:
    """Return a `snap` of the table for the viewer; in a thread."""
    game, now = reader.current_game(place.table.pk), clock.now_ms()
    state = reader.state_at(game, reader.shown_to(game, viewer, now=now))
    _SNAPSHOTS.inc()
    return answer(projection.snap_of(game, state, viewer, now=now))


def _seen_as(request: HttpRequest, viewer: Viewer) -> Viewer:
    """Return the viewer, or a spectator if `as=spectator` asks for it."""
    return SPECTATOR if request.GET.get("as") == "spectator" else viewer


@require_GET
async def events(request: HttpRequest, slug: str) -> HttpResponse:
    """GET what follows `since`: an `ev`, a `snap` when events are not possible, or after `wait` seconds without news an
    `hb`.

    `epoch`, `since`: the view held (0, 0: from the first event on). `wait`: 0 to 25 seconds. `game`: its public id, if
    known; if the table now has another game, the response is a snap. A client that loses its session or seat while
    waiting is refused (403).
    """
    try:
        held = Held(request.GET.get("game", ""), _number(request, "epoch"), _number(request, "since"))
        wait = min(float(_number(request, "wait")), MAX_WAIT)
    except BadFrame as error:
        return refuse("bad_frame", error.rule, field=error.field, status=400)
    place = await read(_place, request, slug)
    if place is None:
        return _no_table()
    try:
        return await following(place, _seen_as(request, place.viewer), held, wait)
    except Ended as error:
        return _shown_out(error.why)


async def following(
    place: Place, viewer: Viewer, held: Held, wait: float, *, alone: Hashable | None = None
) -> HttpResponse:
    """Return what follows the view held, after `wait` seconds without news an `hb`. Raises Ended.

    `alone`: a key of which only the newest poll waits.
    """
    if not wait:
        return await read(_news_or_beat, place.table, viewer, held)
    gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    visit = doors.wait(place.login, place.person, place.table.pk, viewer, lambda: gone.set_result(None), alone=alone)
    try:
        return await _waited(place, viewer, held, visit, gone, clock.monotonic() + wait)
    finally:
        await doors.leave(visit)


async def _waited(
    place: Place, viewer: Viewer, held: Held, visit: doors.Visit, gone: "asyncio.Future[None]", until: float
) -> HttpResponse:
    """Return the response to a long poll; `gone` is done when its login or seat has ended, `until` is on the monotonic
    clock.
    """
    async with polls.watching(place.table.pk, viewer) as watch:
        while True:
            turn = watch.turn
            news, game, upto = await read(_told, place, viewer, held)
            if visit.ended:
                raise Ended(visit.ended)
            if news is not None:
                return news
            point = polls.Point(game.slug, game.epoch, upto)
            left = until - clock.monotonic()
            if left <= 0 or not await polls.other_than(watch, turn, point, gone, left):
                return await read(_told_or_beat, place, viewer, held)


def _told(place: Place, viewer: Viewer, held: Held) -> tuple[HttpResponse | None, Game, int]:
    """Return the result of `_news`; in a thread. Raises Ended if the login or the seat has ended.

    Checked after reading: a person who has lost the seat meanwhile must not receive what came later.
    """
    news, game, upto = _news(place.table, viewer, held)
    if news is not None and (ended := _ended(place)):
        raise Ended(ended)
    return news, game, upto


def _told_or_beat(place: Place, viewer: Viewer, held: Held) -> HttpResponse:
    """Return the result of `_news_or_beat`; in a thread. Raises Ended if the login or the seat has ended."""
    news = _news_or_beat(place.table, viewer, held)
    if ended := _ended(place):
        raise Ended(ended)
    return news


def _ended(place: Place) -> str:
    """Return "auth" or "seat_lost" if the login or the seat has ended since the poll began, else ""; in a thread."""
    if people.ended([place.login]):
        return doors.AUTH
    return "" if table_reader.viewer_of(place.table, place.person) == place.viewer else doors.SEAT_LOST


def _shown_out(why: str) -> HttpResponse:
    """Return the response to a poll that may not wait any longer: its login or seat has ended, or the server is
    stopping.
    """
    if why == doors.DEPLOY:
        response = refuse("internal", gettext("The server restarts."), status=503)
        response["Retry-After"] = str(RETRY_AFTER_S)
        response._has_been_logged = True  # type: ignore[attr-defined]  # or Django logs an error for each poll
        return response
    return refuse(why, gettext("You are signed out, or your seat is no longer yours."), status=STATUS[why])


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadFrame(name, "a whole number from 0 to 999999999")
    return int(text)


def _news(table: Table, viewer: Viewer, held: Held) -> tuple[HttpResponse | None, Game, int]:
    """Return what the viewer lacks (or None), of which game, and the highest seq they may see; in a thread."""
    game, now = reader.current_game(table.pk), clock.now_ms()
    upto = reader.shown_to(game, viewer, now=now)
    other = (held.game and held.game != game.slug) or held.since > upto or upto - held.since > MAX_HISTORY
    if other or held.epoch != reader.epoch_at(game, upto):
        _SNAPSHOTS.inc()
        return answer(projection.snap_of(game, reader.state_at(game, upto), viewer, now=now)), game, upto
    if held.since == upto:
        return None, game, upto
    return answer(projection.ev(reader.steps_between(game, held.since, upto), viewer, now=now)), game, upto


def _news_or_beat(table: Table, viewer: Viewer, held: Held) -> HttpResponse:
    """Return what the viewer lacks, or an `hb` if nothing; in a thread."""
    news, game, upto = _news(table, viewer, held)
    if news is not None:
        return news
    return answer(projection.beat(reader.state_at(game, upto), viewer, n=0, now=clock.now_ms()))
