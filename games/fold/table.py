"""The fold: one row more, one table further. Every state of a game, live or years later, comes through `apply_row`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from . import clocks as clock_rules
from .rows import CLOCK, Row
from .state import FORCED, GIVE, Result, Setup, TableState, Touch, opening


class BadRecord(ValueError):
    """Rows that cannot be a record; the text names the seq."""


@dataclass(frozen=True, slots=True)
class Step:
    """A row with the table before and after it."""

    row: Row
    before: TableState
    after: TableState


def fold(setup: Setup, rows: Iterable[Row]) -> TableState:
    """Answer the table after `rows` (from seq 1, contiguous). Raises BadRecord, or the engine's errors."""
    state = opening(setup)
    for row in rows:
        state = apply_row(state, row)
    return state


def steps(state: TableState, rows: Iterable[Row]) -> Iterator[Step]:
    """Yield a Step per row, beginning at `state`."""
    for row in rows:
        after = apply_row(state, row)
        yield Step(row, state, after)
        state = after


def apply_row(state: TableState, row: Row) -> TableState:
    """Answer the table after the row that follows `state`.

    Raises BadRecord for a gap or an unknown act, and the engine's IllegalPlay when a play could not be played.
    """
    if row.seq != state.seq + 1:
        raise BadRecord(f"row {row.seq} after row {state.seq}")
    change = _play if row.kind == "play" else _ACTS.get(row.code)
    if change is None:
        raise BadRecord(f"row {row.seq}: unknown act {row.code}")
    after = change(state, row)
    return after if after.seq == row.seq else replace(after, seq=row.seq, epoch=row.epoch, at=row.at)


def _play(state: TableState, row: Row) -> TableState:
    engine, seat, text = state.setup.engine, row.body.get("seat"), str(row.body["play"])
    play = engine.parse_play(state.position, text, seat)
    position = engine.apply(state.position, play, seat)
    word = text.split(" ", 1)[0]
    outcome = engine.outcome(position)
    after = replace(
        state,
        seq=row.seq,
        epoch=row.epoch,
        at=row.at,
        position=position,
        decision=row.seq,
        touch=Touch(),
        pile=pile_after(state.pile, text),
        sealed={other: card for other, card in state.sealed.items() if other != seat} if word == "give" else {},
        decks=state.decks + (word == "deck"),
        blinds=0 if word == "deck" else state.blinds + (word == "blind"),
        result=Result(tuple(outcome.ranks), outcome.reason) if outcome is not None else None,
    )
    if word == "deck" or (outcome is None and position.deal != state.position.deal and position.phase != "deck"):
        after = replace(after, deals=(*state.deals, (row.seq, row.at)))
    return after if state.clocks is None else replace(after, clocks=_clocks(state, after, row, word))


def pile_after(pile: str, text: str) -> str:
    """Answer the card on top of the pile after the play `text`; a new deck takes the pile away."""
    word, _, rest = text.partition(" ")
    if word == "deck":
        return ""
    if word in ("burn", "blind"):
        return rest
    return pile if word in ("give", "throw") else word


def _clocks(state: TableState, after: TableState, row: Row, word: str) -> clock_rules.Clocks | None:
    clocks, settings = state.clocks, state.setup.clocks
    if clocks is None or settings is None:
        return None
    own = row.actor != CLOCK and not row.body.get("chance")
    seat = int(row.body.get("seat", 0))
    if own and word == "burn" and state.phase != FORCED:
        clocks = clock_rules.charge_burn(clocks, settings, seat=seat, at=row.at)
    elif own and word not in ("burn", "give"):
        clocks = clock_rules.charge(clocks, settings, seat=seat, at=row.at)
    return _run(replace(after, clocks=clocks), row.at)


def _run(state: TableState, at: int) -> clock_rules.Clocks | None:
    """Answer the clocks of `state` with its running decision opened at `at`, or stopped when nobody is to decide."""
    clocks, settings = state.clocks, state.setup.clocks
    if clocks is None or settings is None:
        return None
    if not state.to_act or state.position is None:
        return clock_rules.stop(clocks)
    if state.phase == GIVE:
        return clock_rules.open_decision(clocks, settings, run=None, at=at, short=True)
    (seat,) = state.to_act
    return clock_rules.open_decision(clocks, settings, run=seat, at=at, short=state.phase == FORCED)


def _commit(state: TableState, row: Row) -> TableState:
    """The deals are promised; the first promise opens the taking of seats, a later one changes nothing."""
    return replace(state, decision=row.seq) if state.seq == 0 else state


def _ready(state: TableState, row: Row) -> TableState:
    seat = row.body["seat"]
    return replace(state, ready=tuple(ready or other == seat for other, ready in enumerate(state.ready)))


def _draw(state: TableState, row: Row) -> TableState:
    """The first dealer is known: the engine's game begins, waiting for its deck."""
    setup, dealer = state.setup, row.body["dealer"]
    position = setup.engine.new(setup.rules_data, seats=setup.seats, teams=setup.teams, dealer=dealer)
    return replace(state, dealer=dealer, position=position, decision=row.seq)


def _touch(state: TableState, row: Row) -> TableState:
    touch = state.touch
    if "card" in row.body:
        return replace(state, touch=replace(touch, card=row.body["card"]))
    return replace(state, touch=replace(touch, marbles=(*touch.marbles, row.body["marble"])))


def _give_sealed(state: TableState, row: Row) -> TableState:
    return replace(state, sealed={**state.sealed, row.body["seat"]: row.body["card"]})


def _timeout(state: TableState, row: Row) -> TableState:
    seat = row.body["seat"]
    timeouts = tuple(count + (other == seat) for other, count in enumerate(state.timeouts))
    clocks = state.clocks
    if clocks is not None:
        short = state.phase in (GIVE, FORCED)
        clocks = clock_rules.charge_timeout(clocks, seat=seat, at=row.at, short=short)
    return replace(state, timeouts=timeouts, clocks=clocks)


def _end(state: TableState, row: Row) -> TableState:
    """A forfeit or a resignation: the ranks stand in the row, the position stays as it was."""
    clocks = clock_rules.stop(state.clocks) if state.clocks else None
    return replace(state, result=Result(tuple(row.body["ranks"]), row.body["reason"]), touch=Touch(), clocks=clocks)


def _nothing(state: TableState, row: Row) -> TableState:
    return state


_ACTS: Mapping[str, Callable[[TableState, Row], TableState]] = {
    "commit": _commit,
    "ready": _ready,
    "draw": _draw,
    "touch": _touch,
    "give_sealed": _give_sealed,
    "timeout": _timeout,
    "forfeit": _end,
    "resign": _end,
    "phrase": _nothing,
    "open": _nothing,
}
