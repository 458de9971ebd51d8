"""Long polls at the same table share one check: at each hint, and every two seconds for lost hints.

A waiting poll holds no thread of the live room and no connection. It compares the point that the check found with its
own point, and reads only when they differ.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from games.announcements import PlaysRecorded
from games.fold import Row, TableState, Viewer, release
from games.models import Game
from games.selectors import games as reader
from tock_league.common import clock, logs

from . import hints
from .threads import in_thread

log = logging.getLogger(__name__)

LOOK_S = 2.0  # between two checks without a hint
PACE_S = 0.5  # between two computations of what spectators may see, from memory


@dataclass(frozen=True, slots=True)
class Point:
    """How far viewers of one kind may see now: the game's public id, its epoch, the highest seq."""

    game: str
    epoch: int
    upto: int


@dataclass(frozen=True, slots=True)
class Look:
    """The result of one check: the game, and for spectators the table and the rows they may get."""

    game: Game
    state: TableState | None = None
    rows: Sequence[Row] = ()

    def point(self) -> Point:
        """Return how far viewers may see now."""
        upto = self.game.last_seq
        if self.state is not None:
            upto = release.paced(self.rows, self.state, self.game.table.release, clock.now_ms())
        return Point(self.game.slug, self.game.epoch, upto)


def look(table_id: int, *, live: bool, known: Look | None) -> Look:
    """Read the table; in a thread. One query, two more for spectators after a move."""
    game = reader.current_game(table_id)
    if live:
        return Look(game)
    if known is not None and (known.game.pk, known.game.last_seq) == (game.pk, game.last_seq):
        return Look(game, known.state, known.rows)
    state = reader.current_state(game)
    return Look(game, state, reader.rows_upto(game, release.bound(state, game.table.release)))


class Watch:
    """The shared check of one table for one kind of viewer: live, or spectators. Its task runs while polls wait.

    Each check sets the result of the future `turn` and replaces it by a new one.
    """

    def __init__(self, table_id: int, *, live: bool) -> None:
        self.table_id, self.live = table_id, live
        self.polls = 0  # number of waiting polls
        self.turn: asyncio.Future[Point] = asyncio.get_running_loop().create_future()
        self._heard = asyncio.Event()
        self._listening = hints.listen(self._hear)
        self._task = asyncio.create_task(self._run())

    def _hear(self, news: PlaysRecorded) -> None:
        if news.table_id == self.table_id:
            self._heard.set()

    async def _run(self) -> None:
        logs.set_context({})  # the task must not carry the context of the first poll
        found: Look | None = None
        looked = clock.monotonic() - LOOK_S
        while True:
            heard = self._heard.is_set()
            self._heard.clear()
            try:
                if found is None or heard or clock.monotonic() - looked >= LOOK_S:
                    found = await in_thread(look, self.table_id, live=self.live, known=found)
                    looked = clock.monotonic()
                self._tell(found)
            except Exception as error:
                log.warning("polls of table %s cannot look: %s", self.table_id, type(error).__name__)
                self._fail(error)
            await _heard_within(self._heard, LOOK_S if self.live else PACE_S)

    def _next(self) -> "asyncio.Future[Point]":
        ended, self.turn = self.turn, asyncio.get_running_loop().create_future()
        return ended

    def _tell(self, found: Look) -> None:
        self._next().set_result(found.point())

    def _fail(self, error: Exception) -> None:
        ended = self._next()
        ended.set_exception(error)
        ended.exception()  # marks it as retrieved: it may be that no poll waits for it

    async def stop(self) -> None:
        """End the task; its running check is awaited."""
        hints.forget(self._listening)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


async def _heard_within(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return


_watches: "WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[int, bool], Watch]]" = WeakKeyDictionary()


@asynccontextmanager
async def watching(table_id: int, viewer: Viewer) -> AsyncIterator[Watch]:
    """Give the shared check of that table for such viewers, for the duration of the block."""
    watches = _watches.setdefault(asyncio.get_running_loop(), {})
    place = (table_id, viewer.live)
    watch = watches.get(place)
    if watch is None:
        watch = watches[place] = Watch(table_id, live=viewer.live)
    watch.polls += 1
    try:
        yield watch
    finally:
        watch.polls -= 1
        if not watch.polls:
            del watches[place]
            await watch.stop()


async def other_than(
    watch: Watch, turn: "asyncio.Future[Point]", held: Point, gone: "asyncio.Future[None]", seconds: float
) -> bool:
    """Wait until the table is at another point than `held` or `gone` is done; return False if neither in `seconds`.

    `turn` is that of `watch` from before `held` was read, so that no change is missed. Raises the error of the check.
    """
    until = clock.monotonic() + seconds
    while (left := until - clock.monotonic()) > 0:
        both: list[asyncio.Future[Any]] = [turn, gone]
        await asyncio.wait(both, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if gone.done() or (turn.done() and turn.result() != held):
            return True
        if turn.done():
            turn = watch.turn
    return False
