"""Play over HTTP with an access token: the state of a table as one's seat sees it, commands, and long polling.

The same functions as the table's socket and its HTTP equivalents: what a seat may not know is not read. Like these, the
views work on the loop and in the live room's threads: a poll that waits holds neither a thread nor a connection. Sessions
count for nothing here, so no CSRF token is needed; who shows no token watches.
"""

import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from games.fold import SPECTATOR, Viewer
from games.live import doors, http
from games.live.answers import answer, read
from games.live.messages import MAX_BYTES, BadFrame, Nak, command, read_json
from games.live.threads import in_thread
from games.live.traces import Trace
from tock_league.accounts import tokens
from tock_league.accounts.models import Token
from tock_league.common import limits, logs, problems
from tock_league.common.away import is_away
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import RETRY_AFTER_S

from ..authentication import REALM, WRONG_A_MINUTE
from ..throttling import headers as rate_headers
from ..throttling import left_of

View = Callable[..., Awaitable[HttpResponse]]
AsyncView = Callable[..., Coroutine[Any, Any, HttpResponse]]
KNOWN = {"state": ("as",), "events": ("as", "after", "epoch", "game", "wait")}
ENDED = {
    doors.AUTH: (401, _("This token opens nothing any more.")),
    doors.SEAT_LOST: (403, _("Your seat is no longer yours.")),
    doors.DEPLOY: (503, _("The server restarts.")),
    doors.OTHER_POLL: (409, _("A newer request of this token waits at this table.")),
}


def _endpoint(method: str, scope: str) -> Callable[[View], AsyncView]:
    """Return a decorator: the method, the token with its scope, the rate, and refusals as problem details."""

    methods = (method, "HEAD") if method == "GET" else (method,)

    def decorate(view: View) -> AsyncView:
        @csrf_exempt
        @functools.wraps(view)
        async def asked(request: HttpRequest, table: str) -> HttpResponse:
            left: list[limits.Left] = []
            try:
                if request.method not in methods:
                    raise Refused("method_not_allowed", _("This address knows another method."), status=405)
                token = await in_thread(_caller, request, scope, left)
                response = await view(request, table, token)
            except Refused as error:
                response = _told(request, error)
            response["Cache-Control"] = "no-store"
            if response.status_code == 405:
                response["Allow"] = ", ".join(methods)
            if left:
                for name, value in rate_headers(left[0]).items():
                    response[name] = value
            return response

        return asked

    return decorate


def _told(request: HttpRequest, error: Refused) -> HttpResponse:
    response = problems.told(request, error)
    if error.status == 401:
        response["WWW-Authenticate"] = REALM
    if error.status in (429, 503):
        response["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _caller(request: HttpRequest, scope: str, left: list[limits.Left]) -> Token | None:
    """Return the token that is shown, None for a visitor; in a thread. `left` gets what is left of the rate."""
    header = request.headers.get("Authorization", "")
    token = None
    if header:
        try:
            token = tokens.opened(tokens.secret_in(header))
        except Refused:
            limits.spend(request, "api:wrong-token", count=WRONG_A_MINUTE, seconds=60)
            raise
    left.append(left_of(request, token.user_id if token is not None else None))
    if left[0].refused:
        raise Refused("rate", _("That was too often. Wait a few minutes and try again."), status=429)
    if token is not None:
        tokens.require_scope(token, scope)
    elif scope != Token.Scope.READ:
        raise Refused("not_authenticated", _("Send an access token, or sign in on the site."), status=401)
    return token


@_endpoint("GET", Token.Scope.READ)
async def state(request: HttpRequest, table: str, token: Token | None) -> HttpResponse:
    """Return the whole view: the body of a `snap`."""
    _known(request, "state")

    def work() -> HttpResponse:
        place = _found(table, token)
        return http.whole(place, _seen_as(request, place.viewer))

    return await read(work)


@_endpoint("GET", Token.Scope.READ)
async def events(request: HttpRequest, table: str, token: Token | None) -> HttpResponse:
    """Return what follows `after`: an `ev`, a `snap` where events are not possible, or after `wait` seconds an `hb`."""
    _known(request, "events")
    held = http.Held(request.GET.get("game", "")[:40], _number(request, "epoch"), _number(request, "after"))
    wait = min(float(_number(request, "wait")), http.MAX_WAIT)
    place = await read(_found, table, token)
    key = (token.pk, place.table.pk) if token is not None else None
    try:
        return await http.following(place, _seen_as(request, place.viewer), held, wait, alone=key)
    except http.Ended as error:
        status, sentence = ENDED[error.why]
        raise Refused("internal" if error.why == doors.DEPLOY else error.why, sentence, status=status) from None


@_endpoint("POST", Token.Scope.PLAY)
async def commands(request: HttpRequest, table: str, token: Token | None) -> HttpResponse:
    """Carry a command out and return its `ack`; a `nak` is a problem with its code."""
    length = request.headers.get("content-length") or "0"
    if not (length.isascii() and length.isdecimal()) or int(length) > MAX_BYTES:
        raise Refused("bad_frame", _("Send at most %(most)d bytes.") % {"most": MAX_BYTES}, status=413)
    if request.content_type != "application/json":
        raise Refused("unsupported_media_type", _("Send application/json."), field="Content-Type", status=415)
    try:
        asked = command(read_json(request.body))
    except BadFrame as error:
        raise Refused("bad_frame", error.rule, field=error.field, status=400) from None
    logs.add_context(table=table, command=asked.id)
    trace = Trace(asked)
    try:
        done = await http.carry_out(functools.partial(http.place_of, table, token), asked, trace)
    except Exception as error:
        if not is_away(error):
            raise
        done = Nak(id=asked.id, code="internal", why="busy", retry=True, seq=0)
    if done is None:
        raise NotThere
    trace.answered(done)
    trace.finish()
    if isinstance(done, Nak):
        raise _refusal(done)
    return answer(done)


def _refusal(nak: Nak) -> Refused:
    """Return a refused command as a problem: the code of the nak, the rest in its details."""
    until: dict[str, Any] = {"until": nak.until} if nak.until else {}
    return Refused(
        nak.code,
        _("The command is refused: %(why)s.") % {"why": nak.why},
        status=http.STATUS.get(nak.code, 409),
        why=nak.why,
        retry=nak.retry,
        seq=nak.seq,
        id=nak.id,
        **until,
    )


def _found(table: str, token: Token | None) -> http.Place:
    place = http.place_of(table, token)
    if place is None:
        raise NotThere(_("There is no such table."))
    return place


def _seen_as(request: HttpRequest, viewer: Viewer) -> Viewer:
    role = request.GET.get("as", "seat")
    if role not in ("seat", "spectator"):
        raise Refused("parameter", "seat, spectator", field="as", status=400)
    return SPECTATOR if role == "spectator" else viewer


def _known(request: HttpRequest, view: str) -> None:
    """Refuse parameters that the view does not know, and one given twice."""
    known = KNOWN[view]
    for name, values in request.GET.lists():
        if name not in known or len(values) > 1:
            text = _("Send each parameter once, and only these: %(known)s.") % {"known": ", ".join(known)}
            raise Refused("parameter", text, field=name[:40], status=400)


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Refused("parameter", _("A whole number from 0 to 999999999."), field=name, status=400)
    return int(text)
