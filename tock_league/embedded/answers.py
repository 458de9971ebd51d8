"""Refusals that are given before Django has seen the request: no language, no session, no database."""

import json
from collections.abc import Sequence
from typing import Any

Headers = Sequence[tuple[bytes, bytes]]

PAGES = {
    413: "La requête est trop grande. / The request is too large.",
    429: "Trop de requêtes à la fois. / Too many requests at once.",
    503: "Le site est trop occupé. / The site is too busy.",
}


async def refuse(scope: dict[str, Any], send: Any, status: int, code: str, message: str, headers: Headers = ()) -> None:
    """Answer an HTTP request, or a socket's handshake: the site's JSON shape under /api/, else a sentence."""
    socket = scope["type"] == "websocket"
    if socket and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1013})
        return
    if scope["path"].startswith("/api/"):
        kind, text = b"application/json", json.dumps({"error": {"code": code, "message": message}})
    else:
        kind, text = b"text/plain; charset=utf-8", PAGES[status]
    body = text.encode()
    head = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    prefix = "websocket.http.response" if socket else "http.response"
    await send({"type": f"{prefix}.start", "status": status, "headers": [*head, *headers]})
    await send({"type": f"{prefix}.body", "body": body})
