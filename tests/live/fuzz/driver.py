"""Send frames of the grammar to real sockets and HTTP twins, and judge the responses."""

import asyncio
import hashlib
import json
import logging
import random
from collections import Counter
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import AnonymousUser
from django.test import AsyncClient

from games.fold import Viewer, view, view_hash
from games.live import limits
from games.live.doors import watch
from games.live.hub import hub
from games.live.messages import NAK_CODES, SUBPROTOCOL, BadFrame, Cmd, decode
from games.live.threads import in_thread
from games.models import Table
from tests.live.sockets import APP, Socket

from . import grammar
from .bystanders import Bystanders
from .grammar import Chance, Known
from .world import KINDS, World

CLOSES = {1012, 4001, 4002, 4003, 4004, 4008, 4010, 4011, 4013}
STATUSES = {200, 400, 403, 404, 405, 409, 413, 429, 503}
PATIENCE_S = 60.0
TOKEN, BACKEND = "a" * 32, "allauth.account.auth_backends.AuthenticationBackend"
REFEREE, NOBODY = 4, 5
real_frames = limits.frames
FENCE = 1_000_000_000  # numbers of the heartbeats that check whether everything before them was answered


class Wrong(AssertionError):
    """A fault that the fuzz found."""


class Errors(logging.Handler):
    """Everything that is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(logging.Formatter().format(record))


class Driver:
    """One run."""

    def __init__(self, world: World, seed: str) -> None:
        self.world, world.seed = world, seed
        self.sent = self.visits = 0  # hostile frames, and visits
        self.answers: Counter[str] = Counter()  # how often each kind of response came
        self.digest = hashlib.sha256()  # of all hostile frames
        self.history: list[str] = []  # what the current visit sent
        self.known: dict[str, Known] = {}  # by slug: what was sent at a table
        self.beside = Bystanders(world, lambda: self.sent)
        self.errors = Errors()
        self.open: list[Socket] = []  # sockets that stay open when their visit ends

    async def begin(self) -> None:
        logging.getLogger().addHandler(self.errors)
        asyncio.get_running_loop().set_exception_handler(self._raised)
        await self.beside.sit_down()

    def _raised(self, loop: Any, context: dict[str, Any]) -> None:
        self.errors.lines.append(f"{context.get('message')}: {context.get('exception')!r}")

    async def end(self) -> None:
        """Close all sockets."""
        for socket in self.open:
            await self._leave(socket)
        await self.beside.leave()
        logging.getLogger().removeHandler(self.errors)

    @staticmethod
    def check_nothing_is_left() -> None:
        """Check that nothing is left of all the sockets. Raises Wrong."""
        if hub().feeds or watch().inside:
            raise Wrong(f"left behind: {list(hub().feeds)} {len(watch().inside)}")

    # --- a visit

    async def visit(self, chance: Chance) -> None:
        """Come to a table, send some frames, leave; every second time the bystanders make a play meanwhile."""
        self.visits += 1
        self.history = []
        beside = asyncio.create_task(self.beside.play()) if self.visits % 2 else None
        try:
            await self._visit(chance)
        finally:
            if beside is not None:
                await beside
        if self.errors.lines:
            raise Wrong(self.errors.lines[0])

    async def _visit(self, chance: Chance) -> None:
        table = await in_thread(self.world.table, chance.choose(KINDS))
        await self._go_on(chance, table, chance.choose([0, 1, 2, 5, 12]))
        state = await in_thread(self.world.state, table)
        seat = chance.choose(sorted(state.may_act) or [0]) if not chance.once_in(3) else chance.below(4)
        who = chance.choose([*[seat] * 12, REFEREE, NOBODY, None])
        role = "referee" if who == REFEREE else "seat" if who is not None and chance.below(12) else "spectator"
        known = self._known(table, role)
        if chance.once_in(6):
            await self._by_http(chance, table, who, known)
            return
        socket = Socket(table.slug, user=AnonymousUser() if who is None else self.world.users[who], role=role)
        if chance.once_in(25):
            await self._turned_away(chance, socket)
            return
        flood = chance.once_in(40)
        limits.frames = real_frames if flood else lambda: limits.Rate(10_000, 1.0)
        await self._connect(socket)
        count = 30 if flood else 2 + chance.below(30)
        if await self._talk(chance, table, socket, known, count) and chance.once_in(3):
            self.open.append(socket)
            if len(self.open) > 3:
                await self._leave(self.open.pop(0))
        else:
            await self._leave(socket)

    async def _go_on(self, chance: Chance, table: Table, steps: int) -> None:
        await in_thread(self.world.advance, table, steps, random.Random(chance.below(2**30)))

    def _look(self, table: Table, socket: Socket, known: Known) -> None:
        """Record what the socket's seat may know now, read from the fold: which frames have arrived by now varies."""
        users = self.world.users[:4]
        if socket.role != "seat" or socket.scope["user"] not in users:
            return
        state = self.world.state(table)
        known.view = view(state, Viewer(users.index(socket.scope["user"])))
        known.seq, known.epoch, known.hash = state.seq, state.epoch, view_hash(known.view)

    def _known(self, table: Table, role: str) -> Known:
        others = [other.slug for other in self.world.tables.values() if other != table]
        known = self.known.get(table.slug)
        if known is None:
            self.known = {
                other.slug: self.known[other.slug] for other in self.world.tables.values() if other.slug in self.known
            }
            known = self.known[table.slug] = Known([])
        known.slugs, known.role = [table.slug, *others, self.beside.table.slug], role
        known.view, known.seq, known.epoch, known.hash = {}, 0, 0, ""
        return known

    async def _connect(self, socket: Socket) -> None:
        socket.inner = ApplicationCommunicator(APP, socket.scope)
        await socket.inner.send_input({"type": "websocket.connect"})
        if (await socket.inner.receive_output(PATIENCE_S))["type"] != "websocket.accept":
            raise Wrong("not accepted")

    async def _turned_away(self, chance: Chance, socket: Socket) -> None:
        """Connect without the subprotocol, or to a table that does not exist."""
        if chance.once_in(2):
            socket.scope["subprotocols"] = chance.choose([[], ["tock.table.v0"], ["", SUBPROTOCOL.upper()]])
        else:
            socket.scope["path"] = f"/ws/table/{chance.choose(['nowhere', 'x' * 300, '-', '0'])}"
        await self._connect(socket)
        message = await socket.inner.receive_output(PATIENCE_S)
        if message["type"] != "websocket.close" or message["code"] not in (4004, 4010):
            raise Wrong(f"a stranger got {message}")
        self.sent += 1
        self.answers[f"close {message['code']}"] += 1
        await self._leave(socket)

    async def _leave(self, socket: Socket) -> None:
        await socket.inner.send_input({"type": "websocket.disconnect", "code": 1006})
        await socket.inner.wait(PATIENCE_S)

    def _note(self, frame: str | bytes) -> None:
        self.sent += 1
        raw = frame if isinstance(frame, bytes) else frame.encode("utf-8", "surrogatepass")
        self.history.append(repr(frame)[:6000])
        self.digest.update(raw + b"\n")

    async def _talk(self, chance: Chance, table: Table, socket: Socket, known: Known, count: int) -> bool:
        """Send `count` frames; return whether the socket is still open."""
        joined = False
        for number in range(count):
            await in_thread(self._look, table, socket, known)
            frame = grammar.frame(chance, known, first=number == 0)
            self._note(frame)
            part = {"bytes": frame} if isinstance(frame, bytes) else {"text": frame}
            await socket.inner.send_input({"type": "websocket.receive", **part})
            if not await self._answered(socket, frame, number, joined=joined):
                return False
            joined = True
            if chance.once_in(4):
                await self._go_on(chance, table, 1)
        return True

    async def _answered(self, socket: Socket, frame: str | bytes, number: int, *, joined: bool) -> bool:
        """Wait until the frame and all before it are answered; return whether the socket is still open."""
        waiting = self._id_of(frame) if joined else ""
        fence = FENCE + number if joined else None
        if fence is not None:
            await socket.send(t="hb", n=fence, have=socket.seq, hash=socket.hash)
        while True:
            try:
                message = await socket.inner.receive_output(PATIENCE_S)
            except TimeoutError:
                raise Wrong(f"no answer; still waiting for {waiting or 'a heartbeat'}") from None
            if message["type"] == "websocket.close":
                code = message.get("code", 1000)
                self.answers[f"close {code}"] += 1
                if code not in CLOSES:
                    raise Wrong(f"closed with {code}")
                return False
            answer = json.loads(message["text"])
            self._hold(socket, answer)
            if answer["t"] in ("ack", "nak"):
                self._judge(answer)
                waiting = "" if answer["id"] == waiting else waiting
            elif fence is None:
                self.answers["joined"] += 1
                return True
            elif answer["t"] == "hb" and answer["n"] == fence:
                fence = -1
            if fence == -1 and not waiting:
                self.answers["heard"] += 1
                return True

    @staticmethod
    def _hold(socket: Socket, answer: dict[str, Any]) -> None:
        """Record what an honest heartbeat would say; a client that lies about its view gets what follows that view."""
        if answer["t"] in ("snap", "ev"):
            socket.seq = answer["seq"] if answer["t"] == "snap" else answer["list"][-1]["seq"]
            socket.hash = answer["hash"]

    @staticmethod
    def _id_of(frame: str | bytes) -> str:
        """Return the id of a command that must be answered."""
        try:
            found = decode(frame) if isinstance(frame, str) else None
        except BadFrame:
            return ""
        return found.id if isinstance(found, Cmd) else ""

    def _judge(self, answer: dict[str, Any]) -> None:
        if answer["t"] == "ack":
            self.answers["ack"] += 1
            return
        self.answers[f"nak {answer['code']}"] += 1
        if answer["code"] not in NAK_CODES or answer["code"] == "internal":
            raise Wrong(f"answered {answer}")

    # --- the HTTP twins

    async def _by_http(self, chance: Chance, table: Table, who: int | None, known: Known) -> None:
        client = AsyncClient(enforce_csrf_checks=True, raise_request_exception=False)
        client.cookies["csrftoken"] = TOKEN
        if who is not None:
            await client.aforce_login(self.world.users[who], BACKEND)
        base = f"/api/tables/{chance.choose([table.slug] * 8 + ['nowhere', 'x' * 200])}"
        for _ in range(1 + chance.below(4)):
            snap = await client.get(f"{base}/snap")
            if snap.status_code == 200 and snap.json()["you"]["role"] == "seat":
                held = snap.json()
                known.view, known.seq, known.epoch, known.hash = held["view"], held["seq"], held["epoch"], held["hash"]
            if chance.once_in(3):
                query = self._query(chance, known)
                self._note(query)
                self._http(await client.get(f"{base}/events{query}"))
            else:
                frame = grammar.frame(chance, known)
                self._note(frame)
                body = frame if isinstance(frame, bytes) else frame.encode("utf-8", "surrogatepass")
                kind = chance.choose(["application/json"] * 5 + ["text/plain", "multipart/form-data; boundary=x"])
                self._http(
                    await client.generic(
                        "POST", f"{base}/commands", body, content_type=kind, headers={"X-CSRFToken": TOKEN}
                    )
                )

    @staticmethod
    def _query(chance: Chance, known: Known) -> str:
        found = []
        for name, right in (
            ("epoch", known.epoch),
            ("since", known.seq),
            ("wait", 0),
            ("game", known.view.get("game", "")),
        ):
            if chance.once_in(4):
                found.append(
                    f"{name}={chance.choose([*grammar.NUMBERS, '%00', '%ff', '%F0%9F%82%A1', '', '٣', 'x' * 500])}"
                )
            elif not chance.once_in(4):
                found.append(f"{name}={right}")
        # A long poll is not waited for.
        return "?" + "&".join(
            part for part in found if not part.startswith("wait=") or part[5:] in ("0", "-1", "", "1_0")
        )

    def _http(self, response: Any) -> None:
        self.answers[f"http {response.status_code}"] += 1
        if response.status_code not in STATUSES:
            raise Wrong(f"HTTP {response.status_code}: {response.content[:300]!r}")
        if response.status_code == 400 and response.headers["Content-Type"].startswith("text/html"):
            return  # Django's own page: an invalid form, detected while the CSRF token was checked
        told = json.loads(response.content)
        if "error" not in told and told.get("t") not in ("ack", "nak", "snap", "ev", "hb"):
            raise Wrong(f"HTTP {response.status_code}: {told}")
        if told.get("t") in ("ack", "nak"):
            self._judge(told)
