"""The requests for streams, before Django: an ASGI application that passes everything else on.

A stream stays open for hours. As a view it would hold a place among the pages that are made at the same time.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from games.live.threads import in_thread
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.seasons import competitions

from ..models import FeedEvent
from .stream import HEARTBEAT_S, RETRY_MS, Stream
from .tables import Held, Spectating, held_of
from .watch import Fact, Listener, watch

log = logging.getLogger(__name__)

App = Callable[..., Awaitable[Any]]
PLACE = re.compile(r"/live/(competitions|matches)/([-a-zA-Z0-9_]{1,60})")
MOST_MISSED = 200  # facts sent to a reader that comes again; beyond it, it is told to read everything anew
NUMBER = re.compile(r"[0-9]{1,18}")
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy must not collect what is sent
    (b"access-control-allow-origin", b"*"),  # public, and no cookie is read
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


@dataclass(frozen=True)
class Place:
    """What a stream is about. `match`: "" for a whole competition; `table`: None without a table that visitors may see."""

    competition: int
    match: str
    table: int | None
    latest: int  # the key of the last fact
    after: int  # the facts after this key are sent
    missed: bool  # whether facts before it are lost to the reader


class Streams:
    """An ASGI application that opens a stream for `/live/…`, and passes everything else to `pages`."""

    def __init__(self, pages: App) -> None:
        self.pages = pages

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        found = PLACE.fullmatch(scope["path"])
        if found is None:
            await self.pages(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            await _plain(send, 405, b"Only GET.", [(b"allow", b"GET, HEAD")])
        elif settings.SECURE_SSL_REDIRECT and scope["scheme"] == "http":
            await _plain(send, 403, b"Use https.")
        else:
            await _serve(found[1], found[2], scope, receive, send)


async def _serve(what: str, slug: str, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
    key = _last_event(scope)
    place = await in_thread(_find, what, slug, key)
    if place is None:
        await _plain(send, 404, b"There is no such feed.")
        return
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return
    stream = Stream(send)
    watch().streams.add(stream)
    gone = asyncio.create_task(_until_gone(receive))
    try:
        await _run(stream, place, held_of(key), gone)
    finally:
        watch().streams.discard(stream)
        gone.cancel()
        await stream.outbox.stop()
        with suppress(Exception):  # the reader has gone
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _run(stream: Stream, place: Place, held: Held | None, gone: "asyncio.Task[None]") -> None:
    """Send facts and plays until the reader has gone or the stream ends."""
    spectating = Spectating(stream)
    joining: set[asyncio.Task[None]] = set()

    def heard(fact: Fact) -> None:
        """Go to the table of the match when it opens."""
        if place.match and fact.kind == "table.open":
            joining.add(asyncio.create_task(_join(spectating, place.match)))

    listener = Listener(stream, place.competition, place.after, place.match, heard)
    stream.put(f"retry: {RETRY_MS}\n\n")
    # Of a match the id is that of a play, as soon as there is a table: a reader that resumes reads the match anew.
    key = "" if place.table is not None else str(place.after)
    stream.event("reset" if place.missed else "ready", {"after": str(place.after)}, key=key)
    try:
        if place.table is not None:
            await spectating.attach(place.table, held)
        watch().attach(listener)
        over = asyncio.create_task(stream.over.wait())
        try:
            while not (gone.done() or over.done()):
                done, _ = await asyncio.wait({gone, over}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
                if not done:
                    stream.put(": beat\n\n")
        finally:
            over.cancel()
    finally:
        for task in joining:
            task.cancel()
        await asyncio.gather(*joining, return_exceptions=True)
        await watch().detach(listener)
        await spectating.detach()


async def _join(spectating: Spectating, match: str) -> None:
    """Go to the table of a match that has opened. Where it cannot be read the stream ends, and its reader comes again."""
    try:
        table = await in_thread(_table_of, match)
        if table is not None:
            await spectating.attach(table, None)
    except Exception as error:
        log.warning("a stream cannot join its table: %s", type(error).__name__)
        spectating.stream.end()


def _find(what: str, slug: str, key: str) -> Place | None:
    """Return what the stream is about, None where visitors see nothing; in a thread. Four queries at most."""
    match = ""
    if what == "matches":
        row = Match.objects.filter(slug=slug).only("competition_id", "slug").first()
        if row is None:
            return None
        match, competition = row.slug, competitions.public().filter(pk=row.competition_id).first()
    else:
        competition = competitions.public().filter(slug=slug).first()
    if competition is None:
        return None
    facts = FeedEvent.objects.filter(competition=competition)
    latest = facts.order_by("-pk").values_list("pk", flat=True).first() or 0
    after = int(key) if NUMBER.fullmatch(key) else None
    missed = False
    if after is not None and after != latest:
        known = after == 0 or facts.filter(pk=after).exists()
        missed = not known or facts.filter(pk__gt=after)[: MOST_MISSED + 1].count() > MOST_MISSED
    return Place(
        competition=competition.pk,
        match=match,
        table=_table_of(match) if match else None,
        latest=latest,
        after=latest if after is None or missed else after,
        missed=missed,
    )


def _table_of(match: str) -> int | None:
    """Return the key of the match's table, None where there is none or visitors may not see it; in a thread."""
    row = Match.objects.filter(slug=match, table__isnull=False).select_related("table").first()
    return row.table_id if row is not None and row.table is not None and not row.table.seated_only else None


def _last_event(scope: Mapping[str, Any]) -> str:
    """Return the header Last-Event-ID, "" without one or for one that no event of ours has."""
    for name, value in scope["headers"]:
        if name == b"last-event-id" and len(value) <= 60:
            return str(value.decode("latin-1"))
    return ""


async def _until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _plain(send: Any, status: int, text: bytes, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    guards = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": [kind, *guards, *(headers or [])]})
    await send({"type": "http.response.body", "body": text})


def end_all() -> None:
    """End every stream of the running loop; for a server that stops."""
    watch().end_all()
