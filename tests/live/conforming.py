"""Whether frames are as the AsyncAPI document says. Each schema is compiled once a process, so a check costs microseconds."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import fastjsonschema

from games.live import asyncapi


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(asyncapi.stored())
    return found


@cache
def _judge(direction: str, kind: str) -> Callable[[Any], Any]:
    """Return the check of a frame of that kind from the checked-in document; `direction`: fromClient or toClient."""
    document = _document()
    for reference in document["operations"][direction]["messages"]:
        name = reference["$ref"].rsplit("/", 1)[-1]
        if document["components"]["messages"][name]["name"] == kind:
            judge: Callable[[Any], Any] = fastjsonschema.compile(document["components"]["schemas"][name])
            return judge
    raise AssertionError(f"the document knows no frame {kind} {direction}")


def from_server(frame: Any) -> None:
    """Assert that the document describes this frame of the server."""
    _judged("toClient", frame)


def from_client(frame: Any) -> None:
    """Assert that the document describes this frame of a client."""
    _judged("fromClient", frame)


def is_from_client(frame: Any) -> bool:
    """Return whether the document describes this frame of a client."""
    try:
        from_client(frame)
    except (AssertionError, KeyError, TypeError):
        return False
    return True


def _judged(direction: str, frame: Any) -> None:
    try:
        _judge(direction, frame["t"])(frame)
    except fastjsonschema.JsonSchemaException as error:
        raise AssertionError(f"{direction} {frame['t']}: {error.message}") from error
