"""One hub per process and loop: tables that somebody here looks at, folded once, told to every socket.

Truth is in the database. A hint makes the hub look at once, a look each two seconds finds what hints lost, and a client's
heartbeat finds what both lost. A client is attached first and reads its view afterwards, so nothing falls between.
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from games.announcements import PlaysRecorded
from games.fold import Viewer, view, view_hash
from games.selectors import games as reader
from games.services.pulse import heart
from tock_league.common import clock, logs
from tock_league.common.metrics import FANOUT_SECONDS, SNAPSHOTS

from . import commands, hints, incidents, projection, relay
from .feed import Client, Feed
from .limits import seat_rates
from .messages import CLOSE_RESTART, CLOSE_REVOKED, CLOSE_SIGN_IN, Ack, Beat, Cmd, Join, Nak, Note, Who, encode
from .threads import in_thread
from .traces import Trace
from .writer import writer

log = logging.getLogger(__name__)

TICK_S = 0.25
LOOK_S = 2.0  # between two looks at the database, one query for all tables
WHO_S = 1.0
DRAIN_S = 3.0
# Why a whole view is sent: it was asked for by `join`, the next game began, rows were taken back, too many events are lacking,
# the outbox overflowed, the client holds something else, a referee may see another hand now.
_SNAPSHOTS = {
    why: SNAPSHOTS.labels(why) for why in ("join", "game", "rewind", "behind", "overflow", "differs", "referee")
}


class Hub:
    """The feeds of one loop. Its tasks run only while somebody is attached."""

    def __init__(self) -> None:
        self.feeds: dict[int, Feed] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._listening: int | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.draining = False

    # --- sockets come and go

    async def attach(self, table_id: int, client: Client) -> Feed:
        """Add the client to the table's feed; it gets nothing until `join` has sent its first view."""
        feed = self.feeds.setdefault(table_id, Feed(table_id))
        feed.clients.add(client)
        if feed.worker is None:
            feed.worker = asyncio.create_task(self._work(feed))
        self._start()
        return feed

    async def detach(self, feed: Feed, client: Client) -> None:
        """Forget the client, and the feed with its last one."""
        feed.clients.discard(client)
        feed.tabs.leave(client)
        feed.who_due = True
        if feed.clients:
            return
        if self.feeds.get(feed.table_id) is feed:
            del self.feeds[feed.table_id]
        if feed.worker is not None:
            worker, feed.worker = feed.worker, None
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
        if not self.feeds:
            await self._stop()

    async def join(self, feed: Feed, client: Client, frame: Join) -> None:
        """Send the client the events it lacks, or the whole view; then who is there."""
        client.sent = None
        if client.seated and not frame.aside:
            feed.tabs.take(client)
            for other in feed.clients:
                if other is not client and other.viewer == client.viewer and other.sent is not None:
                    other.put(Note("other_tab", clock.now_ms()))
        await self.refresh(feed)
        if not await self._resume(feed, client, frame):
            self._snap(feed, client, "join")
        self._advance(feed, client)
        client.put(self._who(feed))
        feed.who_due = True

    async def _resume(self, feed: Feed, client: Client, frame: Join) -> bool:
        """Answer whether the view the client says it holds is one it was given; if so, it gets what follows."""
        stream, viewer = feed.stream(client.viewer), client.viewer
        if stream is None or feed.game is None or not frame.hash or frame.epoch != stream.state.epoch:
            return False
        behind = stream.state.seq - frame.since
        if not 0 <= behind <= reader.MAX_BEHIND or frame.since < 1:
            return False
        game, upto = feed.game, stream.state.seq
        if behind == 0:
            if stream.mark(viewer) != frame.hash:
                return False
            client.sent = (game.slug, upto)
            client.put(projection.beat(stream.state, viewer, n=0, now=clock.now_ms(), mark=frame.hash))
            return True
        found = stream.since(frame.since)
        if not found:
            found = await in_thread(reader.steps_between, game, frame.since, upto)
        if view_hash(view(found[0].before, viewer)) != frame.hash:
            return False
        client.put(projection.ev(found, viewer, now=clock.now_ms()))
        client.sent = (game.slug, found[-1].row.seq)
        return True

    # --- telling

    async def refresh(self, feed: Feed) -> None:
        """Read what is new and tell everybody. Calls that come while one runs are served by it."""
        feed.stale = True
        async with feed.reading:
            if not feed.stale:
                return
            feed.stale = False
            try:
                found = await in_thread(feed.fetch)
            except Exception:
                log.exception("table %s cannot be read", feed.table_id)
                feed.stale = True
                for client in feed.clients:
                    client.put(Note("delay", clock.now_ms()))
                return
            before = feed.private.state.ready if feed.private else None
            feed.finish(found)
            if found.base is not None:
                self._advance_all(feed)  # the last events of a game that is over come before the next game's snap
            feed.take(found)
            feed.who_due |= feed.private is not None and feed.private.state.ready != before
            if found.referees is not None:
                self._look_at_referees(feed, found.referees)
            self._advance_all(feed)

    def _look_at_referees(self, feed: Feed, referees: Mapping[int, int | None]) -> None:
        """Give each referee the view they may have now: a granted hand comes and goes with a snap, a lost role closes."""
        for client in [client for client in feed.clients if client.viewer.referee]:
            player = client.person.player_id
            if player is None or player not in referees:
                client.close(CLOSE_REVOKED)
            elif client.viewer.sees != referees[player]:
                client.viewer = Viewer(referee=True, sees=referees[player])
                if client.sent is not None:
                    self._snap(feed, client, "referee")

    def _advance_all(self, feed: Feed) -> None:
        for client in list(feed.clients):
            if client.sent is not None:
                self._advance(feed, client)

    def _advance(self, feed: Feed, client: Client) -> None:
        """Put what the client lacks into its outbox: events if they are at hand, else a snap."""
        stream = feed.stream(client.viewer)
        if stream is None or feed.game is None or client.outbox.dropped:
            return  # an outbox that overflowed gets its snap when it has drained
        if client.sent is None or client.sent[0] != feed.game.slug:
            self._snap(feed, client, "join" if client.sent is None else "game")
            return
        if client.sent[1] > stream.state.seq:
            self._snap(feed, client, "differs")
            return
        if client.sent[1] == stream.state.seq:
            return
        text = stream.events(client.viewer, client.sent[1], clock.now_ms())
        if text is None:
            self._snap(feed, client, stream.no_events(client.sent[1]))
        elif client.outbox.put(text):
            client.sent = (feed.game.slug, stream.state.seq)

    def _snap(self, feed: Feed, client: Client, why: str) -> None:
        stream = feed.stream(client.viewer)
        if stream is None or feed.game is None:
            return
        if client.put(projection.snap_of(feed.game, stream.sight, client.viewer, now=clock.now_ms())):
            client.sent = (feed.game.slug, stream.state.seq)
            _SNAPSHOTS[why].inc()

    def caught_up(self, feed: Feed, client: Client) -> None:
        """The client's outbox overflowed and has drained: one snap makes it whole."""
        self._snap(feed, client, "overflow")

    def beat(self, feed: Feed, client: Client, frame: Beat) -> None:
        """Compare versions and hashes with what the client should hold, and mend what differs."""
        stream, now = feed.stream(client.viewer), heart.counted(clock.now_ms())
        if stream is None or feed.game is None or client.sent is None:
            return
        if client.sent[0] != feed.game.slug or frame.have > stream.state.seq:
            self._mend(feed, client, "differs")
        elif frame.have < stream.state.seq:
            text = stream.events(client.viewer, frame.have, now)
            if text is None or not client.outbox.put(text):
                self._mend(feed, client, stream.no_events(frame.have) if text is None else "overflow")
        elif frame.hash != (mark := stream.mark(client.viewer)):
            if client.sent[1] == frame.have:  # otherwise it was never sent what it claims to hold
                seat = client.viewer.seat
                incidents.view_differs(feed.game.slug, seat, frame.have, theirs=frame.hash, ours=mark)
            self._mend(feed, client, "differs")
        client.put(projection.beat(stream.state, client.viewer, n=frame.n, now=now, mark=stream.mark(client.viewer)))

    def _mend(self, feed: Feed, client: Client, why: str) -> None:
        """Send the whole view to a client that claims to hold another one, at most once a second."""
        if client.mends.allows():
            self._snap(feed, client, why)

    def _who(self, feed: Feed) -> Who:
        now = clock.monotonic()
        elsewhere = [there for there in feed.elsewhere.values() if there.until > now]
        online = feed.seats_here.union(*(there.seats for there in elsewhere))
        state = feed.private.state if feed.private is not None else None
        seats: list[Mapping[str, Any]] = [
            {
                **seat.to_json(),
                "online": bool(seat.bot) or seat.seat in online,
                "ready": state is not None and state.ready[seat.seat],
            }
            for seat in feed.seats
        ]
        return Who(seats=seats, spectators=feed.spectators_here + sum(there.spectators for there in elsewhere))

    # --- commands

    def enqueue(self, feed: Feed, client: Client, command: Cmd) -> None:
        """Put a command on the table's queue, or refuse it at once."""
        trace = Trace(command)
        refused = self._refusal(feed, client)
        if refused:
            self._refuse(client, trace, refused, retry=refused != "auth")
            return
        try:
            feed.commands.put_nowait((client, command, trace))
        except asyncio.QueueFull:
            self._refuse(client, trace, "internal", why="busy")

    def _refusal(self, feed: Feed, client: Client) -> str:
        if self.draining:
            return "internal"
        if client.viewer.seat is None:
            return "auth"
        return "" if seat_rates.allows(feed.table_id, client.viewer.seat) else "rate"

    def _refuse(self, client: Client, trace: Trace, code: str, *, why: str = "", retry: bool = True) -> None:
        """Answer a command that has not reached the services."""
        frame = Nak(id=trace.command.id, code=code, why=why or code, retry=retry, seq=self._seq(client))
        self._answer(client, trace, frame)
        trace.finish()

    @staticmethod
    def _answer(client: Client, trace: Trace, frame: Ack | Nak) -> None:
        client.put(frame)
        trace.answered(frame)

    @staticmethod
    def _seq(client: Client) -> int:
        return client.sent[1] if client.sent is not None else 0

    async def _work(self, feed: Feed) -> None:
        """The table's worker: one command after another, in the order they came."""
        while True:
            client, command, trace = await feed.commands.get()
            trace.ends("queue")
            logs.set_context(trace.context)
            feed.busy = True
            try:
                await self._carry_out(feed, client, command, trace)
            except Exception:
                log.exception("command at table %s", feed.table_id)
                self._refuse(client, trace, "internal")
            finally:
                feed.commands.task_done()

    async def _carry_out(self, feed: Feed, client: Client, command: Cmd, trace: Trace) -> None:
        seat = client.viewer.seat
        assert seat is not None
        request = commands.request_of(feed.table_id, seat, client.person, client.login, command)
        try:
            if feed.plays(client):
                answer = await writer().submit(request, trace)
            else:
                answer = await in_thread(commands.from_other_tab, request)
                trace.ends("commit")
            trace.tries = answer.tries
            self._answer(client, trace, commands.frame_of(answer))
        finally:
            feed.busy = False
            self._tell_held_back(feed)
        trace.ends("tell")
        trace.finish()
        if answer.code:
            await self.refresh(feed)  # what the sender lacks follows its refusal
            if answer.code in ("seat_lost", "auth"):
                client.close(CLOSE_REVOKED if answer.code == "seat_lost" else CLOSE_SIGN_IN)

    # --- its own tasks

    def hint(self, table_id: int) -> None:
        """Another process says that there is something to read at that table."""
        feed = self.feeds.get(table_id)
        if feed is not None:
            self._soon(self.refresh(feed))

    def hear(self, news: PlaysRecorded) -> None:
        """This process has committed something at a table. An acknowledgement goes out before the events it led to."""
        feed = self.feeds.get(news.table_id)
        if feed is None:
            return
        if feed.busy:
            feed.held_back.append(news)
        else:
            self._take(feed, news)

    def _tell_held_back(self, feed: Feed) -> None:
        news, feed.held_back = feed.held_back, []
        for each in news:
            self._take(feed, each)

    def _take(self, feed: Feed, news: PlaysRecorded) -> None:
        """Give the sockets what was committed: from the news where that is enough, else from the database."""
        ready = feed.private.state.ready if feed.private else None
        enough = feed.hand_over(news)
        feed.who_due |= feed.private is not None and feed.private.state.ready != ready
        self._advance_all(feed)
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
        # Looks that still run are waited for: nothing of this hub reads the database once its last client has gone.
        await asyncio.gather(*tasks, *self._running, return_exceptions=True)

    async def _tick(self) -> None:
        logs.set_context({})  # not about the socket that came first
        look = clock.monotonic()
        while True:
            await asyncio.sleep(TICK_S)
            now = clock.monotonic()
            for feed in list(self.feeds.values()):
                self._tick_feed(feed, now)
            if now - look >= LOOK_S:
                look = now
                self._soon(self._look())

    def _tick_feed(self, feed: Feed, now: float) -> None:
        try:
            if feed.show():
                for client in feed.clients:
                    if not client.live and client.sent is not None:
                        self._advance(feed, client)
        except Exception:
            log.exception("spectators of table %s", feed.table_id)
        if feed.who_due and now - feed.who_at >= WHO_S:
            feed.who_due, feed.who_at = False, now
            text = encode(self._who(feed))
            for client in feed.clients:
                if client.sent is not None:
                    client.outbox.put(text)

    async def _look(self) -> None:
        """Ask where all tables stand, in one query: what hints lost is found here."""
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
            if feed is None or feed.game is None or feed.private is None:
                continue
            moved = latest.game_id != feed.game.pk or latest.seq != feed.private.state.seq
            if feed.stale or moved or feed.refereed:
                await self.refresh(feed)

    async def drain(self) -> None:
        """Before a stop: say so, take no more commands, finish those taken, close with 1012."""
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
    """Answer the hub of the running loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def drain() -> None:
    """Drain the hub of the running loop, if there is one."""
    found = _hubs.get(asyncio.get_running_loop())
    if found is not None:
        await found.drain()
