"""Limits the sockets, streams, long polls and calls of one address and one login in this process.

An address may be a club's hall with a hundred phones, so its limit is high; it is lower for requests without a session.
A login is identified by its raw token or session cookie, because this runs before Django and before any query.
"""

import hashlib
import math
import re
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any

from django.conf import settings

from tock_league.common.bounds import Calls, Places, address_of

from .answers import refuse

App = Callable[..., Awaitable[Any]]
POLL = re.compile(r"/api/(?:tables|v1/play)/[^/]+/events")
WAITS = re.compile(rb"(?:^|&)wait=0*[1-9]")
SECONDS = 10  # the window of the calls' rates

places, calls = Places(), Calls()  # of this process


class Crowds:
    """Passes on what is within the bounds; the rest is answered 429 (503 where the whole process is full)."""

    def __init__(self, application: App) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await self._within(sockets_of(scope), scope, receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/api/"):
            if pause := calls.wait_for(calls_of(scope), SECONDS):
                await too_many(scope, send, math.ceil(pause))
            elif POLL.fullmatch(scope["path"]) and WAITS.search(scope["query_string"]):
                await self._within(polls_of(scope), scope, receive, send)
            else:
                await self.application(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/live/"):
            await self._within(streams_of(scope), scope, receive, send)
        else:
            await self.application(scope, receive, send)

    async def _within(self, wanted: Mapping[Hashable, int], scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Take a place for as long as the application serves this; however that ends, the place is given back."""
        if not places.take(wanted):
            await too_many(scope, send, 5)
            return
        try:
            await self.application(scope, receive, send)
        finally:
            places.give_back(wanted)


async def too_many(scope: dict[str, Any], send: Any, pause: int) -> None:
    """Answer 429 with the seconds to wait."""
    message = f"too many at once; ask again in {pause} s"
    await refuse(scope, send, 429, "rate", message, headers=[(b"retry-after", str(pause).encode())])


def sockets_of(scope: Mapping[str, Any]) -> Mapping[Hashable, int]:
    """Return the keys that a new socket counts for, with their bounds. `live.doors` limits the sockets of a person."""
    return {
        "sockets": settings.LIVE_SOCKETS,
        ("sockets", address_of(scope)): settings.LIVE_SOCKETS_PER_ADDRESS,
    }


def streams_of(scope: Mapping[str, Any]) -> Mapping[Hashable, int]:
    """Return the keys that a new stream of the live feed counts for, with their bounds."""
    return {"streams": settings.LIVE_STREAMS, ("streams", address_of(scope)): settings.LIVE_STREAMS_PER_ADDRESS}


def polls_of(scope: Mapping[str, Any]) -> Mapping[Hashable, int]:
    """Return the keys that a new long poll counts for, with their bounds."""
    address, login = address_of(scope), login_of(scope)
    if login:
        own: dict[Hashable, int] = {("polls of", login): settings.LIVE_POLLS_PER_PERSON}
    else:
        own = {("polls without login", address): settings.LIVE_POLLS_WITHOUT_LOGIN}
    return {("polls", address): settings.LIVE_POLLS_PER_ADDRESS, **own}


def calls_of(scope: Mapping[str, Any]) -> Mapping[Hashable, int]:
    """Return the keys that a call counts for, with the calls allowed to each in ten seconds."""
    address, login = address_of(scope), login_of(scope)
    if login:
        own: dict[Hashable, int] = {("of", login): settings.API_CALLS_PER_PERSON}
    else:
        own = {("without login", address): settings.API_CALLS_WITHOUT_LOGIN}
    return {("from", address): settings.API_CALLS_PER_ADDRESS, **own}


def login_of(scope: Mapping[str, Any]) -> bytes:
    """Return a key derived from the access token, else from the session cookie; empty without either."""
    name = settings.SESSION_COOKIE_NAME.encode()
    headers = dict(scope["headers"])
    found = headers.get(b"authorization", b"")
    for part in headers.get(b"cookie", b"").split(b";"):
        key, _, value = part.strip().partition(b"=")
        found = found or (value if key == name else b"")
    return hashlib.blake2b(found, digest_size=16).digest() if found else b""
