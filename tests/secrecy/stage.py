"""A table and its people in one thread: the site's own consumer, views and services, without waiting and without threads.

Work that the site sends to a thread runs at once, the clock is frozen, and the hub's own timer is called by the stage. So
two runs of the same commands give the same bytes in the same order.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from unittest import mock

from channels.routing import URLRouter
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.handlers import base as handlers
from django.db import connection
from django.middleware import csrf
from django.test import Client
from django.test.utils import override_settings

from games import store
from games.live import doors, limits
from games.live import feed as feed_room
from games.live import hub as hub_room
from games.live.messages import SUBPROTOCOL
from games.live.urls import websocket_urlpatterns
from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.transactions import writing

APP = URLRouter(websocket_urlpatterns)
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
SEATS = 8  # of the largest table
EVENING = datetime(2026, 11, 19, 23, 30, tzinfo=UTC)
NEVER_S = 10**9
MANY = 10**9
BOUNDS = {  # a run asks more in a second than people in an hour
    "LIVE_SOCKETS_PER_ADDRESS": MANY,
    "LIVE_SOCKETS_PER_PERSON": MANY,
    "API_CALLS_PER_ADDRESS": MANY,
    "API_CALLS_WITHOUT_LOGIN": MANY,
    "API_CALLS_PER_PERSON": MANY,
}


class InlineLoop(asyncio.SelectorEventLoop):
    """A loop that does the work of threads at once."""

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        done = self.create_future()
        running = asyncio._get_running_loop()
        asyncio._set_running_loop(None)  # Django refuses the database where a loop runs
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        finally:
            asyncio._set_running_loop(running)
        return done


class InlinePolicy(asyncio.DefaultEventLoopPolicy):
    """Makes loops of that kind, also for the views that Django's test client calls."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return InlineLoop()


@dataclass(frozen=True)
class Somebody:
    """A person who is signed in."""

    player: Player
    user: User


class NoSession(dict[str, Any]):
    """A visitor's session: empty, without a key."""

    session_key = None


