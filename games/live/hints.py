"""Hints: messages that rows of a table are committed. Only `tell` sends them.

In the process that wrote, a hint carries the committed rows, so its hubs need not read them. To other processes a hint
only says that there is something to read at these tables. Lost, duplicated or late hints are harmless, because every
hub also reads the database every two seconds. Hints are sent after the commit, from any thread, without blocking: the
writer may still hold the write lock. Hints sent while a loop is busy reach it with one wake-up. A thread that works for
a loop keeps the loop's hints until it has finished (`kept_for`), and the loop is woken once for both.
"""

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.announcements import PlaysRecorded
from tock_league.common import clock
from tock_league.common.breaker import Breaker
from tock_league.common.broker import Sender

log = logging.getLogger(__name__)

GROUP = "tock.hints"
TOGETHER = 100  # tables in one message about presence
SEND_S = 0.5  # seconds for one hint, so that hints do not accumulate while Redis is frozen
breaker = Breaker("the channel layer", 1.0)
_aside = Sender("hints")

Listener = Callable[[PlaysRecorded], None]  # called in the listener's own loop


class _Ear:
    """The listeners of one loop, and the news not yet delivered to them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.name = uuid.uuid4().hex  # marks hints from this process
        self.listeners: dict[int, Listener] = {}
        self._lock = threading.Lock()
        self._news: list[PlaysRecorded] = []
        self._due: set[int] = set()  # tables whose hint has not been sent to other processes yet
        self._sending: asyncio.Task[None] | None = None

    def tell(self, news: PlaysRecorded) -> bool:
        """Accept the news, from any thread; return False when the loop has been closed."""
        with self._lock:
            self._news.append(news)
            if len(self._news) > 1:
                return True  # the loop has been woken already and delivers all of them
        try:
            self.loop.call_soon_threadsafe(self._hear)
        except RuntimeError:
            return False
        return True

    def _hear(self) -> None:
        with self._lock:
            heard, self._news = self._news, []
        for news in heard:
            self.hear(news)

    def hear(self, news: PlaysRecorded) -> None:
        """Call the listeners; in the loop."""
        for listener in list(self.listeners.values()):
            try:
                listener(news)
            except Exception:  # the commit stands, and the other listeners must still be called
                log.exception("news of table %s", news.table_id)

    def pass_on(self, layer: Any, table_id: int) -> None:
        """Send to the other processes soon; in the loop. Only one message is in flight at a time."""
        self._due.add(table_id)
        if self._sending is None or self._sending.done():
            self._sending = self.loop.create_task(self._send(layer))

    async def _send(self, layer: Any) -> None:
        while self._due:
            tables, self._due = sorted(self._due), set()
            await _send(layer, {"type": "hint", "tables": tables, "by": self.name})


_ears: dict[asyncio.AbstractEventLoop, _Ear] = {}
_numbers = count()
_lock = threading.Lock()
_keeping = threading.local()


def listen(listener: Listener) -> int:
    """Call `listener` for every hint from now on, in the running loop; return a number for `forget`."""
    number, loop = next(_numbers), asyncio.get_running_loop()
    with _lock:
        _ears.setdefault(loop, _Ear(loop)).listeners[number] = listener
    return number


def forget(number: int) -> None:
    """Stop calling that listener."""
    with _lock:
        for loop, ear in list(_ears.items()):
            if ear.listeners.pop(number, None) is not None and not ear.listeners:
                del _ears[loop]


@contextmanager
def kept_for(loop: asyncio.AbstractEventLoop, kept: list[PlaysRecorded]) -> Iterator[Callable[[], None]]:
    """Collect in `kept` the hints that this thread sends inside the block, instead of waking `loop` for each of them.

    Afterwards the loop must call `tell_kept`. Gives a function that wakes the loop with what is collected so far, for a
    thread that continues with something slow.
    """

    def wake() -> None:
        if kept:
            loop.call_soon_threadsafe(tell_kept, list(kept))
            kept.clear()

    _keeping.of = (loop, kept)
    try:
        yield wake
    finally:
        _keeping.of = None


def tell_kept(kept: Sequence[PlaysRecorded]) -> None:
    """Send the hints that a thread collected for the running loop: to its listeners and to the other processes."""
    with _lock:
        ear = _ears.get(asyncio.get_running_loop())
    layer = get_channel_layer()
    crosses = crosses_processes(layer)
    for news in kept:
        if ear is not None:
            ear.hear(news)
        if crosses and ear is not None:
            ear.pass_on(layer, news.table_id)
        elif crosses:
            _tell_others(layer, news.table_id, [])


def tell(news: PlaysRecorded) -> None:
    """Announce that rows of a table are committed."""
    keeping: tuple[asyncio.AbstractEventLoop, list[PlaysRecorded]] | None = getattr(_keeping, "of", None)
    loop, kept = keeping or (None, [])
    news = replace(news, committed_s=clock.monotonic())
    with _lock:
        ears = [ear for ear in _ears.values() if ear.loop is not loop]
    heard = []
    for ear in ears:
        if ear.tell(news):
            heard.append(ear)
        else:
            with _lock:
                _ears.pop(ear.loop, None)
    if loop is not None:
        kept.append(news)
        return
    layer = get_channel_layer()
    if crosses_processes(layer):
        _tell_others(layer, news.table_id, heard)


def _tell_others(layer: Any, table_id: int, ears: list[_Ear]) -> None:
    """Send through the layer, on a running loop if there is one: a layer's connections belong to their loop."""
    for ear in ears:
        if ear.loop.is_running():
            ear.loop.call_soon_threadsafe(ear.pass_on, layer, table_id)
            return
    message = {"type": "hint", "tables": [table_id], "by": ""}
    _aside.put(lambda: async_to_sync(_send)(layer, message))  # no loop runs here, and the commit does not wait


def is_own(message: Mapping[str, Any]) -> bool:
    """Return whether this process sent the hint: its listeners have the news already, with the rows."""
    with _lock:
        return any(ear.name == message.get("by") for ear in _ears.values())


def crosses_processes(layer: Any) -> bool:
    """Return whether a layer connects other processes."""
    return layer is not None and not isinstance(layer, InMemoryChannelLayer)


@dataclass(frozen=True, slots=True)
class Presence:
    """The people at a table in one process."""

    table_id: int
    seats: Sequence[int] = ()
    spectators: int = 0
    playing: Sequence[tuple[int, int]] = ()  # (seat, since when in ms) of each seat that a window there plays


async def tell_presence(layer: Any, hub: str, present: Sequence[Presence]) -> None:
    """Publish who is at the tables in this process; the others drop it after a while unless it is published again."""
    for begin in range(0, len(present), TOGETHER):
        tables = [
            {
                "table": each.table_id,
                "seats": list(each.seats),
                "spectators": each.spectators,
                "playing": [list(pair) for pair in each.playing],
            }
            for each in present[begin : begin + TOGETHER]
        ]
        await _send(layer, {"type": "presence", "hub": hub, "tables": tables})


async def _send(layer: Any, message: dict[str, Any]) -> None:
    """Send, or drop the message: the other processes read the database every two seconds."""
    if not breaker.allows():
        return
    try:
        async with asyncio.timeout(SEND_S):
            await layer.group_send(GROUP, message)
    except Exception as error:
        breaker.failed(error)
    else:
        breaker.worked()
