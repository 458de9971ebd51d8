"""Responses to errors that Django itself raises: a page for people, the site's JSON shape for programs.

The pages of 400, 500 and of a failed check of origin need no database or session, because either may have failed.
Django's own views of these errors parse the form again to find its token, and fail when the form itself is malformed.
"""

import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions as rest

from .away import is_away
from .bodies import most_bytes, too_large, too_many
from .errors import NotAllowed, NotThere, Refused
from .http import is_api, refusal, unavailable, wants_json
from .problems import MEDIA_TYPE, told

TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
CSRF = _("This page had been open for too long, or cookies are blocked. Go back, reload it, and try again.")


def refused_for(status: int, method: str = "", path: str = "") -> Refused:
    """Return the refusal for an error of which only the HTTP status and the request's method and path are known."""
    match status:
        case 403:
            return NotAllowed()
        case 404:
            return NotThere()
        case 405:
            return Refused("method_not_allowed", str(rest.MethodNotAllowed(method).detail), status=405)
        case 413:
            return too_large(min(most_bytes(path), settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
        case _ if status < 500:
            return Refused("bad_request", str(rest.ParseError.default_detail), status=status)
        case _:
            return Refused("internal", str(rest.APIException.default_detail), status=status)


def bad(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400: a body that cannot be parsed; 413 for one that is too large or has too many fields or files."""
    status = 413 if isinstance(exception, TOO_LARGE) else 400
    if wants_json(request):
        many = isinstance(exception, TooManyFieldsSent | TooManyFilesSent)
        return told(request, too_many() if many else refused_for(status, path=request.path))
    return _bare(f"{status}.html", status)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    return refusal(request, NotAllowed())


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404. Programs get an answer without queries: below /api/tables/ this thread must not use the database."""
    return told(request, NotThere()) if wants_json(request) else render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """handler500: an uncaught exception; `busy` where it means that the database is away."""
    error = sys.exception()
    if error is not None and is_away(error):
        return unavailable(request, error)
    return told(request, refused_for(500)) if wants_json(request) else _bare("500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW: 403, code `csrf` for programs."""
    if wants_json(request):
        return told(request, Refused("csrf", CSRF, status=403))
    return _bare("403_csrf.html", 403)


def _bare(template: str, status: int) -> HttpResponse:
    return HttpResponse(render_to_string(template), status=status)


class ApiErrorsMiddleware:
    """Gives every error below /api/ a JSON body, also where a decorator or another package made the answer (405, say)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        kind = response.headers.get("Content-Type", "")
        if response.status_code >= 400 and is_api(request) and not kind.startswith(("application/json", MEDIA_TYPE)):
            made = told(request, refused_for(response.status_code, request.method or "", request.path))
            response.content = made.content
            response.headers["Content-Type"] = made.headers["Content-Type"]
            response.headers["Content-Length"] = str(len(response.content))
        return response
