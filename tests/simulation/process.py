"""A server process: its memory, its tasks, its virtual threads, and the moment of its kill."""

import asyncio
import contextvars
import random
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.test import RequestFactory

from games.live import http
from games.live.messages import SUBPROTOCOL
from games.live.urls import websocket_urlpatterns
from tock_league.embedded.scheduler import Scheduler

from .database import Killed
from .layer import Layer
from .loop import OF
from .seams import Memory
from .threads import Slot, VirtualThread

if TYPE_CHECKING:
    from .game import Simulation
    from .network import Link

SIMULATED = "the simulation broke the database"
APP = URLRouter(websocket_urlpatterns)
ROUND_S = 1.0  # between two rounds of the scheduler


class SignedIn:
    """A session as the middleware provides it, with a key and no data."""

    def __init__(self, key: str) -> None:
        self.session_key = key

    def get(self, name: str, default: Any = None) -> Any:
        return default


@dataclass
class Fate:
    """A planned kill or database error of a process."""

    what: str  # what is counted: "statement", "commit" or "step" (a callback of the loop)
    count: int  # how many more until it happens
    after: bool  # whether it happens after the statement instead of before it; True for a step
    fails: bool = False  # whether the statement raises a database error instead of a kill

    def comes(self, what: str, after: bool) -> bool:
        """Count one more and return whether the kill or error happens now."""
        if what != self.what or after != self.after:
            return False
        self.count -= 1
        return self.count <= 0


class Process:
    """A server process from its start to its kill. If `dead`, nothing of it runs; a restart creates a new object."""

    def __init__(self, simulation: "Simulation", name: str, roll: random.Random) -> None:
        self.simulation, self.name, self.roll = simulation, name, roll
        self.dead = False
        self.fate: Fate | None = None
        self.threads: list[VirtualThread] = []  # running or paused
        self._slots: list[Slot] = []
        self._free: list[Slot] = []
        self.links: list[Link] = []
        self.layer = Layer(self, simulation.stream(f"{name}:layer")) if simulation.scenario.processes > 1 else None
        self.context = contextvars.copy_context()
        self.context.run(OF.set, self)
        # On a busy machine threads start late, so that several commands wait and are written in one group.
        self._slow = roll.choice((1.0, 1.0, 10.0)) if simulation.scenario.tables == 1 else 15.0
        self.memory = Memory()
        self.run(self._deadlines)

    # --- running

    def run(self, work: Callable[[], Awaitable[Any]]) -> "asyncio.Task[Any]":
        """Start a task of this process."""
        loop = self.simulation.loop
        return self.simulation.keep(loop.create_task(self._unless_dead(work), context=self.context.copy()))

    async def _unless_dead(self, work: Callable[[], Awaitable[Any]]) -> Any:
        return await work()

    def thread(self, work: Callable[[], Any]) -> "asyncio.Future[Any]":
        """Run `work` in a virtual thread that starts after a short delay; return a future of its result."""
        loop = self.simulation.loop
        future: asyncio.Future[Any] = loop.create_future()
        loop.call_later(self._latency(), self._begin, work, future, context=self.context)
        return future

    def _latency(self) -> float:
        slow = self.roll.random() < 0.02
        return self.roll.uniform(0.05, 0.8) if slow else self.roll.uniform(0.0005, 0.008) * self._slow

    def _begin(self, work: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
        if not self._free:
            self._free.append(Slot())
            self._slots.append(self._free[-1])
        slot = self._free.pop()

        def ended(thread: VirtualThread) -> None:
            self.threads.remove(thread)
            if isinstance(thread.error, Killed):
                self.simulation.kill(self)
                return
            self._free.append(slot)
            loop = self.simulation.loop
            loop.call_later(self._latency() / 4, self._end, future, thread.found, thread.error, context=self.context)

        self.threads.append(VirtualThread(self, work, slot, ended))
        self.threads[-1].go_on()

    @staticmethod
    def _end(future: "asyncio.Future[Any]", found: Any, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(found)

    # --- dying

    def statement(self, sql: str, *, after: bool) -> None:
        """Handle the hook around each statement of this process."""
        if self.dead:
            raise Killed
        thread = VirtualThread.current
        if thread is None:
            self.simulation.wrong(f"{self.name}: a statement on the loop: {sql[:60]}")
            return
        if after and sql.startswith("COMMIT"):
            thread.release()
        if not after or sql.startswith("COMMIT"):
            thread.before("" if after else sql, self.roll, self.simulation.scenario.interruptions)
        if self.fate is None:
            return
        comes = self.fate.comes("statement", after)
        if sql.startswith("COMMIT"):
            comes = self.fate.comes("commit", after) or comes
        if not comes:
            return
        fails, self.fate = self.fate.fails, None
        when = f"{'after' if after else 'before'} {sql.split(' ', 1)[0]}"
        self.simulation.note(f"{self.name} {'meets an error' if fails else 'dies'} {when}")
        raise sqlite3.OperationalError(SIMULATED) if fails else Killed

    def step(self) -> None:
        """Count a callback of the loop, and kill the process if this is the planned moment."""
        if self.fate is not None and self.fate.comes("step", True):
            self.simulation.note(f"{self.name} dies between two steps")
            self.simulation.kill(self)

    def lose_everything(self) -> None:
        """Drop all connections; interrupted threads never continue."""
        for thread in self.threads:
            thread.release()
        for slot in self._slots:
            slot.drop()

    # --- serving

    async def _deadlines(self) -> None:
        """Run the rounds of the scheduler: deadlines, bots, heartbeat."""
        scheduler = Scheduler()  # never started: its rounds are virtual threads
        while True:
            await self.thread(scheduler.round)
            await asyncio.sleep(ROUND_S)

    def connect(self, link: "Link") -> None:
        """Serve a socket until it closes."""
        self.links.append(link)
        self.run(lambda: self._socket(link))

    async def _socket(self, link: "Link") -> None:
        user = await self.thread(lambda: self._user(link.client.user, link.client.key))
        scope = {
            "type": "websocket",
            "path": f"/ws/table/{link.client.table}",
            "subprotocols": [SUBPROTOCOL],
            "headers": [],
            "client": [link.client.address, 40_000],
            "user": user,
            "session": SignedIn(link.client.key if user.is_authenticated else ""),
        }
        link.inbound.put_nowait({"type": "websocket.connect"})
        await APP(scope, link.inbound.get, link.send_down)
        link.ended()

    @staticmethod
    def _user(user: Any, key: str) -> Any:
        """Return the user of that session or AnonymousUser, as the middleware does for each request."""
        signed_in = user is not None and Session.objects.filter(session_key=key).exists()
        return user if signed_in else AnonymousUser()

    def request(self, client: Any, method: str, path: str, body: str, answer: Callable[[int, str], None]) -> None:
        """Serve an HTTP request; `answer` gets status and body."""
        self.run(lambda: self._request(client, method, path, body, answer))

    async def _request(
        self, client: Any, method: str, path: str, body: str, answer: Callable[[int, str], None]
    ) -> None:
        make = RequestFactory()
        address = f"/api/tables/{client.table}/{path}"
        request: Any = (
            make.post(address, body, content_type="application/json", REMOTE_ADDR=client.address)
            if method == "POST"
            else make.get(address, REMOTE_ADDR=client.address)
        )
        request.user = await self.thread(lambda: self._user(client.user, client.key))
        request.session = SignedIn(client.key if request.user.is_authenticated else "")
        view = getattr(http, path.split("?", 1)[0])
        found = await view(request, slug=client.table)
        answer(found.status_code, found.content.decode())
