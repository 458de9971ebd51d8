"""Limits the size of request bodies, for every address, before anything is stored."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from django.utils.translation import override

from tock_league.common import bodies

from .answers import language_of, refuse

App = Callable[..., Awaitable[Any]]


class Bodies:
    """Refuses large bodies with 413: by Content-Length at once, or as soon as a body in pieces has become too large.

    Django itself would first write a large body to a file, and resolve the address afterwards.
    """

    def __init__(self, application: App) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        most = bodies.most_bytes(scope["path"])
        if announced(scope["headers"]) > most:
            await too_large(scope, send, most)
            return
        await Counted(self.application, scope, receive, send, most).run()


class Counted:
    """One request whose body is counted while it comes."""

    def __init__(self, application: App, scope: dict[str, Any], receive: Any, send: Any, most: int) -> None:
        self.application, self.scope, self.most = application, scope, most
        self._receive, self._send = receive, send
        self.count = 0
        self.started = self.refused = False

    async def run(self) -> None:
        await self.application(self.scope, self.receive, self.send)

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._receive()
        if message["type"] == "http.request":
            self.count += len(message.get("body", b""))
            if self.count > self.most and not self.refused:
                self.refused = True
                if not self.started:
                    await too_large(self.scope, self._send, self.most)
        return {"type": "http.disconnect"} if self.refused else message

    async def send(self, message: dict[str, Any]) -> None:
        if not self.refused:
            self.started = True
            await self._send(message)


def announced(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """Return the length that the headers announce, 0 when they announce none."""
    for name, value in headers:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def too_large(scope: dict[str, Any], send: Any, most: int) -> None:
    """Answer 413 and close the connection without reading the rest."""
    with override(language_of(scope["headers"])):
        sentence = str(bodies.too_large(most).sentence)
    await refuse(scope, send, 413, "too_large", sentence, headers=[(b"connection", b"close")])
