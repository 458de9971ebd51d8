"""Refusals as programs get them: problem details (RFC 9457) below /api/v1/, the site's own JSON shape elsewhere.

The `code` is the same in both, and the same as on pages and sockets. `type` is `about:blank`: a problem has no page of its
own, so `title` is the phrase of the HTTP status, as the RFC asks.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse

from .errors import Refused

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/v1"


def has_problems(path: str) -> bool:
    """Return whether errors at the address are problem details."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def problem(error: Refused, *, errors: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return the body of a refusal. `errors`: one object for each field at fault, where several are."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": str(error.sentence),
        "code": error.code,
        "field": error.field,
    }
    if errors:
        body["errors"] = list(errors)
    if error.details:
        body["details"] = error.details
    return body


def told(request: HttpRequest, error: Refused) -> JsonResponse:
    """Return `error` for a program, in the shape of the request's address."""
    if has_problems(request.path):
        return JsonResponse(problem(error), status=error.status, content_type=MEDIA_TYPE)
    return JsonResponse(error.body(), status=error.status)
