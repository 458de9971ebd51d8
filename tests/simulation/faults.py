"""Planted faults: each breaks one promise of the table in the way in which such code is broken in practice.

The simulation must find each of them within 200 games; the suite asserts it.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from games import store
from games.fold import Row, TableState, Viewer, steps, view
from games.fold.families.tock import Tock
from games.live import commands, hints, projection, relay
from games.live import feed as feed_room
from games.live import hub as hub_room
from games.services import play, record, results
from tock_league.common import clock

WITHIN = 200  # games


@dataclass(frozen=True)
class Fault:
    """`planted`: puts the fault into the code. `first`: the seed from which it is searched."""

    name: str
    planted: Callable[[], AbstractContextManager[None]]
    first: int = 1


@contextmanager
def acknowledged_before_commit() -> Iterator[None]:
    """The answer leaves before the transaction has ended: a kill in between loses what was acknowledged."""
    real = commands.submit
    hub_class = hub_room.Hub

    async def carry_out(self: Any, feed: Any, client: Any, command: Any) -> None:
        state = feed.private.state if feed.private is not None else None
        early = state is not None and command.kind == "play" and command.turn == state.decision_id
        if early:
            client.put(commands.frame_of(play.Answer(command.id, state.seq + 1)))
        answer = await hub_room.in_thread(
            real, feed.table_id, client.viewer.seat, client.person, client.session_key, command
        )
        feed.busy = False
        if not early:
            client.put(commands.frame_of(answer))
        await self.refresh(feed)

    with mock.patch.object(hub_class, "_carry_out", carry_out):
        yield


@contextmanager
def hint_believed() -> Iterator[None]:
    """A hint carries the rows, leaves before the commit, and the other process shows them without a look at the database."""
    real, hear = record.write, relay._hear

    def write(draft: record.Draft) -> None:
        real(draft)
        layer = hints.get_channel_layer()
        if layer is not None:
            message = {"type": "rows", "table": draft.game.table_id, "rows": [draft.begin, list(draft.rows)]}
            hints.async_to_sync(layer.group_send)(hints.GROUP, message)

    def believe(hub: Any, message: Any, name: str) -> None:
        feed = hub.feeds.get(message["table"])
        if message["type"] != "rows":
            hear(hub, message, name)
            return
        begin, rows = message["rows"]
        known = feed.private.state if feed is not None and feed.private is not None else None
        if feed is not None and known is not None and (known.setup.game, known.seq) == (begin.setup.game, begin.seq):
            feed.private.extend(steps(known, rows))
            feed.rows = [*feed.rows, *rows] if feed.watched else []
            hub._advance_all(feed)

    with ExitStack() as stack:
        for owner in (record, results):
            stack.enter_context(mock.patch.object(owner, "write", write))
        stack.enter_context(mock.patch.object(relay, "_hear", believe))
        yield


@contextmanager
def bank_in_memory_only() -> Iterator[None]:
    """The Woogles fault: a state that no row carries. Seats are given time for their lag, in the memory of the process."""
    real = store.remember

    def remember(game: Any, state: TableState) -> None:
        if state.clocks is not None and state.position is not None:
            bank = tuple(left + 150 for left in state.clocks.bank)
            state = replace(state, clocks=replace(state.clocks, bank=bank))
        real(game, state)

    with mock.patch.object(store, "remember", remember):
        yield


@contextmanager
def touch_in_memory_only() -> Iterator[None]:
    """The Woogles fault again: a touch is acknowledged and kept by the process, no row says so."""

    def touch(draft: record.Draft, command: Any) -> None:
        draft.rows.append(Row(draft.state.seq, "act", "touch", {}, "", draft.at))

    real = play.conclude

    def conclude(draft: record.Draft) -> None:
        if draft.rows and not draft.rows[0].actor:
            return
        real(draft)

    with mock.patch.dict(play._ACTIONS, {"touch": touch}), mock.patch.object(play, "conclude", conclude):  # type: ignore[arg-type]
        yield


@contextmanager
def seat_told_too_late() -> Iterator[None]:
    """Who holds a seat is remembered by the process for ten seconds, and nobody tells it of a change."""
    real = play._check_seat
    known: dict[tuple[int, int, Any], float] = {}

    def check(game: Any, command: Any, by: Any) -> None:
        key = (game.table_id, command.seat, by)
        if known.get(key, 0.0) < clock.monotonic() - 10 or clock.monotonic() < known.get(key, 0.0):
            real(game, command, by)
            known[key] = clock.monotonic()

    with mock.patch.object(play, "_check_seat", check):
        yield


@contextmanager
def state_told_too_late() -> Iterator[None]:
    """The folded state of the cache is believed without a look at the game's last seq: another process may have written."""

    def current(game: Any) -> TableState:
        known = store._states.before(game.slug, 10**9)
        if known is None:
            return store.state_at(game, game.last_seq)
        game.last_seq = known.seq
        return known

    with mock.patch.object(store, "current", current):
        yield


@contextmanager
def doubled_after_a_kill() -> Iterator[None]:
    """A command's id is known to the process that answered it only: who sends it again after a restart is not recognised."""
    with mock.patch.object(store, "answered", return_value=None):
        yield


@contextmanager
def neighbour_sees_a_card() -> Iterator[None]:
    """The hub shows a seat the first card of its right neighbour."""

    def leaking(state: TableState, viewer: Viewer) -> dict[str, Any]:
        seen = view(state, viewer)
        if viewer.seat is not None and "hand" in seen and state.result is None:
            other = view(state, Viewer((viewer.seat + 1) % state.setup.seats))["hand"]
            seen["hand"] = [*seen["hand"], *other[:1]]
        return seen

    with mock.patch.object(projection, "view", leaking), mock.patch.object(feed_room, "view", leaking):
        yield


@contextmanager
def definition_shows_a_card() -> Iterator[None]:
    """The definition of views itself shows everybody a gift that is laid aside: only the search for cards can find it."""
    real = Tock.line

    def line(self: Tock, row: Any, viewer: Viewer, setup: Any) -> str:
        text = real(self, row, viewer, setup)
        return str(row.body["play"]) if text.startswith("give") else text

    with mock.patch.object(Tock, "line", line):
        yield


ALL = (
    Fault("acknowledged before commit", acknowledged_before_commit),
    Fault("hint believed", hint_believed),
    Fault("Woogles: a bank that no row carries", bank_in_memory_only),
    Fault("Woogles: a touch that no row carries", touch_in_memory_only),
    Fault("seat told too late", seat_told_too_late),
    Fault("state told too late", state_told_too_late),
    Fault("doubled after a kill", doubled_after_a_kill),
    Fault("neighbour sees a card", neighbour_sees_a_card),
    Fault("definition shows a card", definition_shows_a_card),
)
