"""Refusals before Django handles the request: without session or database."""

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from csp.utils import build_policy
from django.conf import settings
from django.http import parse_cookie
from django.template.loader import render_to_string
from django.utils.translation import get_supported_language_variant, override
from django.utils.translation.trans_real import parse_accept_lang_header

from tock_league.common.errors import Refused
from tock_league.common.problems import MEDIA_TYPE, has_problems, problem

Headers = Sequence[tuple[bytes, bytes]]

SENTENCES = {  # French heading, French sentence, the same in English and in Spanish
    429: (
        "Trop de requêtes à la fois",
        "Attendez un instant.",
        "Too many requests at once. Wait a moment.",
        "Demasiadas solicitudes a la vez. Espere un momento.",
    ),
    503: (
        "Le site est trop occupé",
        "Attendez un instant.",
        "The site is too busy. Wait a moment.",
        "El sitio está demasiado ocupado. Espere un momento.",
    ),
}


@cache
def policy() -> bytes:
    """Return the Content Security Policy of every page; these do not pass its middleware."""
    return str(build_policy()).encode()


@cache
def guards() -> Headers:
    """Return the headers that protect every answer; those of Django come from its middleware."""
    found = [
        (b"cache-control", b"no-store"),
        (b"content-security-policy", policy()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", settings.X_FRAME_OPTIONS.encode()),
        (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
    ]
    if settings.SECURE_HSTS_SECONDS:
        found.append((b"strict-transport-security", b"max-age=%d; includeSubDomains" % settings.SECURE_HSTS_SECONDS))
    return tuple(found)


@cache
def page(status: int, language: str) -> str:
    """Return the page of a refusal; cached, so that a flood of requests costs little.

    The page of a request that is too large is the site's own, in `language`. The others come in a flood, to visitors who did
    nothing: they are in all languages.
    """
    if status == 413:
        with override(language):
            return render_to_string("413.html")
    heading, fr, en, es = SENTENCES[status]
    with override("fr-ca"):
        return render_to_string("door.html", {"heading": heading, "fr": fr, "en": en, "es": es})


def language_of(headers: Headers) -> str:
    """Return the language of a visitor as far as the headers tell it: the one chosen on the site, else the browser's.

    What cannot be read, and a language that the site does not speak, is French.
    """
    found = {bytes(name).lower(): bytes(value).decode("latin-1") for name, value in headers}
    chosen = parse_cookie(found.get(b"cookie", "")).get(settings.LANGUAGE_COOKIE_NAME, "")
    asked = [chosen, *(code for code, _weight in parse_accept_lang_header(found.get(b"accept-language", "")))]
    for code in asked:
        with suppress(LookupError):
            return get_supported_language_variant(code)
    return settings.LANGUAGE_CODE


async def refuse(scope: dict[str, Any], send: Any, status: int, code: str, message: str, headers: Headers = ()) -> None:
    """Refuse an HTTP request or a socket's handshake: with the site's JSON shape under /api/ (problem
    details where programs get these), else with a page."""
    socket = scope["type"] == "websocket"
    if socket and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1013})
        return
    if has_problems(scope["path"]):
        kind, text = MEDIA_TYPE.encode(), json.dumps(problem(Refused(code, message, status=status)))
    elif scope["path"].startswith("/api/"):
        kind, text = b"application/json", json.dumps({"error": {"code": code, "message": message}})
    else:
        kind, text = b"text/html; charset=utf-8", page(status, language_of(scope["headers"]) if status == 413 else "")
    body = text.encode()
    head = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *guards()]
    prefix = "websocket.http.response" if socket else "http.response"
    await send({"type": f"{prefix}.start", "status": status, "headers": [*head, *headers]})
    await send({"type": f"{prefix}.body", "body": body})
