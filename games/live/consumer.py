"""A socket at a table: parse, check rate and size, delegate. The hub and the services do everything else."""

import asyncio
import logging
from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from games.fold import SPECTATOR, Viewer
from games.permissions import Login, Person, may_see, person_of, seat_of
from games.selectors.games import table_by_slug
from games.selectors.tables import referee_viewer
from tock_league.common import logs
from tock_league.common.errors import Refused
from tock_league.common.metrics import SOCKETS

from . import doors, limits, people, telling
from .feed import Client, Feed
from .hub import hub
from .messages import (
    CLOSE_BAD_FRAME,
    CLOSE_IDLE,
    CLOSE_NO_TABLE,
    CLOSE_RATE,
    CLOSE_REVOKED,
    CLOSE_SIGN_IN,
    CLOSE_SLOW,
    CLOSE_TOO_OLD,
    SUBPROTOCOL,
    BadFrame,
    Beat,
    Cmd,
    Join,
    decode,
)
from .outbox import Outbox
from .threads import in_thread

log = logging.getLogger(__name__)

CLOSES = {
    doors.AUTH: CLOSE_SIGN_IN,
    doors.SEAT_LOST: CLOSE_REVOKED,
    doors.IDLE: CLOSE_IDLE,
    doors.CROWD: CLOSE_RATE,
}


class TableConsumer(AsyncWebsocketConsumer):
    """One socket. The first frame is `join`. The person is known by the login, never by a frame."""

    # No channel of its own: the hub has one for the whole process.
    channel_layer_alias = "none"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket, and clean up however it ends."""
        self.client: Client | None = None
        self.feed: Feed | None = None
        self.visit: doors.Visit | None = None
        self.closing = self.left = False
        self.scope, self.base_send = scope, send
        with SOCKETS.track_inprogress():
            try:
                while not self.left:
                    await self.dispatch(await receive())
            finally:
                await self._leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler and nothing else.

        Channels would first close old connections in the one thread that all synchronous views share, so a slow page
        would delay every table. It would also start a task for each frame that listens to a channel layer; the hub
        listens for all sockets.
        """
        await getattr(self, get_handler_name(message))(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        self.left = True
        await self.disconnect(message.get("code", 1000))

    async def connect(self) -> None:
        self.rate, self.joins = limits.frames(), limits.joins()
        if SUBPROTOCOL not in self.scope.get("subprotocols", ()):
            await self.accept()
            await self.close(CLOSE_TOO_OLD)
            return
        await self.accept(SUBPROTOCOL)
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        logs.add_context(table=self.slug)
        try:
            found = await in_thread(self._find)
        except Refused as error:  # of the token
            log.info("a token is refused: %s", error.code)
            await self.close(CLOSE_REVOKED if error.status == 403 else CLOSE_SIGN_IN)
            return
        if found is None:
            await self.close(CLOSE_NO_TABLE)
            return
        self.table_id, person, login, self.seat, is_closed_circle = found
        self.client = Client(person=person, login=login, close=self.close_soon)
        self.visit = doors.Visit(login, person, self._shown_out, keeps=self.seat if is_closed_circle else None)
        doors.watch().enter(self.visit)

    def _find(self) -> tuple[int, Person, Login, int | None, bool] | None:
        """Return the ids of the table, person, login and seat, and whether only its seats see the table; in a thread."""
        table = table_by_slug(self.slug)
        if table is None:
            return None
        visitor = people.visitor_of(self.scope)
        person = person_of(visitor.user, visitor.session)
        if not may_see(table, person):
            return None
        login = people.login_of(visitor.user, visitor.session, visitor.token)
        return table.pk, person, login, seat_of(table.pk, person), table.seated_only

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.client is None or self.visit is None or self.closing:
            return
        self.visit.hear()
        if not self.rate.allows():
            self.close_soon(CLOSE_RATE)
            return
        try:
            if text_data is None:
                raise BadFrame("frame", "must be text")
            frame = decode(text_data)
            if self.feed is None and not isinstance(frame, Join):
                raise BadFrame("t", "join comes first")
        except BadFrame as error:
            log.info("bad frame at table %s: %s", self.slug, error)
            self.close_soon(CLOSE_BAD_FRAME)
            return
        if isinstance(frame, Join):
            if not self.joins.allows():
                self.close_soon(CLOSE_RATE)
                return
            await self._join(self.client, self.visit, frame)
        elif self.feed is not None:
            self._handle(self.feed, self.client, frame)

    async def _join(self, client: Client, visit: doors.Visit, frame: Join) -> None:
        if frame.table != self.slug:
            self.close_soon(CLOSE_BAD_FRAME)
            return
        viewer = await self._viewer(client, frame.as_)
        if viewer is None:
            known = client.person.player_id is not None or client.person.guest_key
            self.close_soon(CLOSE_REVOKED if known else CLOSE_SIGN_IN)
            return
        client.viewer = viewer
        client.tab = frame.tab
        logs.add_context(seat=viewer.seat)
        visit.joins(self.table_id, viewer)
        if self.feed is None:
            client.outbox = Outbox(
                self._send,
                on_drained=self._drained,
                on_stuck=lambda: self.close_soon(CLOSE_SLOW),
            )
            self.feed = await hub().attach(self.table_id, client)
        await hub().join(self.feed, client, frame)

    async def _viewer(self, client: Client, role: str) -> Viewer | None:
        """Return the viewer of this person in that role, or None without the right to it."""
        if role == "seat":
            return Viewer(seat=self.seat) if self.seat is not None else None
        if role == "referee":
            return await in_thread(referee_viewer, self.table_id, client.person)
        return SPECTATOR

    def _handle(self, feed: Feed, client: Client, frame: Cmd | Beat) -> None:
        if isinstance(frame, Beat):
            telling.beat(feed, client, frame)
        else:
            if self.visit is not None:
                self.visit.acted = True
            hub().enqueue(feed, client, frame)

    async def _send(self, text: str) -> None:
        await self.send(text_data=text)

    def _drained(self) -> None:
        if self.feed is not None and self.client is not None:
            telling.snap(self.feed, self.client, "overflow")  # one view replaces all missed events

    def close_soon(self, code: int) -> None:
        """Close this socket after the frames in its queue; callable from anywhere on the loop."""
        if not self.closing:
            self.closing = True
            self.ending = asyncio.ensure_future(self._close(code))

    async def _close(self, code: int) -> None:
        try:
            if self.feed is not None and self.client is not None and code not in (CLOSE_SLOW, CLOSE_BAD_FRAME):
                await self.client.outbox.flush(1.0)
            await self.close(code)
        except Exception as error:  # the client has closed it already
            log.debug("close: %s", type(error).__name__)

    def _shown_out(self, why: str) -> None:
        self.close_soon(CLOSES[why])

    async def disconnect(self, code: int) -> None:
        await self._leave()

    async def _leave(self) -> None:
        """Remove this socket from the watch and the hub. Idempotent."""
        self.closing = True
        visit, self.visit = self.visit, None
        if visit is not None:
            await doors.leave(visit)
        feed, self.feed = self.feed, None
        if self.client is not None and feed is not None:
            await hub().detach(feed, self.client)
            await self.client.outbox.stop()
