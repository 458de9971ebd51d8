"""A client of a table's socket, for tests: it keeps the view as the page does."""

import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from games.fold import merge, view_hash
from games.live.messages import SUBPROTOCOL
from games.live.threads import in_thread
from games.live.urls import websocket_urlpatterns
from tock_league.accounts.models import Player, User
from tock_league.common.transactions import writing

from . import conforming

APP = URLRouter(websocket_urlpatterns)
T = TypeVar("T")


def off_loop(work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
    """Return `work` as an awaitable: done in a thread that returns its database connection."""

    async def run(*args: Any, **kwargs: Any) -> T:
        return await in_thread(work, *args, **kwargs)

    return run


class NoSession(dict[str, Any]):
    """A visitor's session: empty, without a key."""

    session_key = None


def login_of(player: Player) -> User:
    """Return the user that plays as `player`, created if needed."""
    player.refresh_from_db()
    if player.user is None:
        with writing():
            player.user = User.objects.create(email=f"{player.slug}@example.org")
            player.save()
    return player.user


class Socket:
    """One connection, with the view, seq, epoch, hash and clocks that a page would hold."""

    patience = 5.0  # seconds to wait for the next frame, by default

    def __init__(
        self,
        table: str,
        *,
        user: Any = None,
        session: Any = None,
        role: str = "seat",
        token: str = "",
        offered: Sequence[str] = (),
    ) -> None:
        self.table, self.role = table, role
        self.scope = {
            "type": "websocket",
            "path": f"/ws/table/{table}",
            "subprotocols": [SUBPROTOCOL, *offered],
            "headers": [(b"authorization", f"Bearer {token}".encode())] if token else [],
            "user": user or AnonymousUser(),
            "session": session if session is not None else NoSession(),
        }
        self.frames: list[dict[str, Any]] = []  # all frames received
        self.texts: list[str] = []  # the same frames as text
        self.view: dict[str, Any] = {}
        self.seq = self.epoch = 0
        self.hash = ""
        self.clocks: dict[str, Any] = {}

    @classmethod
    async def of(cls, table: str, player: Player, **more: Any) -> "Socket":
        """Return a joined socket of that player's seat."""
        socket = cls(table, user=await off_loop(login_of)(player), **more)
        await socket.enter()
        return socket

    async def connect(self) -> None:
        self.inner = ApplicationCommunicator(APP, self.scope)
        await self.inner.send_input({"type": "websocket.connect"})
        assert (await self.inner.receive_output(5))["type"] == "websocket.accept"

    async def enter(self, **held: Any) -> dict[str, Any]:
        """Connect and join; return the first frame."""
        await self.connect()
        await self.join(**held)
        return await self.frame()

    async def join(self, **held: Any) -> None:
        await self.send(t="join", table=self.table, **{"as": self.role}, **held)

    async def send(self, **frame: Any) -> None:
        conforming.from_client(frame)
        await self.raw(json.dumps(frame))

    async def raw(self, text: str) -> None:
        await self.inner.send_input({"type": "websocket.receive", "text": text})

    async def frame(self, timeout: float | None = None) -> dict[str, Any]:
        """Return the next frame, applied to the view."""
        message = await self.inner.receive_output(timeout or self.patience)
        assert message["type"] == "websocket.send", message
        text = message["text"]
        frame: dict[str, Any] = json.loads(text)
        self.texts.append(text)
        self.frames.append(frame)
        conforming.from_server(frame)
        self._take(frame)
        return frame

    async def until(self, kind: str, timeout: float | None = None, **wanted: Any) -> dict[str, Any]:
        """Return the next frame of that kind with these values; the frames before it are applied too."""
        while True:
            frame = await self.frame(timeout)
            if frame["t"] == kind and all(frame.get(name) == value for name, value in wanted.items()):
                return frame

    async def reach(self, seq: int, timeout: float | None = None) -> None:
        """Apply frames until the view is at `seq`."""
        while self.seq < seq:
            await self.frame(timeout)

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["t"] == "snap":
            self.view, self.seq, self.epoch, self.hash = frame["view"], frame["seq"], frame["epoch"], frame["hash"]
            assert view_hash(self.view) == self.hash
        elif frame["t"] == "ev":
            assert frame["from"] == frame["list"][0]["seq"]
            for event in frame["list"]:
                if event["seq"] <= self.seq:
                    continue
                assert event["seq"] == self.seq + 1, "a gap"
                self.view, self.seq = merge(self.view, event["set"]), event["seq"]
            if frame["list"][-1]["seq"] == self.seq:
                self.hash = frame["hash"]
                assert view_hash(self.view) == self.hash
        if "clocks" in frame:
            self.clocks = frame["clocks"]

    async def command(self, kind: str, /, *, turn: str = "", id: str = "", **args: str) -> dict[str, Any]:
        """Send a command and return its ack or nak."""
        id = id or str(uuid.uuid4())
        await self.send(t="cmd", id=id, turn=turn or self.view["decision"], kind=kind, args=args)
        while True:
            frame = await self.frame()
            if frame["t"] in ("ack", "nak") and frame["id"] == id:
                return frame

    async def closed(self, timeout: float = 5) -> int:
        """Return the code with which the server closes; frames before it are applied."""
        while True:
            message = await self.inner.receive_output(timeout)
            if message["type"] == "websocket.close":
                return int(message.get("code", 1000))
            if message["type"] == "websocket.send":
                self.texts.append(message["text"])
                frame = json.loads(message["text"])
                self.frames.append(frame)
                conforming.from_server(frame)
                self._take(frame)

    async def leave(self) -> None:
        await self.inner.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.inner.wait(5)
