"""The client's address from a trusted proxy, as uvicorn reads it; an untrusted peer that claims one is remembered."""

import os
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tock_league.common import proxies

VARIABLE = "FORWARDED_ALLOW_IPS"
DEFAULT = "127.0.0.1,::1"


def trusted() -> list[str]:
    """Return the trusted addresses and networks of the environment. Raises ValueError with a sentence."""
    return proxies.read(os.environ.get(VARIABLE, DEFAULT))


class Forwarded(ProxyHeadersMiddleware):
    """uvicorn's proxy headers. The outermost layer: everything else sees the client's address.

    uvicorn would add the same class around the application; `server.config` tells it not to.
    """

    def __init__(self, app: Any, trusted_hosts: list[str]) -> None:
        super().__init__(app, "*" if "*" in trusted_hosts else trusted_hosts)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        peer = scope.get("client")
        if scope["type"] != "lifespan" and (peer is None or peer[0] not in self.trusted_hosts):
            proxies.note(scope)
        await super().__call__(scope, receive, send)
