"""Checks of acknowledgements and refusals: nothing acknowledged is lost, duplicated or reordered."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from games.fold import by_seat

from .record import Stored
from .seams import BEGIN

if TYPE_CHECKING:
    from .client import Client
    from .game import Simulation

# Permanent refusals: a command refused so can never succeed later. Other refusals depend on the moment.
FOR_EVER = {"stale_turn", "illegal", "not_your_turn", "too_late"}
CODES = {
    "ready": "ready",
    "share": "share",
    "touch": "touch",
    "exchange": "give_sealed",
    "resign": "resign",
    "phrase": "phrase",
}
Place = tuple[int, int, int]  # table, number of the game, seq


@dataclass
class Request:
    """A command of one client with all its responses."""

    frame: dict[str, Any]
    first: int  # index in the client's history of the first time it was sent
    answered: int | None = None  # index of the first acknowledgement
    answers: list[dict[str, Any]] = field(default_factory=list)  # `ack` and `nak` frames

    @property
    def reused(self) -> bool:
        """Whether this is an id reused with another body: only such a frame plays before the first deal."""
        return bool(self.frame["turn"] == "0.1" and self.frame["kind"] == "play")


def judge(simulation: "Simulation", games: list[Stored]) -> None:
    """Compare each client's requests with the rows."""
    rows: dict[str, list[Place]] = {}
    for game in games:
        for row in game.rows:
            if row.command_id:
                rows.setdefault(row.command_id, []).append((game.table_id, game.number, row.seq))
    for id, places in rows.items():
        if len(places) > 1:
            simulation.wrong(f"{id} is in the record {len(places)} times: {places}")
    for client in simulation.clients:
        asked = requests(client)
        for (id, _), request in asked.items():
            _judge(simulation, client, games, id, request, rows.get(id, []))
        _order(simulation, client, asked, rows)


def requests(client: "Client") -> dict[tuple[str, str], Request]:
    """Return the client's commands by id and body; a response belongs to the last body sent before it."""
    found: dict[tuple[str, str], Request] = {}
    latest: dict[str, Request] = {}
    for place, entry in enumerate(client.history):
        frame = entry.frame
        if entry.what == "posted" or frame["t"] == "cmd":
            bare = {name: value for name, value in frame.items() if name != "t"}
            key = (frame["id"], json.dumps(bare, sort_keys=True))
            request = latest[frame["id"]] = found.setdefault(key, Request(bare, place))
        elif frame["t"] in ("ack", "nak") and frame["id"] in latest:
            request = latest[frame["id"]]
            request.answers.append(frame)
            if frame["t"] == "ack" and request.answered is None:
                request.answered = place
    return found


def _judge(
    simulation: "Simulation", client: "Client", games: list[Stored], id: str, request: Request, places: list[Place]
) -> None:
    acks = {answer["seq"] for answer in request.answers if answer["t"] == "ack"}
    refused = [answer for answer in request.answers if answer["t"] == "nak" and answer["code"] in FOR_EVER]
    if request.reused:
        return  # a late response to the first body may be among its answers
    if acks and [seq for *_, seq in places] != sorted(acks):
        simulation.wrong(f"{client.name}: {id} was acknowledged as {sorted(acks)}, the record has it at {places}")
        return
    # A `ready` that was refused in one game may arrive again and be accepted in the next one.
    if refused and places and request.frame["kind"] != "ready" and not all(answer["retry"] for answer in refused):
        simulation.wrong(f"{client.name}: {id} was refused with {refused[0]['code']}, the record has it at {places}")
    for table_id, number, seq in places:
        if table_id != client.table_id:
            simulation.wrong(f"{client.name}: {id} is in the record of another table")
            return
        row = next(game for game in games if (game.table_id, game.number) == (table_id, number)).rows[seq - 1]
        if row.actor != by_seat(client.seat or 0) or not _same(request.frame, row.code, row.body):
            simulation.wrong(f"{client.name}: {request.frame} became row {seq}: {row.code} {dict(row.body)}")
        _had_the_seat(simulation, client, request, row.at)


def _same(frame: dict[str, Any], code: str, body: Any) -> bool:
    kind, args = frame["kind"], frame["args"]
    if kind == "dispute":
        return bool(code == "dispute")
    if kind in ("play", "burn"):
        line = args["play"] if kind == "play" else f"burn {args['card']}"
        return bool(code == "play" and body["play"] == line) or bool(
            code == "give_sealed" and line.endswith(body["card"])
        )
    return bool(code == CODES[kind]) and all(body.get(name) == value for name, value in args.items())


def _had_the_seat(simulation: "Simulation", client: "Client", request: Request, at: int) -> None:
    """Report a row that was written after the seat was lost or the session had ended."""
    lost = simulation.lost.get(client)
    if lost is None or at <= round((BEGIN + lost) * 1000):
        return
    simulation.wrong(f"{client.name} was {simulation.scenario.loss} at {lost:.3f}, and {request.frame} was accepted")


def _order(
    simulation: "Simulation",
    client: "Client",
    asked: dict[tuple[str, str], Request],
    rows: dict[str, list[Place]],
) -> None:
    """Report a row that is before one whose acknowledgement the sender had received before sending it."""
    done = sorted(
        (request.answered, rows[id][0])
        for (id, _), request in asked.items()
        if request.answered is not None and id in rows
    )
    for (id, _), request in asked.items():
        before = [place for answered, place in done if answered < request.first]
        if id in rows and before and not request.reused and max(before) >= rows[id][0]:
            simulation.wrong(f"{client.name}: {id} at {rows[id][0]} was asked after {max(before)} was acknowledged")
    doubled = [id for id, count in Counter(id for id, _ in asked).items() if count > 2]
    if doubled:
        simulation.wrong(f"{client.name} used an id for three bodies: {doubled}")
