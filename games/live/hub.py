"""The hub of a process and loop: each table with viewers here is folded once and sent to all its sockets.

The database is the source of truth. After a hint the hub reads it at once. If a hint is lost, a check every two seconds
finds the change; if a frame is lost, the client's heartbeat finds the difference. A client is attached first and gets
its view afterwards, so no event is lost in between.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from games.announcements import PlaysRecorded
from games.selectors import games as reader
from games.selectors import tables as table_reader
from tock_league.common import clock, logs
from tock_league.common.metrics import FANOUT_SECONDS

from . import hints, relay, telling, worker
from .feed import Client, Feed
from .messages import CLOSE_RESTART, Cmd, Join, Note, encode
from .threads import in_thread

log = logging.getLogger(__name__)

TICK_S = 0.25
LOOK_S = 2.0  # between two checks of the database, one query for all tables
WHO_S = 1.0
NAMES_S = 60.0  # between two readings of who sits at the tables, one query for all: names change seldom
DRAIN_S = 3.0


class Hub:
    """The feeds of one loop. Its tasks only run while clients are attached."""

    def __init__(self) -> None:
        self.feeds: dict[int, Feed] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._listening: int | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.draining = False

    # --- sockets connect and leave

    async def attach(self, table_id: int, client: Client) -> Feed:
        """Add the client to the table's feed; it receives nothing before `join` has sent its first view."""
        feed = self.feeds.setdefault(table_id, Feed(table_id))
        feed.clients.add(client)
        if feed.worker is None:
            feed.worker = asyncio.create_task(worker.work(self, feed))
        self._start()
        return feed

    async def detach(self, feed: Feed, client: Client) -> None:
        """Remove the client, and the feed with its last client."""
        feed.clients.discard(client)
        feed.tabs.leave(client)
        feed.who_due = True
        if feed.clients:
            return
        if self.feeds.get(feed.table_id) is feed:
            del self.feeds[feed.table_id]
        if feed.worker is not None:
            working, feed.worker = feed.worker, None
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
        if not self.feeds:
            await self._stop()

    async def join(self, feed: Feed, client: Client, frame: Join) -> None:
        """Send the client the events it lacks, or the whole view; then the presence.

        A client that joins to play takes its seat; the other windows of the seat are told.
        """
        client.sent, client.waits = None, False
        if client.seated and not frame.aside:
            feed.tabs.take(client)
            for other in feed.clients:
                if other is not client and other.viewer == client.viewer and other.sent is not None:
                    other.put(Note("other_tab", clock.now_ms()))
        await self.refresh(feed)
        if not await telling.resume(feed, client, frame):
            telling.snap(feed, client, "join")
        telling.advance(feed, client, clock.now_ms())
        client.put(telling.who(feed))
        feed.who_due = True

    # --- sending

    async def refresh(self, feed: Feed) -> None:
        """Read what is new and send it to everybody. Calls that arrive during a read share one further read."""
        feed.stale = True
        async with feed.reading:
            if not feed.stale:
                return
            feed.stale = False
            try:
                found = await in_thread(feed.fetch, watched=feed.watched, refereed=feed.refereed)
            except Exception:
                log.exception("table %s cannot be read", feed.table_id)
                feed.stale = True
                for client in feed.clients:
                    client.put(Note("delay", clock.now_ms()))
                return
            before = feed.private.state.ready if feed.private else None
            feed.finish(found)
            if found.base is not None:
                telling.advance_all(feed)  # the last events of a finished game are sent before the next game's snap
            feed.take(found)
            feed.who_due |= feed.private is not None and feed.private.state.ready != before
            if found.referees is not None:
                telling.look_at_referees(feed, found.referees)
            telling.advance_all(feed)

    def enqueue(self, feed: Feed, client: Client, command: Cmd) -> None:
        """Put a command on the table's queue, or refuse it at once."""
        worker.enqueue(feed, client, command, draining=self.draining)

    # --- background tasks

    def hint(self, table_id: int) -> None:
        """Handle a hint of another process: there is something to read at that table."""
        feed = self.feeds.get(table_id)
        if feed is not None:
            self._soon(self.refresh(feed))

    def hear(self, news: PlaysRecorded) -> None:
        """Handle rows that this process has committed. A response is sent before the events that it caused."""
        feed = self.feeds.get(news.table_id)
        if feed is None:
            return
        if feed.busy:
            feed.held_back.append(news)
        else:
            self._take(feed, news)

    def tell_held_back(self, feed: Feed) -> None:
        """Send the events that arrived while the table's worker carried a command out."""
        news, feed.held_back = feed.held_back, []
        for each in news:
            self._take(feed, each)

    def _take(self, feed: Feed, news: PlaysRecorded) -> None:
        """Send what was committed to the sockets: from the hint if it is enough, else from the database."""
        ready = feed.private.state.ready if feed.private else None
        enough = feed.hand_over(news)
        feed.who_due |= feed.private is not None and feed.private.state.ready != ready
        telling.advance_all(feed)
        if enough:
            FANOUT_SECONDS.observe(clock.monotonic() - news.committed_s)
        else:
            self._soon(self._read(feed, news))

    async def _read(self, feed: Feed, news: PlaysRecorded) -> None:
        await self.refresh(feed)
        FANOUT_SECONDS.observe(clock.monotonic() - news.committed_s)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _start(self) -> None:
        if self._tasks:
            return
        self._listening = hints.listen(self.hear)
        self._tasks = [asyncio.create_task(self._tick())]
        layer = get_channel_layer()
        if hints.crosses_processes(layer):
            self._tasks += relay.start(self, layer)

    async def _stop(self) -> None:
        tasks, self._tasks = self._tasks, []
        if self._listening is not None:
            hints.forget(self._listening)
            self._listening = None
        for task in tasks:
            task.cancel()
        # Await reads that are still running: this hub must not read the database after its last client has left.
        await asyncio.gather(*tasks, *self._running, return_exceptions=True)

    async def _tick(self) -> None:
        logs.set_context({})  # the task must not carry the context of the first socket
        look = names = clock.monotonic()
        while True:
            await asyncio.sleep(TICK_S)
            now = clock.monotonic()
            for feed in list(self.feeds.values()):
                self._tick_feed(feed, now)
            if now - look >= LOOK_S:
                look = now
                self._soon(self._look())
            if now - names >= NAMES_S:
                names = now
                self._soon(self._look_at_names())

    def _tick_feed(self, feed: Feed, now: float) -> None:
        try:
            if feed.show():
                for client in feed.clients:
                    if not client.live and client.sent is not None:
                        telling.advance(feed, client, clock.now_ms())
        except Exception:
            log.exception("spectators of table %s", feed.table_id)
        if feed.who_due and now - feed.who_at >= WHO_S:
            feed.who_due, feed.who_at = False, now
            text = encode(telling.who(feed))
            for client in feed.clients:
                if client.sent is not None:
                    client.outbox.put(text)

    async def _look(self) -> None:
        """Read in one query how far each table is, and refresh the feeds that differ, for example after a lost hint."""
        try:
            found = await in_thread(reader.latest, list(self.feeds))
        except Exception as error:
            log.warning("tables cannot be looked at: %s", type(error).__name__)
            for client in [client for feed in self.feeds.values() for client in feed.clients]:
                if client.sent is not None:
                    client.put(Note("delay", clock.now_ms()))
            return
        for table_id, latest in found.items():
            feed = self.feeds.get(table_id)
            if feed is None:
                continue
            if feed.stale or feed.refereed or not feed.stands_at(latest):
                await self.refresh(feed)

    async def _look_at_names(self) -> None:
        """Tell who sits at the tables where it is no longer so: somebody may have got another name, or a pseudonym."""
        try:
            found = await in_thread(table_reader.seats_of_all, list(self.feeds))
        except Exception as error:
            log.warning("names cannot be looked at: %s", type(error).__name__)
            return
        for table_id, seats in found.items():
            feed = self.feeds.get(table_id)
            if feed is not None and feed.seats and feed.seats != seats:
                feed.seats, feed.who_due = seats, True

    async def drain(self) -> None:
        """Prepare a stop: announce it, accept no more commands, finish the accepted ones, close sockets with 1012."""
        self.draining = True
        feeds = list(self.feeds.values())
        for feed in feeds:
            for client in feed.clients:
                client.put(Note("deploy", clock.now_ms()))
        waiting = [feed.commands.join() for feed in feeds]
        if waiting:
            await asyncio.wait([asyncio.ensure_future(each) for each in waiting], timeout=DRAIN_S)
        clients = [client for feed in feeds for client in feed.clients]
        await asyncio.gather(*(client.outbox.flush(0.5) for client in clients))
        for client in clients:
            client.close(CLOSE_RESTART)


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def hub() -> Hub:
    """Return the hub of the running loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def drain() -> None:
    """Drain the hub of the running loop, if there is one."""
    found = _hubs.get(asyncio.get_running_loop())
    if found is not None:
        await found.drain()
