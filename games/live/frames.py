"""JSON Schemas of the frames, made from the message classes: for the AsyncAPI and OpenAPI documents and for tests."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from . import messages
from .messages import wire_name

Schema = dict[str, Any]
INBOUND = (messages.Join, messages.Cmd, messages.Beat)
OUTBOUND = (messages.Snap, messages.Ev, messages.Ack, messages.Nak, messages.BeatBack, messages.Who, messages.Note)
NAMES: Mapping[type, str] = {
    messages.Join: "Join",
    messages.Cmd: "Cmd",
    messages.Beat: "Heartbeat",
    messages.Snap: "Snap",
    messages.Ev: "Ev",
    messages.Ack: "Ack",
    messages.Nak: "Nak",
    messages.BeatBack: "HeartbeatBack",
    messages.Who: "Who",
    messages.Note: "Note",
}
WHOLE: Schema = {"type": "integer", "minimum": 0}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 7}
TYPES: Mapping[str, Schema] = {
    "str": {"type": "string"},
    "int": WHOLE,
    "bool": {"type": "boolean"},
    "Mapping[str, Any]": {"type": "object"},
    "Mapping[str, str]": {"type": "object", "additionalProperties": {"type": "string"}},
    "list[Mapping[str, Any]]": {"type": "array", "items": {"type": "object"}},
}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema], *, closed: bool = True) -> Schema:
    found: Schema = {"type": "object", "required": list(required), "properties": {**required, **optional}}
    return found | ({"additionalProperties": False} if closed else {})


YOU = _object(
    {"role": {"enum": ["seat", "referee", "spectator"]}, "powers": {"type": "array", "items": {"type": "string"}}},
    {"seat": SEAT, "sees": SEAT, "delay": {"type": "string"}},
)
EVENT = _object(
    {
        "seq": {"type": "integer", "minimum": 1},
        "k": {"type": "string", "minLength": 1, "description": "What happened: a play, or the code of an act."},
        "d": {"type": "object", "description": "What happened, as the viewer may know it."},
        "set": {"type": "object", "description": "A JSON merge patch of the view."},
    },
    {"fx": {"type": "array", "items": {"type": "array"}, "description": "Effects, for animations."}},
)
PRESENCE = _object(
    {"name": {"type": "string"}, "online": {"type": "boolean"}, "ready": {"type": "boolean"}},
    {"player": {"type": "string"}, "bot": {"type": "string"}},
)
# What a type alone does not say, by frame and field.
FORMS: Mapping[tuple[type, str], Schema] = {
    (messages.Join, "as"): {"enum": ["seat", "spectator", "referee"]},
    (messages.Cmd, "kind"): {"enum": list(messages.KINDS)},
    (messages.Snap, "you"): YOU,
    (messages.Snap, "view"): {"type": "object", "description": "See docs/protocol.md, “How a client keeps its view”."},
    (messages.Snap, "hash"): HASH,
    (messages.Ev, "list"): {"type": "array", "minItems": 1, "items": EVENT},
    (messages.Ev, "hash"): HASH,
    (messages.BeatBack, "hash"): HASH,
    (messages.Nak, "code"): {"enum": list(messages.NAK_CODES)},
    (messages.Who, "seats"): {"type": "array", "items": PRESENCE},
}
PATTERNS = messages.PATTERNS


def schema_of(kind: type[Any]) -> Schema:
    """Return the schema of a frame: the fields of its class, none besides, and what the parser asks of each."""
    required: dict[str, Schema] = {"t": {"const": kind.T}}
    optional: dict[str, Schema] = {}
    for part in fields(kind):
        name = wire_name(part.name)
        # A server's frame leaves these out while they are false or 0 (messages.body).
        if kind in OUTBOUND:
            may_lack = part.name in messages.LEFT_OUT
        else:
            may_lack = part.default is not MISSING or part.default_factory is not MISSING
        (optional if may_lack else required)[name] = _field(kind, name, _type_of(part))
    found = _object(required, optional)
    if kind is messages.Cmd:
        found["oneOf"] = [_arguments(word, shape) for word in messages.KINDS for shape in messages.arguments(word)]
    return found


def _type_of(part: Any) -> str:
    if isinstance(part.type, str):
        return part.type.strip("'\"")
    if "[" not in str(part.type):
        return str(getattr(part.type, "__name__", part.type))
    return str(part.type).replace("collections.abc.", "").replace("typing.", "")


def _field(kind: type, name: str, type_name: str) -> Schema:
    if (kind, name) in FORMS:
        return dict(FORMS[kind, name])
    found = dict(TYPES[type_name])
    if kind in INBOUND:
        if (pattern := PATTERNS.get((kind.__name__, name))) is not None:
            found |= _pattern(pattern)
        if found.get("type") == "integer":
            found["maximum"] = messages.MAX_SEQ
    return found


def _arguments(kind: str, shape: Mapping[str, re.Pattern[str]]) -> Schema:
    """Return what a command of `kind` with these arguments looks like."""
    args = _object({name: {"type": "string", **_pattern(pattern)} for name, pattern in shape.items()}, {})
    found: Schema = {"properties": {"kind": {"const": kind}, "args": args}, "required": ["kind"]}
    return found if not shape else found | {"required": ["kind", "args"]}


def _pattern(pattern: re.Pattern[str]) -> Schema:
    return {"pattern": f"^(?:{pattern.pattern})$"}
