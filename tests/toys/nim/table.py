"""Nim at the table: only the deck is hidden."""

from collections.abc import Sequence
from typing import Any

from games.fold import CLOCK, Clocks, ClockSettings, Row, Setup, TableState, Viewer
from games.fold import clocks as clock_rules
from games.fold.patch import Json
from games.fold.rows import HIDDEN


class Nim:
    """See `games.fold.Family`."""

    kinds: frozenset[str] = frozenset()
    by_table = frozenset({"deck"})
    draw_line = ""

    def around(self, state: TableState, row: Row, position: Any) -> dict[str, Any]:
        return {"decision": row.seq, "decks": state.decks + row.body["play"].startswith("deck ")}

    def begins_deal(self, state: TableState, after: TableState, row: Row) -> bool:
        return after.decks > state.decks

    def pause(self, state: TableState) -> int:
        return 0

    def clocks(self, state: TableState, after: TableState, row: Row, clocks: Clocks, settings: ClockSettings) -> Clocks:
        if row.actor != CLOCK and not row.body.get("chance"):
            clocks = clock_rules.charge(clocks, settings, seat=row.body["seat"], at=row.at)
        return self.running(after, clocks, settings, row.at)

    def running(self, state: TableState, clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        if not state.to_act or state.position is None:
            return clock_rules.stop(clocks)
        return clock_rules.open_decision(clocks, settings, run=min(state.to_act), at=at, short=False)

    def short(self, state: TableState) -> bool:
        return False

    def counts_timeouts(self, state: TableState) -> bool:
        return True

    def is_choice(self, line: str) -> bool:
        return True

    def rewindable(self, state: TableState) -> bool:
        return False

    def open_board(self, setup: Setup) -> Json:
        return {}

    def public(self, state: TableState) -> Json:
        return dict(state.told)

    def own(self, state: TableState, viewer: Viewer) -> Json:
        return {"legal": state.legal(viewer.seat)} if viewer.seat is not None and viewer.seat in state.to_act else {}

    def line(self, row: Row, viewer: Viewer, setup: Setup) -> str:
        text = str(row.body["play"])
        return f"deck {HIDDEN}" if text.startswith("deck ") and not viewer.everything else text

    def score(self, state: TableState) -> tuple[int, ...]:
        return (0,) * state.setup.teams

    def reached(self, state: TableState, counts: str) -> tuple[int, ...]:
        return self.score(state)

    def laid(self, state: TableState) -> Sequence[str]:
        return ()


TABLE = Nim()
