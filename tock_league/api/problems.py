"""Every error of the API as problem details, with the codes of the pages."""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions as rest
from rest_framework.response import Response

from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.common.problems import MEDIA_TYPE, problem

from .authentication import REALM

CODES: dict[type[rest.APIException], str] = {
    rest.ParseError: "bad_request",
    rest.MethodNotAllowed: "method_not_allowed",
    rest.NotAcceptable: "not_acceptable",
    rest.UnsupportedMediaType: "unsupported_media_type",
}


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's hook: return the answer to an error; None for what the site's middleware answers (a bug, an outage)."""
    refused = refused_by(error)
    if refused is None:
        return None
    fields = list(_fields(error.detail)) if isinstance(error, rest.ValidationError) else []
    response = Response(problem(refused, errors=fields), status=refused.status, content_type=MEDIA_TYPE)
    if refused.status == 401:
        response["WWW-Authenticate"] = REALM
    if (wait := getattr(error, "wait", None)) is not None:
        response["Retry-After"] = str(int(wait))
    return response


def refused_by(error: Exception) -> Refused | None:
    """Return an error as a refusal: our own as it is, those of Django and the framework by their codes."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, Http404 | rest.NotFound):
        return NotThere()
    if isinstance(error, rest.ValidationError):
        first = next(_fields(error.detail))
        return Refused("invalid", first["detail"], field=first["field"], status=400)
    if isinstance(error, rest.Throttled):
        return Refused("rate", _("That was too often. Wait a few minutes and try again."), status=429)
    if isinstance(error, PermissionDenied | rest.PermissionDenied):
        return NotAllowed()
    if isinstance(error, rest.NotAuthenticated):
        return Refused("not_authenticated", _("Send an access token, or sign in on the site."), status=401)
    for kind, code in CODES.items():
        if isinstance(error, kind):
            return Refused(code, str(error.detail), status=error.status_code)
    return None


def _fields(detail: Any, field: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield each message of a validation error: field, code, detail. The field of a nested value is written `a.b`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            at = None if name == "non_field_errors" else name if field is None else f"{field}.{name}"
            yield from _fields(inner, at or field)
    elif isinstance(detail, list):
        for inner in detail:
            yield from _fields(inner, field)
    else:
        yield {"field": field, "code": getattr(detail, "code", "invalid"), "detail": str(detail)}
