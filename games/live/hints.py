"""tell(): the only sender of hints.

A hint says "there is something to read at this table", no more: lost, doubled or late ones are harmless, because every hub
also asks the database each two seconds. Hubs of this process are told straight through their loops; other processes
through the channel layer, one layer channel per process. Called after the commit, from any thread, never waiting: the
writer may still hold the write lock.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.announcements import PlaysRecorded

log = logging.getLogger(__name__)
GROUP = "tock.hints"

Listener = Callable[[int], None]  # gets a table's id, in the listener's own loop
_listeners: dict[int, tuple[asyncio.AbstractEventLoop, Listener]] = {}
_numbers = count()
_lock = threading.Lock()


def listen(listener: Listener) -> int:
    """Tell `listener` of every hint from now on, in the running loop; answer a number for `forget`."""
    number = next(_numbers)
    with _lock:
        _listeners[number] = (asyncio.get_running_loop(), listener)
    return number


def forget(number: int) -> None:
    """Tell that listener no more."""
    with _lock:
        _listeners.pop(number, None)


def tell(news: PlaysRecorded) -> None:
    """Say that rows of a table are committed."""
    with _lock:
        listeners = list(_listeners.items())
    for number, (loop, listener) in listeners:
        try:
            loop.call_soon_threadsafe(listener, news.table_id)
        except RuntimeError:  # the loop has ended without saying so
            forget(number)
    layer = get_channel_layer()
    if crosses_processes(layer):
        _tell_others(layer, {"type": "hint", "table": news.table_id}, [loop for _, (loop, _) in listeners])


def _tell_others(layer: Any, message: dict[str, Any], loops: list[asyncio.AbstractEventLoop]) -> None:
    """Send through the layer, on a loop that serves where there is one: a layer's connections belong to their loop."""
    for loop in loops:
        if loop.is_running():
            asyncio.run_coroutine_threadsafe(_send(layer, message), loop)
            return
    async_to_sync(_send)(layer, message)


def crosses_processes(layer: Any) -> bool:
    """Answer whether a layer reaches other processes at all."""
    return layer is not None and not isinstance(layer, InMemoryChannelLayer)


async def tell_presence(layer: Any, *, hub: str, table_id: int, seats: list[int], spectators: int) -> None:
    """Say who is at a table in this process; the others forget it after a while unless it is said again."""
    message = {"type": "presence", "hub": hub, "table": table_id, "seats": seats, "spectators": spectators}
    await _send(layer, message)


async def _send(layer: Any, message: dict[str, Any]) -> None:
    try:
        await layer.group_send(GROUP, message)
    except Exception as error:
        log.warning("hint not sent: %s", type(error).__name__)