class KeyOnly(dict[str, Any]):
    """A session of which only the key is needed."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.session_key = key


class Wire:
    """One socket: what was sent to it, in order, as text."""

    def __init__(self, stage: "Stage", table: str, role: str, somebody: Somebody | None, **held: Any) -> None:
        """Connect and join; `held`: the view that the client holds already."""
        self.stage, self.texts, self.closed = stage, list[str](), 0
        self._inbound: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        signed_in = somebody is not None
        scope = {
            "type": "websocket",
            "path": f"/ws/table/{table}",
            "subprotocols": [SUBPROTOCOL],
            "user": somebody.user if somebody else AnonymousUser(),
            "session": KeyOnly(stage.session_of(somebody)) if signed_in else NoSession(),
        }
        self._task = stage.loop.create_task(APP(scope, self._inbound.get, self._take))
        self._put({"type": "websocket.connect"})
        self.send(t="join", table=table, **{"as": role}, **held)

    async def _take(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)

    def _put(self, message: dict[str, Any]) -> None:
        self._inbound.put_nowait(message)

    def send(self, **frame: Any) -> None:
        """Send a frame, and wait until the site has done everything that follows."""
        self._put({"type": "websocket.receive", "text": json.dumps(frame)})
        self.stage.settle()

    def leave(self) -> None:
        """Close the socket."""
        self._put({"type": "websocket.disconnect", "code": 1000})
        self.stage.settle()


class Stage:
    """The people, their HTTP clients, and the loop on which the sockets run. Use it inside `ready`."""

    def __init__(self, hand: clock.Frozen) -> None:
        self.loop = asyncio.new_event_loop()  # of the sockets
        self._views = asyncio.new_event_loop()
        self.hand = hand
        with writing():
            found = [self._somebody(number) for number in range(SEATS + 2)]
        self.seated, self.referee, self.onlooker = found[:SEATS], found[SEATS], found[SEATS + 1]
        self._clients: dict[int | None, Client] = {}

    @staticmethod
    def _somebody(number: int) -> Somebody:
        name = f"seen{number}"
        if not User.objects.filter(username=name).exists():
            user = User.objects.create(username=name, email=f"{name}@example.org")
            create_player(display_name=f"Personne {number}", user=user, slug=name)
        user = User.objects.select_related("player").get(username=name)
        return Somebody(user.player, user)

    def client(self, somebody: Somebody | None) -> Client:
        """Return the browser of that person; None: a visitor's."""
        key = somebody.user.pk if somebody else None
        if key not in self._clients:
            self._clients[key] = Client()
            if somebody is not None:
                self._clients[key].force_login(somebody.user, backend=BACKEND)
        return self._clients[key]

    def session_of(self, somebody: Somebody | None) -> str:
        return str(self.client(somebody).session.session_key)

    def wire(self, table: str, role: str, somebody: Somebody | None, **held: Any) -> Wire:
        """Return a joined socket; `held`: the view that its client holds already."""
        return Wire(self, table, role, somebody, **held)

    def settle(self) -> None:
        """Run the loop until nothing is ready, and then the hub's timer once."""
        self.loop.run_until_complete(self._settle())

    async def _settle(self) -> None:
        for begun in (False, True):
            while True:
                await asyncio.sleep(0)
                if not self.loop._ready:  # type: ignore[attr-defined]
                    break
            if not begun:
                hub = hub_room.hub()
                for feed in list(hub.feeds.values()):
                    hub._tick_feed(feed, clock.monotonic())

    def view_of(self, view: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
        """Return an asynchronous view as a function; Django's own adapter starts a thread for each request."""
        return lambda *args, **kwargs: self._views.run_until_complete(view(*args, **kwargs))

    def at(self, ms: int) -> None:
        """Set the time."""
        self.hand.set(clock.from_ms(ms))

    def fresh(self) -> None:
        """Forget what the process has in memory of games and of visits, and the browsers their cookies but the session's."""
        store.folded.clear()
        cache.clear()
        for client in self._clients.values():
            client.cookies.pop(settings.CSRF_COOKIE_NAME, None)

    def close(self) -> None:
        """End what still runs on the loop."""
        waiting = asyncio.all_tasks(self.loop)
        for task in waiting:
            task.cancel()
        if waiting:
            self.loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        self.loop.close()
        self._views.close()


@contextmanager
def ready(**more: Any) -> Iterator[Stage]:
    """Give a stage: threads inline, no limits on rates, no timers of the hub, no random numbers in pages."""
    policy = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(InlinePolicy())
    try:
        with ExitStack() as stack:
            patch = lambda owner, name, value: stack.enter_context(mock.patch.object(owner, name, value))  # noqa: E731
            for name in ("frames", "joins", "commands"):
                patch(limits, name, lambda: limits.Rate(MANY, 1.0))
            patch(limits.seat_rates, "_rates", {})
            patch(feed_room, "Rate", lambda count, seconds: limits.Rate(MANY, seconds))
            patch(hub_room, "TICK_S", NEVER_S)
            patch(hub_room, "WHO_S", -1.0)
            patch(doors, "LOOK_S", NEVER_S)
            patch(csrf, "get_random_string", lambda length, allowed_chars="": "a" * length)
            stack.enter_context(override_settings(**BOUNDS, **more))
            stage = Stage(stack.enter_context(clock.frozen(EVENING)))
            patch(handlers, "async_to_sync", stage.view_of)
            try:
                yield stage
            finally:
                stage.close()
    finally:
        asyncio.set_event_loop_policy(policy)


def set_up_database() -> None:
    """Put a migrated database where the settings of the simulation expect one; for commands, not for tests."""
    import shutil

    from tests import migrated

    connection.close()
    shutil.copyfile(migrated._file(), str(settings.DATABASES["default"]["NAME"]))
