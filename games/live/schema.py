"""The frames as a page of documentation, generated from the message classes; docs/protocol.md contains the result."""

import inspect
from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Any

from . import messages
from .messages import wire_name

BEGIN = "<!-- made from the message classes: python -m tests.live.renew_protocol -->"
END = "<!-- end of what is made -->"
_TYPES = {
    "str": "text",
    "int": "whole number",
    "bool": "true, false",
    "Mapping[str, Any]": "object",
    "Mapping[str, str]": "object",
    "list[Mapping[str, Any]]": "list of objects",
}
CLOSES = (
    (messages.CLOSE_RESTART, "the server restarts; come back, spread over three seconds"),
    (messages.CLOSE_SIGN_IN, "sign in (or session or token has ended)"),
    (messages.CLOSE_BAD_FRAME, "bad frame: no JSON, too large, unknown type or field, a value of the wrong type"),
    (messages.CLOSE_REVOKED, "the seat is not, or no longer, yours; a token without the scope `play`"),
    (messages.CLOSE_NO_TABLE, "there is no such table"),
    (messages.CLOSE_RATE, "more than 20 frames in a second, 10 joins in ten, or too many sockets of one person"),
    (messages.CLOSE_TOO_OLD, "the subprotocol was not offered"),
    (messages.CLOSE_IDLE, "no `join` within ten seconds, or no frame for ninety"),
    (messages.CLOSE_SLOW, "what was sent was not read, twice in ten seconds"),
)


def page() -> str:
    """Return the generated part of the page, including its markers."""
    parts = [
        BEGIN,
        f"Subprotocol `{messages.SUBPROTOCOL}`; text frames of at most {messages.MAX_BYTES} bytes to the server.",
        "### Client to server",
        *_frames((messages.Join, messages.Cmd, messages.Beat)),
        "Kinds of `cmd` and their `args`:",
        _table(("kind", "args"), ((f"`{kind}`", _args(kind)) for kind in messages.KINDS)),
        f"Codes of `phrase`: {_words(messages.PHRASES)}.",
        f"Kinds of `dispute`: {_words(messages.CALLS)}; its `text` has at most {messages.MAX_TEXT} characters.",
        "### Server to client",
        *_frames(
            (messages.Snap, messages.Ev, messages.Ack, messages.Nak, messages.BeatBack, messages.Who, messages.Note)
        ),
        f"Codes of `nak`: {_words(messages.NAK_CODES)}.",
        "### Close codes",
        _table(("code", "meaning"), ((str(code), meaning) for code, meaning in CLOSES)),
        END,
    ]
    return "\n\n".join(parts) + "\n"


def _frames(classes: Iterable[type[Any]]) -> Iterable[str]:
    for kind in classes:
        yield f"#### `{kind.T}`"
        yield inspect.getdoc(kind) or ""
        yield _table(("field", "type", "may be left out"), (_field(part) for part in fields(kind)))


def _field(part: Any) -> tuple[str, str, str]:
    name = part.type if isinstance(part.type, str) else getattr(part.type, "__name__", str(part.type))
    text = str(part.type).replace("collections.abc.", "").replace("typing.", "") if "[" in str(part.type) else name
    optional = part.default is not MISSING or part.default_factory is not MISSING
    return f"`{wire_name(part.name)}`", _TYPES.get(text.strip("'\""), text), "yes" if optional else ""


def _args(kind: str) -> str:
    shapes = ["{" + ", ".join(shape) + "}" for shape in messages.argument_names(kind)]
    return " or ".join(f"`{shape}`" for shape in shapes)


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
