"""Communication between processes that share a channel layer: receive hints, publish presence. One channel for all
tables.
"""

import asyncio
import logging
import uuid
from collections.abc import Mapping
from typing import Any, Protocol

from tock_league.common import clock, logs

from . import hints
from .feed import Elsewhere, Feed
from .messages import Note

log = logging.getLogger(__name__)

LOOK_S = 0.25
SAY_WHO_S = 5.0


# The presence in this process: seats, number of spectators, and (seat, since when in ms) of each seat played here.
Here = tuple[frozenset[int], int, tuple[tuple[int, int], ...]]


class Hub(Protocol):
    """What the relay needs from a hub."""

    feeds: dict[int, Feed]

    def hint(self, table_id: int) -> None: ...


def start(hub: Hub, layer: Any) -> list[asyncio.Task[None]]:
    """Begin to listen and to publish; return the tasks, to be cancelled at the end."""
    name = uuid.uuid4().hex
    return [asyncio.create_task(_listen(hub, layer, name)), asyncio.create_task(_say_who(hub, layer, name))]


async def _listen(hub: Hub, layer: Any, name: str) -> None:
    """Receive from the other processes. After any error of the layer every socket is asked to verify its view."""
    logs.set_context({})  # the task must not carry the context of the first socket
    while True:
        try:
            channel = await layer.new_channel("hub")
            await layer.group_add(hints.GROUP, channel)
            while True:
                _hear(hub, await layer.receive(channel), name)
        except Exception as error:
            log.warning("channel layer: %s", type(error).__name__)
            for feed in list(hub.feeds.values()):
                for client in feed.clients:
                    client.put(Note("verify", clock.now_ms()))
            await asyncio.sleep(1)


def _hear(hub: Hub, message: Mapping[str, Any], name: str) -> None:
    if message["type"] == "hint":
        if not hints.is_own(message):
            for table_id in message["tables"]:
                hub.hint(int(table_id))
        return
    if message["hub"] != name:
        for present in message.get("tables", ()):
            feed = hub.feeds.get(int(present["table"]))
            if feed is not None:
                _note(feed, message["hub"], present)


def _note(feed: Feed, elsewhere: str, present: Mapping[str, Any]) -> None:
    """Record the presence at the table in another process; tell the windows here that lose their seat to it."""
    before = feed.elsewhere.get(elsewhere)
    playing = dict(present["playing"])
    until = clock.monotonic() + 3 * SAY_WHO_S
    there = Elsewhere(frozenset(present["seats"]), present["spectators"], until, playing)
    for client in feed.tabs.give_way(playing):
        client.put(Note("other_tab", clock.now_ms()))
    feed.elsewhere[elsewhere] = there
    feed.who_due |= before is None or (before.seats, before.spectators) != (there.seats, there.spectators)


def _here(feed: Feed) -> Here:
    return feed.seats_here, feed.spectators_here, tuple(sorted(feed.tabs.playing.items()))


async def _say_who(hub: Hub, layer: Any, name: str) -> None:
    """Publish presence: changes at once, everything again every five seconds."""
    said: dict[int, tuple[Here, float]] = {}
    while True:
        now = clock.monotonic()
        here = {feed.table_id: _here(feed) for feed in hub.feeds.values()}
        left = said.keys() - here.keys()
        here |= {table_id: (frozenset(), 0, ()) for table_id in left}
        due = []
        for table_id, present in here.items():
            known = said.get(table_id)
            if known is None or known[0] != present or now - known[1] >= SAY_WHO_S:
                said[table_id] = (present, now)
                seats, spectators, playing = present
                due.append(hints.Presence(table_id, sorted(seats), spectators, playing))
        await hints.tell_presence(layer, name, due)
        for table_id in left:
            del said[table_id]
        await asyncio.sleep(LOOK_S)
