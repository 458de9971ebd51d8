"""Errors to answers: one mapping for pages and API."""

import logging
from collections.abc import Callable
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_handler

from .errors import Conflict, Refused

log = logging.getLogger(__name__)
MEANWHILE = _("Somebody did this at the same moment. Look at the page again before you repeat it.")


def wants_json(request: HttpRequest) -> bool:
    """Answer whether the caller is a program: an API path, or one that accepts JSON before HTML."""
    if request.path.startswith("/api/"):
        return True
    return request.headers.get("accept", "").startswith("application/json")


def refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    """Answer `error` as JSON or as a page, with its status."""
    if wants_json(request):
        return JsonResponse(error.body(), status=error.status)
    return render(request, "refused.html", {"error": error}, status=error.status)


class RefusedMiddleware:
    """Turns a `Refused` that no view caught into its answer.

    A constraint that the database had to hold itself means that two people did the same thing at the same moment: the
    services' own checks name field and rule before that. The second one is told so; nothing of theirs was written.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            return refusal(request, exception)
        if isinstance(exception, IntegrityError):
            log.warning("constraint at %s: %s", request.path, exception.__class__.__name__, exc_info=exception)
            return refusal(request, Conflict("meanwhile", MEANWHILE))
        return None


def api_exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's hook: the same body for our refusals and for the framework's own errors."""
    if isinstance(exc, Refused):
        return Response(exc.body(), status=exc.status)
    response = drf_handler(exc, context)
    if response is not None and isinstance(exc, APIException):
        response.data = {"error": {"code": str(exc.default_code), "message": str(exc.detail), "fields": response.data}}
    return response


def add_refusal(form: Any, error: Refused) -> None:
    """Put a service's refusal into `form`: on its field if the form has it, else above the form."""
    field = error.field if error.field in form.fields else None
    form.add_error(field, str(error.sentence))
