"""Tock at the table: one card after another on a pile, exchanged cards, touches that bind, blind burns."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.game import SPECTATOR
from games.engine.tock.board import steps_of
from games.fold import clocks as clock_rules
from games.fold.cap_clock import MARBLES
from games.fold.clocks import Clocks, ClockSettings
from games.fold.patch import Json
from games.fold.phases import FORCED, GIVE, JOKER
from games.fold.rows import CLOCK, HIDDEN, Row
from games.fold.state import Setup, TableState
from games.fold.viewer import Viewer

# Keys of the engine's view of a seat or of a spectator.
_PUBLIC = ("phase", "turn", "dealer", "deal", "marbles", "fresh", "count", "owed", "joker", "thrown", "finished")


class Tock:
    """See `games.fold.Family`."""

    kinds = frozenset({"burn", "exchange"})
    by_table = frozenset({"deck", "blind"})
    draw_line = ""

    def around(self, state: TableState, row: Row, position: Any) -> dict[str, Any]:
        seat, text = row.body.get("seat"), str(row.body["play"])
        word = _word(row)
        shown = _shown(state, text, seat)
        return {
            "decision": row.seq,
            "pile": "" if word == "deck" else shown[-1] if shown else state.pile,
            "shown": () if word == "deck" else (*state.shown, *shown),
            "sealed": {other: card for other, card in state.sealed.items() if other != seat} if word == "give" else {},
            "decks": state.decks + (word == "deck"),
            "blinds": 0 if word == "deck" else state.blinds + (word == "blind"),
            "back": _back(state, row, word),
        }

    def begins_deal(self, state: TableState, after: TableState, row: Row) -> bool:
        new_hands = after.position.deal != state.position.deal and after.position.phase != "deck"
        return _word(row) == "deck" or (after.result is None and new_hands)

    def pause(self, state: TableState) -> int:
        return 0

    def clocks(self, state: TableState, after: TableState, row: Row, clocks: Clocks, settings: ClockSettings) -> Clocks:
        own, word = row.actor != CLOCK and not row.body.get("chance"), _word(row)
        seat = int(row.body.get("seat", 0))
        if own and word == "burn" and state.phase != FORCED:
            clocks = clock_rules.charge_burn(clocks, settings, seat=seat, at=row.at)
        elif own and word not in ("burn", "give"):
            clocks = clock_rules.charge(clocks, settings, seat=seat, at=row.at)
        return self.running(after, clocks, settings, row.at)

    def running(self, state: TableState, clocks: Clocks, settings: ClockSettings, at: int) -> Clocks:
        if not state.to_act or state.position is None:
            return clock_rules.stop(clocks)
        if state.phase == GIVE:
            return clock_rules.open_decision(clocks, settings, run=None, at=at, short=True)
        (seat,) = state.to_act
        return clock_rules.open_decision(clocks, settings, run=seat, at=at, short=state.phase == FORCED)

    def short(self, state: TableState) -> bool:
        return state.phase in (GIVE, FORCED)

    def counts_timeouts(self, state: TableState) -> bool:
        return True

    def is_choice(self, line: str) -> bool:
        return True

    def rewindable(self, state: TableState) -> bool:
        return state.phase != GIVE

    def open_board(self, setup: Setup) -> Json:
        return dict(_board_of(setup.rules, setup.seats, setup.teams))

    def public(self, state: TableState) -> Json:
        told = state.told
        seen: Json = {key: told[key] for key in _PUBLIC if key in told}
        if state.phase == GIVE:
            seen["given"] = [seat not in state.to_act for seat in range(state.setup.seats)]
            # A card laid aside has left the hand; the engine also counts it among the given ones.
            seen["count"] = [count - (seat in state.sealed) for seat, count in enumerate(seen["count"])]
        return seen

    def own(self, state: TableState, viewer: Viewer) -> Json:
        seen: Json = {}
        own = viewer.seat if viewer.seat is not None else viewer.sees
        if own is not None:
            seen["hand"] = _hand(state, own)
            if state.phase == GIVE and own in state.sealed:
                seen["laid"] = state.sealed[own]
        if viewer.seat is not None and viewer.seat in state.to_act:
            seen["legal"] = state.legal(viewer.seat) if state.touch else _listed(state, viewer.seat)
        if viewer.everything:
            seen["hands"] = {str(seat): _hand(state, seat) for seat in range(state.setup.seats)}
        return seen

    def line(self, row: Row, viewer: Viewer, setup: Setup) -> str:
        text: str = row.body["play"]
        word = _word(row)
        if viewer.everything or word not in ("give", "deck"):
            return text
        if word == "give" and viewer.seat is not None:
            giver = row.body["seat"]
            if viewer.seat in (giver, (giver + setup.teams) % setup.seats):
                return text
        return f"{word} {HIDDEN}"

    def score(self, state: TableState) -> tuple[int, ...]:
        """Marbles in heaven."""
        inside = [0] * state.setup.teams
        for seat, places in state.told.get("marbles", {}).items():
            inside[state.team(int(seat))] += sum(place.startswith("h") for place in places)
        return tuple(inside)

    def reached(self, state: TableState, counts: str) -> tuple[int, ...]:
        """Marbles in heaven, or the steps of all marbles."""
        if counts == MARBLES:
            return self.score(state)
        walked = [0] * state.setup.teams
        for seat, places in state.told.get("marbles", {}).items():
            number = int(seat)
            walked[state.team(number)] += sum(steps_of(place, number, state.setup.seats) for place in places)
        return tuple(walked)

    def laid(self, state: TableState) -> Sequence[str]:
        return state.shown


def _word(row: Row) -> str:
    return str(row.body["play"]).partition(" ")[0]


def _back(state: TableState, row: Row, word: str) -> tuple[TableState, ...]:
    """Return the tables to which a rewind may lead after this play: the decisions of the turn to which it belongs.

    A chance play belongs to no turn; a joker's replay belongs to the joker's turn. An exchange or a new hand is never
    taken back, because players have seen the cards.
    """
    if row.body.get("chance") and word != "deck":
        return state.back
    if word in ("give", "deck"):
        return ()
    return (*state.back, state.untouched()) if state.phase == JOKER else (state.untouched(),)


def _shown(state: TableState, text: str, seat: int | None) -> tuple[str, ...]:
    """Return the cards that the play `text` lays face up on the pile, in order; throwing in lays the whole hand."""
    word, _, rest = text.partition(" ")
    if word in ("deck", "give"):
        return ()
    if word in ("burn", "blind"):
        return (rest,)
    if word == "throw":
        turn = min(state.to_act) if seat is None else seat
        return tuple(state.setup.engine.view(state.position, turn)["hand"])
    return (word,)


def _hand(state: TableState, seat: int) -> list[str]:
    """Return the seat's cards without the one laid aside, sorted so that their order reveals nothing."""
    left = [TEXTS[card] for card in state.position.hands[seat]]
    laid = state.sealed.get(seat)
    if laid is not None:
        left.remove(laid)
    return sorted(left)


def _listed(state: TableState, seat: int) -> list[str]:
    """Return the legal lines of a seat that has touched nothing."""
    return [play.text for play in state.setup.engine.legal_plays(state.position, seat)]


@lru_cache(maxsize=64)
def _board_of(rules: str, seats: int, teams: int) -> tuple[tuple[str, Any], ...]:
    engine = registry.game(rules)
    found = engine.view(engine.new(registry.rules(rules), seats=seats, teams=teams, dealer=0), SPECTATOR)
    return tuple((key, found[key]) for key in ("marbles", "fresh", "count", "owed"))


TABLE = Tock()
