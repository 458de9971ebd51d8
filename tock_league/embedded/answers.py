"""Refusals before Django handles the request: without language, session or database."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

Headers = Sequence[tuple[bytes, bytes]]

SENTENCES = {  # French heading, French sentence, the same in English
    413: ("La requête est trop grande", "", "The request is too large."),
    429: ("Trop de requêtes à la fois", "Attendez un instant.", "Too many requests at once. Wait a moment."),
    503: ("Le site est trop occupé", "Attendez un instant.", "The site is too busy. Wait a moment."),
}


@cache
def page(status: int) -> str:
    """Return the page of a refusal, in French and English; cached, so that a flood of requests costs little."""
    heading, fr, en = SENTENCES[status]
    with override("fr-ca"):
        return render_to_string("door.html", {"heading": heading, "fr": fr, "en": en})


async def refuse(scope: dict[str, Any], send: Any, status: int, code: str, message: str, headers: Headers = ()) -> None:
    """Refuse an HTTP request or a socket's handshake: with the site's JSON shape under /api/, else with a page."""
    socket = scope["type"] == "websocket"
    if socket and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1013})
        return
    if scope["path"].startswith("/api/"):
        kind, text = b"application/json", json.dumps({"error": {"code": code, "message": message}})
    else:
        kind, text = b"text/html; charset=utf-8", page(status)
    body = text.encode()
    head = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    prefix = "websocket.http.response" if socket else "http.response"
    await send({"type": f"{prefix}.start", "status": status, "headers": [*head, *headers]})
    await send({"type": f"{prefix}.body", "body": body})
