"""Section 13: one request, one answer."""

from typing import Any

from . import turns
from .checks import Refused, checked


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; for anything wrong {"error": text}."""
    try:
        return _answer(request)
    except Refused as refusal:
        return {"error": str(refusal)}


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in request.items() if key not in ("op", "position")}
    match request.get("op"):
        case "new":
            return {"position": turns.new(**rest)}
        case "legal":
            return {"plays": turns.legal(request["position"])}
        case "apply":
            return {"position": turns.apply(request["position"], request["play"])}
        case "perft":
            return {"nodes": turns.perft(request["position"], request["depth"])}
        case "result":
            return {"ranks": turns.result(checked(request["position"]))}
        case _:
            raise Refused("op: no such request")
