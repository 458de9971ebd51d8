"""tell(): the only sender of hints.

In the process that wrote, a hint carries the committed rows: its hubs need not read them again. To other processes it says
"there is something to read at these tables", no more: lost, doubled or late ones are harmless, because every hub also asks the
database each two seconds. Hints are told after the commit, from any thread, without waiting: the writer may still hold the
write lock. What is told while a loop is busy reaches it with one wake-up; a thread that works for a loop keeps what that loop
must hear until it has finished (`kept_for`), and the loop is woken once for both.
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
TOGETHER = 100  # tables in a message about who is there
SEND_S = 0.5  # for one hint; a Redis that is frozen must not gather them
breaker = Breaker("the channel layer", 1.0)
_aside = Sender("hints")

Listener = Callable[[PlaysRecorded], None]  # called in the listener's own loop


class _Ear:
    """The listeners of one loop, and the news that has not reached them yet."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.name = uuid.uuid4().hex  # says that a hint comes from this process
        self.listeners: dict[int, Listener] = {}
        self._lock = threading.Lock()
        self._news: list[PlaysRecorded] = []
        self._due: set[int] = set()  # tables that other processes have not heard of
        self._sending: asyncio.Task[None] | None = None

    def tell(self, news: PlaysRecorded) -> bool:
        """Take the news, from any thread; return False when the loop has ended without saying so."""
        with self._lock:
            self._news.append(news)
            if len(self._news) > 1:
                return True  # the loop will come for all of them
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
            except Exception:  # what was committed stays so, and the other listeners have not heard it yet
                log.exception("news of table %s", news.table_id)

    def pass_on(self, layer: Any, table_id: int) -> None:
        """Tell the other processes soon; in the loop. One message is on its way at a time."""
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
    """Tell `listener` of every hint from now on, in the running loop; return a number for `forget`."""
    number, loop = next(_numbers), asyncio.get_running_loop()
    with _lock:
        _ears.setdefault(loop, _Ear(loop)).listeners[number] = listener
    return number


def forget(number: int) -> None:
    """Tell that listener no more."""
    with _lock:
        for loop, ear in list(_ears.items()):
            if ear.listeners.pop(number, None) is not None and not ear.listeners:
                del _ears[loop]


@contextmanager
def kept_for(loop: asyncio.AbstractEventLoop, kept: list[PlaysRecorded]) -> Iterator[Callable[[], None]]:
    """Put into `kept` what this thread tells inside the block, instead of waking `loop`, which then calls `tell_kept`.

    Gives a function that wakes the loop with what is kept so far: for a thread that goes on with something that may take long.
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
    """Tell the running loop, and the other processes, what a thread has kept for it."""
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
    """Say that rows of a table are committed."""
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
    """Send through the layer, on a loop that serves where there is one: a layer's connections belong to their loop."""
    for ear in ears:
        if ear.loop.is_running():
            ear.loop.call_soon_threadsafe(ear.pass_on, layer, table_id)
            return
    message = {"type": "hint", "tables": [table_id], "by": ""}
    _aside.put(lambda: async_to_sync(_send)(layer, message))  # no loop serves here, and the commit does not wait


def is_own(message: Mapping[str, Any]) -> bool:
    """Return whether a hint was sent by this process: its listeners have been told, and with the rows."""
    with _lock:
        return any(ear.name == message.get("by") for ear in _ears.values())


def crosses_processes(layer: Any) -> bool:
    """Return whether a layer reaches other processes at all."""
    return layer is not None and not isinstance(layer, InMemoryChannelLayer)


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is at a table in one process. `playing`: the seats that a window there plays, each with the moment (ms) since when."""

    table_id: int
    seats: Sequence[int] = ()
    spectators: int = 0
    playing: Sequence[tuple[int, int]] = ()


async def tell_presence(layer: Any, hub: str, present: Sequence[Presence]) -> None:
    """Say who is at tables in this process; the others forget it after a while unless it is said again."""
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
    """Send, or lose the message: the others look at the database each two seconds."""
    if not breaker.allows():
        return
    try:
        async with asyncio.timeout(SEND_S):
            await layer.group_send(GROUP, message)
    except Exception as error:
        breaker.failed(error)
    else:
        breaker.worked()
