"""Tractor at the table: cards drawn one by one, shows by any seat, a talon, tricks."""

from collections.abc import Sequence
from typing import Any

from games.engine.game import SPECTATOR
from games.fold import clocks as clock_rules
from games.fold.clocks import Clocks, ClockSettings
from games.fold.patch import Json
from games.fold.rows import CLOCK, HIDDEN, Row
from games.fold.state import Setup, TableState
from games.fold.viewer import Viewer

DECK, DRAW, SHOW, BURY, PLAY = "deck", "draw", "show", "bury", "play"
# For this many draws the result of a round, or cards thrown together, stay on the table before the next deck.
BETWEEN_DECKS = 10
# The starter has thirty-three cards to look at: this many times the cap of an ordinary decision.
BURY_CAPS = 2
# Keys of the engine's view of a seat or of a spectator. Cards of earlier tricks are not repeated: everybody has seen
# them.
_PUBLIC = (
    "phase", "turn", "round", "rounds", "ranks", "drawer", "count", "declarers", "starter", "left", "show", "passed", "trump",
    "turned", "leader", "trick", "captured", "paid", "best", "failed", "last", "points", "previous",
)  # fmt: skip


class Tractor:
    """See `games.fold.Family`."""

    kinds = frozenset({"show", "pass", "bury"})
    by_table = frozenset({"deck", "draw"})
    draw_line = "draw 4"

    def around(self, state: TableState, row: Row, position: Any) -> dict[str, Any]:
        """Return the changed fields. A draw, a show or a pass keeps the current decision, so that a show already sent
        stays valid; the row that opens burying begins a new one. The last turn may be taken back while tricks are
        played.
        """
        word, phase = _word(row), position.phase
        decides = word in (DECK, BURY, PLAY) or phase == BURY
        stepped = word in (DECK, DRAW) or phase == DECK
        return {
            "decision": row.seq if decides else state.decision,
            "decks": state.decks + (word == DECK),
            "stepped": row.at if stepped else state.stepped,
            "back": (state.untouched(),) if word in (BURY, PLAY) and phase == PLAY else (),
        }

    def begins_deal(self, state: TableState, after: TableState, row: Row) -> bool:
        return _word(row) == DECK

    def pause(self, state: TableState) -> int:
        if state.chance == DRAW:
            return 1
        return BETWEEN_DECKS if state.chance == DECK and state.decks else 0

    def clocks(self, state: TableState, after: TableState, row: Row, clocks: Clocks, settings: ClockSettings) -> Clocks:
        word = _word(row)
        if word == "pass" and after.phase == SHOW:
            return clocks  # the others keep the time they had
        if word in (BURY, PLAY) and row.actor != CLOCK:
            clocks = clock_rules.charge(clocks, settings, seat=int(row.body["seat"]), at=row.at)
        return self.running(after, clocks, settings, row.at)

    def running(self, state: TableState, clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        if not state.to_act or state.position is None:
            return clock_rules.stop(clocks)
        if state.phase == SHOW:
            return clock_rules.open_decision(clocks, settings, run=None, at=at, short=True)
        (seat,) = state.to_act
        caps = BURY_CAPS if state.phase == BURY else 1
        return clock_rules.open_decision(clocks, settings, run=seat, at=at, short=False, caps=caps)

    def short(self, state: TableState) -> bool:
        return state.phase == SHOW

    def counts_timeouts(self, state: TableState) -> bool:
        """Return False while seats may show and need not: when the time is up, the table passes for them.

        Exception: round one is dealt again until somebody shows. From its second deck on, a seat that neither shows nor
        passes is at fault as long as nobody has shown.
        """
        position = state.position
        return state.phase != SHOW or (state.decks > 1 and position.declarers < 0 and position.show is None)

    def is_choice(self, line: str) -> bool:
        return not line.startswith(("show ", "pass "))

    def rewindable(self, state: TableState) -> bool:
        return state.phase in (BURY, PLAY)

    def open_board(self, setup: Setup) -> Json:
        found = setup.engine.view(setup.begin(0), SPECTATOR)
        return {key: found[key] for key in ("round", "rounds", "ranks", "count") if key in found}

    def public(self, state: TableState) -> Json:
        told = state.told
        return {key: told[key] for key in _PUBLIC if key in told}

    def own(self, state: TableState, viewer: Viewer) -> Json:
        engine, position = state.setup.engine, state.position
        seen: Json = {}
        if viewer.seat is not None:
            found = engine.view(position, viewer.seat)
            seen |= {key: found[key] for key in ("hand", "talon", "buried") if key in found}
            if "legal" in found and state.result is None:
                seen["legal"] = found["legal"]
        elif viewer.referee and viewer.sees is not None:
            seen["hand"] = position.hand(viewer.sees)
        if viewer.everything:
            seen["hands"] = {str(seat): position.hand(seat) for seat in range(state.setup.seats)}
            if state.phase in (BURY, PLAY):
                known = engine.view(position, position.starter)
                seen |= {key: known[key] for key in ("talon", "buried") if key in known}
        return seen

    def line(self, row: Row, viewer: Viewer, setup: Setup) -> str:
        text, word = str(row.body["play"]), _word(row)
        own = word == BURY and viewer.seat is not None and viewer.seat == row.body["seat"]
        return text if viewer.everything or own or word not in (DECK, BURY) else f"{word} {HIDDEN}"

    def score(self, state: TableState) -> tuple[int, ...]:
        """Ranks climbed, counted from the two: 12 at the ace, 13 past it."""
        return (0,) * state.setup.teams if state.position is None else tuple(state.position.ranks)

    def reached(self, state: TableState, counts: str) -> tuple[int, ...]:
        """Games of Tractor have rounds instead of a time cap."""
        return self.score(state)

    def laid(self, state: TableState) -> Sequence[str]:
        return tuple(state.told.get("gone", ()))


def _word(row: Row) -> str:
    return str(row.body["play"]).partition(" ")[0]


TABLE = Tractor()
