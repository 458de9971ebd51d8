"""The open sockets and waiting long polls of one loop, which are closed when their login or seat has ended.

Every two seconds one query checks the logins and one the seats. A socket that never joins, or that has been silent for
too long, is closed as well: a phone that loses its network does not close its socket.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from django.conf import settings

from games.fold import SPECTATOR, Viewer
from games.permissions import Login, Person
from games.selectors.tables import referee_viewer
from tock_league.common import clock, logs

from . import people
from .threads import in_thread

log = logging.getLogger(__name__)

LOOK_S = 2.0
JOIN_S = 4.0  # for the first frame; together with the check's period and closing, less than ten seconds
SILENT_S = 90.0  # without a frame; a hidden page may send its heartbeat only once a minute

# The reasons for ending a visit.
AUTH, SEAT_LOST, IDLE, CROWD, DEPLOY, OTHER_POLL = "auth", "seat_lost", "idle", "crowd", "deploy", "other_poll"


@dataclass(eq=False)
class Visit:
    """An open socket or a waiting long poll."""

    login: Login
    person: Person
    end: Callable[[str], object]  # called at most once, on the loop, with the reason
    poll: bool = False
    alone: Hashable | None = None  # a key of which only the newest poll waits
    table_id: int = 0
    viewer: Viewer = SPECTATOR
    keeps: int | None = None  # the seat that the person must hold even to watch: nobody else sees the table
    joined: bool = False
    came: float = field(default_factory=clock.monotonic)  # when it began
    heard: float = field(default_factory=clock.monotonic)  # when its last frame arrived
    acted: bool = False  # whether a command arrived since the last check
    ended: str = ""  # the reason, once it has ended

    def joins(self, table_id: int, viewer: Viewer) -> None:
        """Record the table that is shown, and to which viewer."""
        self.table_id, self.viewer, self.joined = table_id, viewer, True

    def hear(self) -> None:
        """Record that a frame has arrived."""
        self.heard = clock.monotonic()

    def over(self, why: str) -> None:
        """End the visit, once."""
        if not self.ended:
            self.ended = why
            self.end(why)

    @property
    def place(self) -> people.Place | None:
        """The seat that the person must still hold."""
        seat = self.viewer.seat if self.viewer.seat is not None else self.keeps
        return (self.table_id, seat, self.person) if self.joined and seat is not None else None


class Watch:
    """All visits of one loop, and the task that checks them while there are any."""

    def __init__(self) -> None:
        self.inside: set[Visit] = set()
        self._sockets: dict[int, set[Visit]] = {}  # by user who is signed in
        self._alone: dict[Hashable, Visit] = {}
        self._task: asyncio.Task[None] | None = None
        self.closing = False  # the server stops: no poll may wait

    def enter(self, visit: Visit) -> None:
        """Add the visit to those that are checked. If a user has too many sockets, close the one that has been silent
        longest. After `end_polls`, end a poll at once. End the poll before it that has the same `alone`.
        """
        self.inside.add(visit)
        if visit.alone is not None:
            if (older := self._alone.get(visit.alone)) is not None:
                older.over(OTHER_POLL)
            self._alone[visit.alone] = visit
        if visit.poll and self.closing:
            visit.over(DEPLOY)
        if not visit.poll and visit.login.user_id is not None:
            own = self._sockets.setdefault(visit.login.user_id, set())
            open_ones = [other for other in own if not other.ended]
            own.add(visit)
            if len(open_ones) >= settings.LIVE_SOCKETS_PER_PERSON:
                min(open_ones, key=lambda other: other.heard).over(CROWD)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def leave(self, visit: Visit) -> None:
        """Remove the visit. After the last one the checks stop, and nothing reads the database."""
        self.inside.discard(visit)
        if visit.alone is not None and self._alone.get(visit.alone) is visit:
            del self._alone[visit.alone]
        if (user := visit.login.user_id) is not None and (own := self._sockets.get(user)) is not None:
            own.discard(visit)
            if not own:
                del self._sockets[user]
        if not self.inside and self._task is not None:
            task, self._task = self._task, None
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def end_polls(self) -> None:
        """End all waiting polls, and from now on each new one at once; for a server that stops."""
        self.closing = True
        for visit in list(self.inside):
            if visit.poll:
                visit.over(DEPLOY)

    async def _run(self) -> None:
        logs.set_context({})  # the task must not carry the context of the first visit
        while True:
            await asyncio.sleep(LOOK_S)
            self._end_idle()
            try:
                await self._look()
            except Exception as error:
                log.warning("logins cannot be looked at: %s", type(error).__name__)

    def _end_idle(self) -> None:
        now = clock.monotonic()
        for visit in list(self.inside):
            if not visit.poll and (now - visit.heard >= SILENT_S or (not visit.joined and now - visit.came >= JOIN_S)):
                visit.over(IDLE)

    async def _look(self) -> None:
        visits = list(self.inside)
        places = {visit.place for visit in visits if visit.place is not None}
        polling = [visit for visit in visits if visit.poll and visit.viewer.referee]
        acting = {visit.login for visit in visits if visit.acted}
        for visit in visits:
            visit.acted = False
        present = {
            (visit.login, visit.table_id)
            for visit in visits
            if visit.login.user_id is not None and (visit.viewer.seat is not None or visit.viewer.referee)
        }
        theirs = {visit.login for visit in visits}
        logins, lost, dismissed = await in_thread(_look, theirs, places, polling, acting, present)
        for visit in visits:
            if visit.login in logins:
                visit.over(AUTH)
            elif visit.place in lost or visit in dismissed:
                visit.over(SEAT_LOST)


def _look(
    logins: set[Login],
    places: set[people.Place],
    referees: list[Visit],
    acting: set[Login],
    present: set[tuple[Login, int]],
) -> tuple[set[Login], set[people.Place], set[Visit]]:
    """Extend the sessions of those who act or are at a running table; return the logins that have ended, the places
    whose seat is lost, and the polls of referees whose rights have changed. Call it in a thread.

    A referee's socket is not checked here: the hub reads a referee's rights at each of its own checks.
    """
    people.keep(acting)
    people.stay(present)
    people.mark(present)
    people.sit(places)
    dismissed = {visit for visit in referees if referee_viewer(visit.table_id, visit.person) != visit.viewer}
    return people.ended(logins), people.unseated(places), dismissed


_watches: "WeakKeyDictionary[asyncio.AbstractEventLoop, Watch]" = WeakKeyDictionary()


def watch() -> Watch:
    """Return the watch of the running loop."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())


def wait(
    login: Login,
    person: Person,
    table_id: int,
    viewer: Viewer,
    wake: Callable[[], object],
    *,
    alone: Hashable | None = None,
) -> Visit:
    """Register a long poll and return its visit, which `leave` removes.

    If the poll must end, `wake` is called; `ended` of the visit is then the reason. `alone`: see `Visit`.
    """
    visit = Visit(login, person, lambda _: wake(), poll=True, alone=alone)
    visit.joins(table_id, viewer)
    watch().enter(visit)
    return visit


async def leave(visit: Visit) -> None:
    """Remove a visit of the running loop."""
    await watch().leave(visit)
