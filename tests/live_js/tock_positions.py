"""Positions of Tock that the engine reached, as the view of a seat: tables of 4, 6 and 8 seats in every phase."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from games.bots import at_table
from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.game import SPECTATOR, Chance
from games.engine.tock.game import GAME

from .harness import CLOCKS, boot, snap

PEOPLE = [
    "Martine Gélinas",
    "Réjean Lampron",
    "Océane Trudel",
    "Yvon Bellemare",
    "Chantal Brière",
    "Marie-Philippe Gélinas-Bellemare",
    "Thanh Nguyen",
    "Pierre Savard",
]


def step(p: Any, dice: random.Random) -> Any:
    """Return the position after one more play: chance plays at random, and seats as the novice bot plays."""
    due = GAME.to_act(p)
    if isinstance(due, Chance):
        if due.kind == "deck":
            deck = [TEXTS[card] for card in p.rules.deck(p.seats)]
            dice.shuffle(deck)
            return GAME.apply(p, GAME.parse_play(p, "deck " + " ".join(deck)))
        plays = [GAME.play_text(p, play) for play in GAME.legal_plays(p)]
        return GAME.apply(p, GAME.parse_play(p, dice.choice(plays)))
    seat = min(due)
    view = GAME.view(p, seat)
    line = at_table.answer(view, view["legal"], level="novice", roll=dice.randrange, seat=seat, seen=[])
    return GAME.apply(p, GAME.parse_play(p, line, seat), seat)


def found(
    rules: str, seats: int, teams: int, wanted: Callable[[Any], bool], *, seed: int = 1, plays: int = 4000
) -> Any:
    """Return the first position of novice bots' games for which `wanted` is true."""
    dice = random.Random(seed)
    new = {"seats": seats, "teams": teams, "dealer": 0}
    p = GAME.new(registry.rules(rules), **new)
    for _ in range(plays):
        if wanted(p):
            return p
        p = GAME.new(registry.rules(rules), **new) if p.phase == "over" else step(p, dice)
    raise AssertionError("no such position came up")


def seen(p: Any, seat: int | None) -> dict[str, Any]:
    """Return a viewer's view of the table."""
    view = {"game": "g7q2", "decision": "0.412", **GAME.view(p, SPECTATOR if seat is None else seat)}
    if p.phase == "over":
        outcome = GAME.outcome(p)
        assert outcome is not None
        view["result"] = {"ranks": list(outcome.ranks), "reason": "played"}
    return view


def page_boot(p: Any, *, seat: int | None = 0, **more: Any) -> dict[str, Any]:
    """Return the page's boot data."""
    view = seen(p, seat)
    turn = view.get("turn", 0)
    clocks = {**CLOCKS, "bank": [268400] * p.seats, "run": turn}
    data = boot(view, seat=seat, names=PEOPLE[: p.seats])
    return data | {"snap": snap(view, seat=seat, clocks=clocks)} | more
