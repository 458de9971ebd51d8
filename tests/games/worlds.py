"""Two worlds that one seat cannot tell apart: the same game with the cards that it has never seen dealt differently.

`other_world` takes a game's rows and returns rows in which the cards of the last deck that `seat` has not seen by then
are permuted: in the deck's order and in the exchanges between others. What everybody saw does not change, and the
engine must accept every play again; a permutation that makes one illegal is dropped and another one tried.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.engine.errors import EngineError
from games.fold import Row, Setup, Step, opening, steps, view
from games.fold.viewer import Viewer

TRIES = 60


def cards_of(line: str) -> list[str]:
    """Return the cards that a line of notation names."""
    word, *rest = line.split(" ")
    return rest if word in ("deck", "give", "burn", "blind") else [word]


def all_steps(setup: Setup, rows: Sequence[Row]) -> list[Step]:
    return list(steps(opening(setup), rows))


def seen_by(found: Sequence[Step], seat: int | None, since: int) -> set[str]:
    """Return the cards that the seat (None: a spectator at the open table) has seen from row `since` on."""
    seen: set[str] = set()
    for step in found:
        row = step.row
        if row.seq < since:
            continue
        if seat is not None and step.after.position is not None:
            seen |= set(view(step.after, Viewer(seat))["hand"])
            seen |= {view(step.after, Viewer(seat)).get("laid", "")}
        if row.code == "play" and not row.body["play"].startswith(("deck", "give")):
            seen |= set(cards_of(row.body["play"]))
        if row.code == "touch":
            seen.add(row.body.get("card", ""))
        if row.code == "play" and row.body["play"].startswith("give") and seat is not None:
            giver = row.body["seat"]
            if seat in (giver, (giver + step.after.setup.teams) % step.after.setup.seats):
                seen |= set(cards_of(row.body["play"]))
    return seen


def other_world(setup: Setup, rows: Sequence[Row], seat: int | None, roll: random.Random) -> list[Row] | None:
    """Return other rows that `seat` cannot distinguish, or None if no permutation that was tried is playable."""
    found = all_steps(setup, rows)
    deck = max(row.seq for row in rows if row.code == "play" and row.body["play"].startswith("deck"))
    line = next(row.body["play"] for row in rows if row.seq == deck)
    hidden = sorted(set(cards_of(line)) - seen_by(found, seat, deck) - {"JK"})
    for _ in range(TRIES):
        shuffled = hidden[:]
        roll.shuffle(shuffled)
        exchange = dict(zip(hidden, shuffled, strict=True))
        world = [_dealt(row, exchange) if row.seq >= deck else row for row in rows]
        if world != list(rows) and _playable(setup, world):
            return world
    return None


def _dealt(row: Row, exchange: dict[str, str]) -> Row:
    body: dict[str, Any] = dict(row.body)
    if row.code == "play" and body["play"].startswith(("deck", "give")):
        word, *cards = body["play"].split(" ")
        body["play"] = " ".join([word, *(exchange.get(card, card) for card in cards)])
    elif row.code == "give_sealed":
        body["card"] = exchange.get(body["card"], body["card"])
    return replace(row, body=body)


def _playable(setup: Setup, rows: Sequence[Row]) -> bool:
    try:
        for _ in steps(opening(setup), rows):
            pass
    except (EngineError, ValueError):
        return False
    return True
