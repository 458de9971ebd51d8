"""Which handshakes may open a socket.

A browser sends its cookies with a socket's handshake even for another site's page, so the session alone proves nothing.
The allow-list of hosts is checked outermost by Channels; it lets everybody in where ALLOWED_HOSTS is `*` (a club's own
network), hence this second, stricter question: does the page come from the very host that is asked?
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings

App = Callable[..., Awaitable[Any]]


class SameOriginForCookies:
    """Lets a handshake pass when it brings no cookie, or when its Origin is this site's."""

    def __init__(self, application: App) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        if allowed(headers_of(scope)):
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a handshake, their names in lower case."""
    return {name.decode("latin1"): value.decode("latin1") for name, value in scope.get("headers", [])}


def allowed(headers: dict[str, str]) -> bool:
    """Return whether a handshake with these headers (names in lower case) may open a socket.

    Without cookies there is no session to steal, so programs may leave Origin out. With cookies the Origin must name
    the host and port that is asked, or stand in CSRF_TRUSTED_ORIGINS.
    """
    origin = headers.get("origin")
    if origin is None:
        return "cookie" not in headers
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    return bool(urlsplit(origin).netloc) and urlsplit(origin).netloc == headers.get("host")
