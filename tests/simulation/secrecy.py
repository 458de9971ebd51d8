"""Check that no frame has a card that its viewer must not know. Cards are found by their spelling, without views.

A viewer may know the cards that were laid openly since the last shuffle; a seat also its own hand and the cards that it
gave or received.
"""

import json
import re
from typing import TYPE_CHECKING

from .record import Stored

if TYPE_CHECKING:
    from .client import Client
    from .game import Simulation

CARD = re.compile(r"(?<![0-9A-Za-z])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK)(?![0-9A-Za-z])")


def judge(simulation: "Simulation", games: list[Stored]) -> None:
    """Report cards that a viewer must not know in all frames that it received."""
    by_slug = {game.slug: game for game in games}
    known: dict[tuple[str, int | None], list[frozenset[str]]] = {}
    for client in simulation.clients:
        _read(simulation, client, by_slug, known)


def _read(
    simulation: "Simulation",
    client: "Client",
    games: dict[str, Stored],
    known: dict[tuple[str, int | None], list[frozenset[str]]],
) -> None:
    game = ""
    for entry in client.history:
        frame = entry.frame
        if entry.what != "got":
            continue
        if frame["t"] == "snap":
            game = frame["view"]["game"]
        if game not in games:
            continue
        key = (game, client.seat)
        if key not in known:
            known[key] = knowledge(games[game], client.seat)
        may = known[key]
        if frame["t"] == "ev":
            parts = [(event["seq"], event) for event in frame["list"]]
        elif frame["t"] == "snap":
            parts = [(frame["seq"], frame)]
        else:
            parts = [(0, frame)]
        for seq, part in parts:
            if seq >= len(may):
                continue
            secret = set(CARD.findall(json.dumps(part))) - may[seq] - may[max(0, seq - 1)]
            if secret:
                simulation.wrong(f"{client.name} at {entry.at:.3f} is shown {sorted(secret)} in {frame['t']} {seq}")


def knowledge(game: Stored, seat: int | None) -> list[frozenset[str]]:
    """Return, by seq, the cards that the seat (None for a spectator) may know after that row."""
    engine, setup = game.setup.engine, game.setup
    known: set[str] = set()
    found: list[frozenset[str]] = [frozenset()]
    for row, before, after in zip(game.rows, game.states, game.states[1:], strict=False):
        line = str(row.body.get("play", ""))
        word = line.partition(" ")[0]
        if word == "deck":
            known = set()
        elif word == "give":
            if seat in (row.body["seat"], (row.body["seat"] + setup.teams) % setup.seats):
                known |= set(CARD.findall(line))
        elif word == "throw":
            known |= set(engine.view(before.position, row.body["seat"])["hand"])
        elif row.code != "give_sealed" or row.body["seat"] == seat:
            known |= set(CARD.findall(json.dumps(dict(row.body))))
        if seat is not None and after.position is not None:
            known |= set(engine.view(after.position, seat)["hand"])
        found.append(frozenset(known))
    return found
