"""The part of the OpenAPI document about play over HTTP, which is not made of serializers but of the frames."""

from typing import Any

from games.live import frames, messages

Part = dict[str, Any]
TABLE: Part = {
    "name": "table",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    "description": "The public id of a table.",
}


def _query(name: str, schema: Part, text: str) -> Part:
    return {"name": name, "in": "query", "schema": schema, "description": text}


WHOLE: Part = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
AS = _query("as", {"enum": ["seat", "spectator"]}, "`spectator`: what spectators see, also for who has a seat.")
EVENTS = (
    AS,
    _query("after", WHOLE, "The seq of the last event that the caller has; 0: none."),
    _query("epoch", WHOLE, "As the last answer told it; it grows when plays are taken back."),
    _query("game", {"type": "string", "maxLength": 40}, "The public id of the game, `view.game`; of another one a snap comes."),
    _query("wait", WHOLE, "How many seconds to wait for news, 25 at most."),
)  # fmt: skip


def components() -> dict[str, Part]:
    """Return the schemas of the frames that these endpoints take and return."""
    kinds = (messages.Snap, messages.Ev, messages.BeatBack, messages.Ack)
    found = {frames.NAMES[kind]: frames.schema_of(kind) for kind in kinds}
    command = frames.schema_of(messages.Cmd)
    command["required"].remove("t")
    return found | {"Command": command}


def paths() -> dict[str, Part]:
    """Return the three endpoints."""
    news = [{"$ref": f"#/components/schemas/{name}"} for name in ("Ev", "Snap", "HeartbeatBack")]
    return {
        "/api/v1/play/{table}": {
            "get": _operation("state", "Show the table as the caller's seat sees it, with its legal plays.", _ref("Snap"), (AS,))
        },
        "/api/v1/play/{table}/events": {
            "get": _operation(
                "events",
                "Show what follows `after`: events, the whole view where that is not possible, or a heartbeat after `wait` "
                "seconds without news. One request of a token waits at a table; a newer one ends it (409, `other_poll`).",
                {"oneOf": news},
                EVENTS,
            )
        },
        "/api/v1/play/{table}/commands": {
            "post": _operation(
                "commands",
                "Play, exchange, get ready and so on, for the caller's seat. `turn` is the decision that it answers, `id` is new "
                "for each command: with the same id and body it is carried out once, so no Idempotency-Key is needed. Needs the "
                "scope `play`.",
                _ref("Ack"),
                (),
                body=_ref("Command"),
            )
        },
    }  # fmt: skip


def _ref(name: str) -> Part:
    return {"$ref": f"#/components/schemas/{name}"}


def _operation(name: str, text: str, answer: Part, parameters: tuple[Part, ...], *, body: Part | None = None) -> Part:
    found: Part = {
        "operationId": f"play_{name}",
        "tags": ["play"],
        "description": text,
        "parameters": [TABLE, *parameters],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": answer}}}},
    }
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return found
