"""The conformance interface: one JSON request in, one JSON answer out (rulebook section 13).

A wrong request gets an error as its answer; it never raises. Requests about positions work the same for every family;
requests that only one family has are in its `operations` module.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from games.engine import registry
from games.engine.errors import BadRequest, EngineError, shown
from games.engine.numbers import is_whole


def answer_line(line: str) -> str:
    """Return the answer to a request in one line of JSON, as a line of JSON."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return json.dumps({"error": "bad_request: the line is no JSON"})
    return json.dumps(answer(request))


def answer(request: object) -> dict[str, Any]:
    """Return the answer to a request: `new`, `legal`, `apply`, `perft`, `result` or an operation of one family.

    A refused request is answered with {"error": text}.
    """
    if not isinstance(request, dict):
        return {"error": "bad_request: a JSON object is needed"}
    op = request.get("op")
    ops = _OPS | registry.operations()
    do = ops.get(op) if isinstance(op, str) else None
    if do is None:
        return {"error": f"bad_request: op: one of {', '.join(ops)}"}
    try:
        return do(request)
    except EngineError as error:
        return {"error": str(error)}


def _keys(request: Mapping[str, Any], needed: set[str], others: frozenset[str] = frozenset()) -> None:
    for key in sorted(needed - request.keys()):
        raise BadRequest("bad_request", f"{key}: missing")
    for key in sorted(request.keys() - needed - others - {"op"}):
        raise BadRequest("bad_request", f"{shown(key)}: no such key")


def _number(request: Mapping[str, Any], key: str, resting: int | None = None) -> int:
    value = request.get(key, resting)
    if not is_whole(value):
        raise BadRequest("bad_request", f"{key}: a whole number is needed")
    return value


def _position(request: Mapping[str, Any]) -> tuple[Any, Any]:
    data = request["position"]
    if not isinstance(data, dict) or "rules" not in data:
        raise BadRequest("bad_request", "position: an object with the key rules is needed")
    game = registry.game(data["rules"])
    return game, game.from_json(data)


def _new(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"rules", "seats", "teams"}, frozenset(("dealer", "full_ranking")))
    full = request.get("full_ranking", False)
    if not isinstance(full, bool):
        raise BadRequest("bad_request", "full_ranking: true or false")
    entry = registry.entry(request["rules"])
    p = entry.game.new(
        entry.rules,
        seats=_number(request, "seats"),
        teams=_number(request, "teams"),
        dealer=_number(request, "dealer", 0),
        full_ranking=full,
    )
    return {"position": entry.game.to_json(p)}


def _legal(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"position"})
    game, p = _position(request)
    return {"plays": [game.play_text(play) for play in game.legal_plays(p)]}


def _apply(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"position", "play"})
    game, p = _position(request)
    return {"position": game.to_json(game.apply(p, game.parse_play(p, request["play"])))}


def _perft(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"position", "depth"})
    depth = _number(request, "depth")
    if not 0 <= depth <= 10:
        raise BadRequest("bad_request", "depth: a whole number from 0 to 10")
    game, p = _position(request)
    return {"nodes": game.perft(p, depth)}


def _result(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"position"})
    game, p = _position(request)
    outcome = game.outcome(p)
    return {"ranks": None if outcome is None else list(outcome.ranks)}


_OPS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "new": _new,
    "legal": _legal,
    "apply": _apply,
    "perft": _perft,
    "result": _result,
}
