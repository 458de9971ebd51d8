"""Requests of rulebook T10, as another process would send them."""

import json
from pathlib import Path
from typing import Any

from games.engine import conformance

SAMPLES = json.loads((Path(__file__).parents[2] / "golden/tractor_samples.json").read_text())["cases"]
KINDS = {
    "order": ("tractor.order", ("trump", "a", "b")),
    "is_tractor": ("tractor.components", ("trump", "cards")),
    "legal_follow": ("tractor.follow", ("trump", "lead", "hand", "play")),
    "trick_winner": ("tractor.trick", ("trump", "plays")),
    "throw_valid": ("tractor.throw", ("trump", "lead", "others")),
    "score": (
        "tractor.score",
        ("attacker_points", "last_trick_winner", "last_trick_size", "talon_points", "ranks", "starter"),
    ),
    "declare": ("tractor.declare", ("round", "trump_rank", "starter", "events", "talon")),
}


def ask(op: str, **request: Any) -> dict[str, Any]:
    """Return the answer to `tractor.<op>`."""
    return json.loads(conformance.answer_line(json.dumps({"op": f"tractor.{op}"} | request)))


def of_sample(case: dict[str, Any]) -> dict[str, Any]:
    """Return the request of a sample."""
    op, keys = KINDS[case["kind"]]
    return {"op": op} | {key: case[key] for key in keys if key in case}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """Return the whole answer that a sample expects."""
    kind = case["kind"]
    if kind == "order":
        return {"order": case["expect"]}
    if kind == "is_tractor":
        return {"is_tractor": case["expect"], "components": case["components"]}
    if kind == "legal_follow":
        return {"legal": case["legal"], "reason": case["reason"]}
    return {"winner": case["winner"]} if kind == "trick_winner" else case["expect"]


def trump(text: str) -> dict[str, str | None]:
    """Return trumps in short form: `2H`, or `7` for a no-trump round."""
    return {"rank": text[:-1], "suit": text[-1]} if text[-1] in "CDHS" else {"rank": text, "suit": None}
