"""A number for each request and socket: in every log line that they cause, and in the response."""

import re
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tock_league.common import logs

App = Callable[..., Awaitable[Any]]
HEADER = b"x-request-id"
SANE = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{7,63}")


class RequestIds:
    """Takes the request's number from `X-Request-ID`, so that a proxy's log and ours can be joined, or makes one."""

    def __init__(self, application: App) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.application(scope, receive, send)
            return
        request = asked_for(scope) or uuid.uuid4().hex

        async def send_with_id(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, request.encode())]}
            await send(message)

        before = logs.get_context()
        logs.set_context({"request": request})
        try:
            # A page cannot read the headers of a handshake, and frames are many: nothing is added there.
            await self.application(scope, receive, send_with_id if scope["type"] == "http" else send)
        finally:
            logs.set_context(before)


def asked_for(scope: Mapping[str, Any]) -> str:
    """Return the number that the request brings, empty where it brings none or one that could spoil a log."""
    found = next((value.decode("latin1") for name, value in scope.get("headers", ()) if name == HEADER), "")
    return found if SANE.fullmatch(found) else ""
