"""The same game for one viewer: all cards of the last deck that the viewer may not know lie elsewhere.

What everybody saw stays, and the rules must accept every play again. In Tractor the result of a play can depend on
hidden cards (a throw that fails), so the public course of the tricks must be the same too; it is read from the raw
position, not from a view.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.errors import EngineError
from games.fold import Row, Setup, Step, TableState, apply_row, opening
from games.fold.rows import BadRecord

from .tracker import Tracker, named, words

WHOLE, SWAPS = 4, 24  # tries: all hidden cards shuffled; two of them exchanged
# What is public of a raw position of Tractor.
TRICKS = (
    "phase", "turn", "show", "passed", "suit", "turned", "leader", "trick", "best", "failed", "captured", "paid", "ranks",
    "declarers", "starter", "points", "round",
)  # fmt: skip


@dataclass(frozen=True)
class Past:
    """A game from its first row to the present: the rows, the steps from the last deck on, and who may know what."""

    setup: Setup
    rows: list[Row]
    begin: int  # the seq of the last deck
    before: TableState  # the table before it
    steps: list[Step]  # from the deck on
    tracker: Tracker

    @classmethod
    def of(cls, setup: Setup, rows: Sequence[Row]) -> "Past":
        """Fold the rows, and follow the last deck."""
        begin = max(row.seq for row in rows if words(row)[:1] == ["deck"])
        state = opening(setup)
        for row in rows[: begin - 1]:
            state = apply_row(state, row)
        found, before = [], state
        for row in rows[begin - 1 :]:
            after = apply_row(state, row)
            found.append(Step(row, state, after))
            state = after
        tracker = Tracker(setup.seats, setup.teams).follow(found)
        return cls(setup, list(rows), begin, before, found, tracker)

    @property
    def state(self) -> TableState:
        return self.steps[-1].after


def other_world(past: Past, seat: int | None, roll: random.Random) -> list[Row] | None:
    """Return rows that differ only in what the seat (None: a spectator, a visitor, a referee) may not know; None if no
    permutation that was tried can be played.
    """
    hidden = past.tracker.hidden_from(seat)
    best = None
    for order in _orders(past.tracker.deck, hidden, roll):
        world = _rewritten(past, hidden, order)
        if world is not None:
            return world
    order = hidden[:]
    for _ in range(SWAPS):
        if len(hidden) < 2:
            return None
        a, b = roll.sample(range(len(hidden)), 2)
        if past.tracker.deck[order[a]] == past.tracker.deck[order[b]]:
            continue
        other = order[:]
        other[a], other[b] = other[b], other[a]
        world = _rewritten(past, hidden, other)
        if world is not None:
            best, order = world, other
    return best


def _orders(deck: Sequence[str], hidden: Sequence[int], roll: random.Random) -> Iterator[list[int]]:
    for _ in range(WHOLE):
        order = list(hidden)
        roll.shuffle(order)
        if [deck[place] for place in order] != [deck[place] for place in hidden]:
            yield order


def _rewritten(past: Past, hidden: Sequence[int], order: Sequence[int]) -> list[Row] | None:
    """Return the rows with the cards of `order` at the places `hidden`, or None if the game cannot be played so."""
    deck = past.tracker.deck[:]
    for place, source in zip(hidden, order, strict=True):
        deck[place] = past.tracker.deck[source]
    state, rows = past.before, past.rows[: past.begin - 1]
    try:
        for step in past.steps:
            row = _row(past, step.row, deck, state)
            state = apply_row(state, row)
            if not _same_to_all(step.after, state):
                return None
            rows.append(row)
    except (EngineError, BadRecord, ValueError, LookupError):
        return None
    return rows


def _row(past: Past, row: Row, deck: list[str], state: TableState) -> Row:
    """Return the row with the cards of the other deck."""
    places = past.tracker.rewritten.get(row.seq)
    if row.seq == past.begin:
        return replace(row, body={**row.body, "play": " ".join(["deck", *deck])})
    if places is None:
        return row
    cards = [deck[place] for place in places]
    if row.code == "give_sealed":
        return replace(row, body={**row.body, "card": cards[0]})
    if cards == named(row):
        return row
    engine, seat = state.setup.engine, row.body["seat"]
    play = engine.parse_play(state.position, " ".join([words(row)[0], *cards]), seat)
    return replace(row, body={**row.body, "play": engine.play_text(play)})


def _same_to_all(ours: TableState, theirs: TableState) -> bool:
    """Return whether everybody saw the same happen, as far as the result of a play can depend on hidden cards."""
    a, b = ours.position, theirs.position
    if a is None or not hasattr(a, "one"):
        return True
    return all(_plain(a, name) == _plain(b, name) for name in TRICKS)


def _plain(position: Any, name: str) -> Any:
    return getattr(position, name)
