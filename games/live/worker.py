"""The commands of a table: accepted or refused at once, then carried out one after another, in order of arrival."""

import asyncio
import logging
from typing import Protocol

from tock_league.common import logs

from . import commands
from .feed import Client, Feed
from .limits import seat_rates
from .messages import CLOSE_REVOKED, CLOSE_SIGN_IN, Ack, Cmd, Nak
from .threads import in_thread
from .traces import Trace
from .writer import writer

log = logging.getLogger(__name__)


class Hub(Protocol):
    """What a worker needs from the hub."""

    async def refresh(self, feed: Feed) -> None: ...

    def tell_held_back(self, feed: Feed) -> None: ...


def enqueue(feed: Feed, client: Client, command: Cmd, *, draining: bool = False) -> None:
    """Put a command on the table's queue, or refuse it at once; while the server drains, all are refused."""
    trace = Trace(command)
    seat = client.viewer.seat
    if seat is None:
        _refuse(client, trace, "auth", retry=False)
        return
    if draining or not seat_rates.allows(feed.table_id, seat):
        _refuse(client, trace, "internal" if draining else "rate")
        return
    try:
        feed.commands.put_nowait((client, seat, command, trace))
    except asyncio.QueueFull:
        _refuse(client, trace, "internal", why="busy")


def _refuse(client: Client, trace: Trace, code: str, *, why: str = "", retry: bool = True) -> None:
    """Refuse a command before it reaches the services."""
    frame = Nak(id=trace.command.id, code=code, why=why or code, retry=retry, seq=_seq(client))
    _answer(client, trace, frame)
    trace.finish()


def _answer(client: Client, trace: Trace, frame: Ack | Nak) -> None:
    client.put(frame)
    trace.answered(frame)


def _seq(client: Client) -> int:
    return client.sent[1] if client.sent is not None else 0


async def work(hub: Hub, feed: Feed) -> None:
    """The table's worker: one command after another, in order of arrival."""
    while True:
        client, seat, command, trace = await feed.commands.get()
        trace.ends("queue")
        logs.set_context(trace.context)
        feed.busy = True
        try:
            await _carry_out(hub, feed, client, seat, command, trace)
        except Exception:
            log.exception("command at table %s", feed.table_id)
            _refuse(client, trace, "internal")
        finally:
            feed.commands.task_done()


async def _carry_out(hub: Hub, feed: Feed, client: Client, seat: int, command: Cmd, trace: Trace) -> None:
    """`seat`: the client's when the command came; its socket may have joined in another role since."""
    request = commands.request_of(feed.table_id, seat, client.person, client.login, command)
    try:
        if feed.plays(client):
            answer = await writer().submit(request, trace)
        else:
            answer = await in_thread(commands.from_other_tab, request)
            trace.ends("commit")
        trace.tries = answer.tries
        _answer(client, trace, commands.frame_of(answer))
    finally:
        feed.busy = False
        hub.tell_held_back(feed)
    trace.ends("tell")
    trace.finish()
    if answer.code:
        await hub.refresh(feed)  # after a refusal the sender also gets the events it lacks
        if answer.code in ("seat_lost", "auth"):
            client.close(CLOSE_REVOKED if answer.code == "seat_lost" else CLOSE_SIGN_IN)
