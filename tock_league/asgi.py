"""The ASGI entry point: pages, sockets, and the thread that processes deadlines while the process serves."""

import os
from collections.abc import Awaitable, Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")
django.setup(set_prefix=False)  # the imports below need settings and models

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from tock_league.common.gate import Pages  # noqa: E402
from tock_league.common.metrics import SOCKET_LIMIT  # noqa: E402
from tock_league.embedded.bodies import Bodies  # noqa: E402
from tock_league.embedded.crowds import Crowds  # noqa: E402
from tock_league.embedded.forwarded import Forwarded, trusted  # noqa: E402
from tock_league.embedded.origin import SameOriginForCookies  # noqa: E402
from tock_league.embedded.requests import RequestIds  # noqa: E402
from tock_league.embedded.scheduler import Scheduler  # noqa: E402
from tock_league.feed.live import Streams  # noqa: E402
from tock_league.routing import websocket_urlpatterns  # noqa: E402

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def lifespan(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Start the deadline scheduler before the first request, stop it after the last.

    Every web process has one: they share the work by claiming rows (docs/architecture.md, "Deadlines").
    """
    scheduler = Scheduler()
    SOCKET_LIMIT.set(settings.LIVE_SOCKETS)
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            scheduler.start()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await scheduler.stop_from_loop()
            await send({"type": "lifespan.shutdown.complete"})
            return


sockets = URLRouter([*websocket_urlpatterns, re_path(r"", WebsocketDenier.as_asgi())])

routes = ProtocolTypeRouter(
    {
        "http": Streams(Pages()),
        "websocket": AllowedHostsOriginValidator(SameOriginForCookies(sockets)),
        "lifespan": lifespan,
    }
)
# Crowds and Bodies refuse requests before any session, file or query.
application = Forwarded(RequestIds(Crowds(Bodies(routes))), trusted())
