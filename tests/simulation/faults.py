"""Planted faults: each breaks one guarantee of the live table in a way that occurs in practice.

The simulation must find each of them within 200 games; the suite asserts it.
"""

import importlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from games import store
from games.families.tock.table import Tock
from games.fold import Row, Step, TableState, Viewer, steps
from games.live import hints, relay, telling
from games.live import hub as hub_room
from games.live import writer as writer_room
from games.permissions import Login
from games.services import actions, play, record, results
from games.store import states
from tock_league.common import clock

WITHIN = 200  # games


@dataclass(frozen=True)
class Fault:
    """A planted fault."""

    name: str
    planted: Callable[[], AbstractContextManager[None]]  # patches the code
    first: int = 1  # the first seed to try; close to one that finds the fault, so that the test suite is quick


@contextmanager
def acknowledged_before_commit() -> Iterator[None]:
    """A play is acknowledged before its transaction is committed."""
    real = writer_room.Writer._write

    async def write(self: Any, group: list[Any], lane: int) -> None:
        """Acknowledge plays for the current decision at once, with the expected seq."""
        for request, answered, _ in group:
            game = hub_room.hub().feeds[request.table_id].private
            if request.kind == "play" and game is not None and request.turn == game.state.decision_id:
                answered.set_result(play.Answer(request.id, game.state.seq + 1))
        await real(self, group, lane)

    with mock.patch.object(writer_room.Writer, "_write", write):
        yield


@contextmanager
def hint_believed() -> Iterator[None]:
    """A hint has the rows and is sent before the commit; the other process shows them without reading the database."""
    real, hear = record.write, relay._hear

    def write(draft: record.Draft) -> None:
        real(draft)
        layer = hints.get_channel_layer()
        if layer is not None:
            message = {"type": "rows", "table": draft.game.table_id, "rows": [draft.begin, list(draft.rows)]}
            hints.async_to_sync(layer.group_send)(hints.GROUP, message)

    def believe(hub: Any, message: Any, name: str) -> None:
        feed = hub.feeds.get(message.get("table"))
        if message["type"] != "rows":
            hear(hub, message, name)
            return
        begin, rows = message["rows"]
        known = feed.private.state if feed is not None and feed.private is not None else None
        if feed is not None and known is not None and (known.setup.game, known.seq) == (begin.setup.game, begin.seq):
            feed.private.extend(steps(known, rows))
            feed.rows = [*feed.rows, *rows] if feed.watched else []
            telling.advance_all(feed)

    with ExitStack() as stack:
        for owner in (record, results):
            stack.enter_context(mock.patch.object(owner, "write", write))
        stack.enter_context(mock.patch.object(relay, "_hear", believe))
        yield


@contextmanager
def bank_in_memory_only() -> Iterator[None]:
    """The Woogles fault: state that is in no row. Seats get extra time for lag, only in the memory of the process."""
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
    """The Woogles fault again: a touch is acknowledged and kept in memory without a row."""

    def touch(draft: record.Draft, command: Any) -> None:
        row = Row(draft.state.seq, "act", "touch", {}, "", draft.at, command_id=command.id)
        draft.steps.append(Step(row, draft.state, draft.state))

    real = play.conclude

    def conclude(draft: record.Draft) -> None:
        if draft.rows and not draft.rows[0].actor:
            return
        real(draft)

    with mock.patch.dict(actions.ACTIONS, {"touch": touch}), mock.patch.object(play, "conclude", conclude):  # type: ignore[arg-type]
        yield


@contextmanager
def seat_told_too_late() -> Iterator[None]:
    """The holders of seats are cached for ten seconds, and a change does not invalidate the cache."""
    real, known = store.check, {}

    def check(locked: Any, command_id: str, **more: Any) -> Any:
        asked, now = real(locked, command_id, **more), clock.monotonic()
        table_id = locked.game.table_id
        at, seats = known.get(table_id, (now + 1, None))
        if not now - 10 < at <= now:
            known[table_id] = (now, asked.seats)
            return asked
        return replace(asked, seats=seats)

    with mock.patch.object(store, "check", check):
        yield


@contextmanager
def login_told_too_late() -> Iterator[None]:
    """A valid login is cached for ten seconds: a player who signed out can still play."""
    real, known = Login.stands, {}

    def stands(self: Login, row: Any) -> bool:
        now = clock.monotonic()
        if not now - 10 < known.get(self, now + 1) <= now and real(self, row):
            known[self] = now
        return now - 10 < known.get(self, now + 1) <= now

    with mock.patch.object(Login, "stands", stands):
        yield


@contextmanager
def state_told_too_late() -> Iterator[None]:
    """The cached state is used without a check of the game's last seq, although another process may have written."""

    def current(game: Any) -> TableState:
        known = states.folded.before(game.slug, 10**9)
        if known is None:
            return store.state_at(game, game.last_seq)
        game.last_seq = known.seq
        return known

    with mock.patch.object(store, "current", current):
        yield


@contextmanager
def doubled_after_a_kill() -> Iterator[None]:
    """Ids of commands are not looked up in the record: a retry after a restart is carried out again."""
    real = store.check

    def check(table_id: int, command_id: str, **more: Any) -> Any:
        return replace(real(table_id, command_id, **more), known=None)

    with mock.patch.object(store, "check", check):
        yield


@contextmanager
def neighbour_sees_a_card() -> Iterator[None]:
    """The hub shows a seat the first card of its right neighbour."""

    told = importlib.import_module("games.fold.told")  # `from games.fold import told` would give the function
    real = told.own_view

    def leaking(state: TableState, viewer: Viewer) -> dict[str, Any]:
        seen = real(state, viewer)
        if viewer.seat is not None and "hand" in seen and state.result is None:
            other = real(state, Viewer((viewer.seat + 1) % state.setup.seats))["hand"]
            seen["hand"] = [*seen["hand"], *other[:1]]
        return seen

    with mock.patch.object(told, "own_view", leaking):
        yield


@contextmanager
def definition_shows_a_card() -> Iterator[None]:
    """The definition of views shows a given card to everybody; only the search for cards can find this."""
    real = Tock.line

    def line(self: Tock, row: Any, viewer: Viewer, setup: Any) -> str:
        text = real(self, row, viewer, setup)
        return str(row.body["play"]) if text.startswith("give") else text

    with mock.patch.object(Tock, "line", line):
        yield


ALL = (
    Fault("acknowledged before commit", acknowledged_before_commit, first=2),
    Fault("hint believed", hint_believed, first=12),
    Fault("Woogles: a bank that no row carries", bank_in_memory_only, first=2),
    Fault("Woogles: a touch that no row carries", touch_in_memory_only, first=2),
    Fault("seat told too late", seat_told_too_late, first=53),
    Fault("login told too late", login_told_too_late, first=23),
    Fault("state told too late", state_told_too_late, first=3),
    Fault("doubled after a kill", doubled_after_a_kill),
    Fault("neighbour sees a card", neighbour_sees_a_card),
    Fault("definition shows a card", definition_shows_a_card, first=2),
)
