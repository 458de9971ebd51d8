"""The AsyncAPI 3 document of `tock.table.v1`, made from the message classes; checked in as docs/api/asyncapi.json."""

import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from . import frames, messages
from .people import BEARER
from .schema import CLOSES

INTRODUCTION = """\
The live table: one JSON text frame a message. The first frame of a client is `join`. docs/protocol.md says how a client keeps
its view, and what is in one. A program shows an access token with the scope `play` in the handshake; a browser has the
session of the site's pages.
"""


def made() -> dict[str, Any]:
    """Return the document as the code makes it."""
    sent = [frames.NAMES[kind] for kind in frames.INBOUND]
    received = [frames.NAMES[kind] for kind in frames.OUTBOUND]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tock League, the live table", "version": "1.0.0", "description": INTRODUCTION},
        "defaultContentType": "application/json",
        "servers": {
            "site": {
                "host": "{host}",
                "protocol": "wss",
                "variables": {"host": {"description": "Host and port of the site."}},
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            }
        },
        "channels": {
            "table": {
                "address": "/ws/table/{table}",
                "description": _closes(),
                "parameters": {"table": {"description": "The public id of a table."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in [*sent, *received]},
                "bindings": {"ws": {"method": "GET", "headers": _headers(), "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "fromClient": _operation("receive", "What a client sends.", sent),
            "toClient": _operation("send", "What the server sends.", received),
        },
        "components": {
            "messages": {frames.NAMES[kind]: _message(kind) for kind in (*frames.INBOUND, *frames.OUTBOUND)},
            "schemas": {frames.NAMES[kind]: frames.schema_of(kind) for kind in (*frames.INBOUND, *frames.OUTBOUND)},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An access token with the scope `play`. Without one: the session, or a spectator.",
                }
            },
        },
    }


def _headers() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["Sec-WebSocket-Protocol"],
        "properties": {
            "Authorization": {"type": "string", "description": "Bearer and an access token."},
            "Sec-WebSocket-Protocol": {
                "type": "string",
                "description": f"{messages.SUBPROTOCOL}; a client that cannot set headers adds {BEARER}, directly followed by"
                " its token.",
            },
        },
    }


def _operation(action: str, text: str, names: list[str]) -> dict[str, Any]:
    return {
        "action": action,
        "description": text,
        "channel": {"$ref": "#/channels/table"},
        "messages": [{"$ref": f"#/channels/table/messages/{name}"} for name in names],
    }


def _message(kind: type[Any]) -> dict[str, Any]:
    return {
        "name": kind.T,
        "description": inspect.getdoc(kind) or "",
        "payload": {"$ref": f"#/components/schemas/{frames.NAMES[kind]}"},
    }


def _closes() -> str:
    return "Close codes: " + "; ".join(f"{code}: {meaning}" for code, meaning in CLOSES) + "."


def text() -> str:
    """Return the document as the file holds it."""
    return json.dumps(made(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def path() -> Path:
    """Return where the document is checked in."""
    return Path(settings.ROOT) / "docs" / "api" / "asyncapi.json"


@cache
def stored() -> bytes:
    """Return the document that is checked in."""
    return path().read_bytes()
