"""Maps errors to responses, for pages and API."""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request, gettext, override
from django.utils.translation import gettext_lazy as _

from . import problems
from .away import is_away, is_unreachable
from .errors import Conflict, Refused

log = logging.getLogger(__name__)
MEANWHILE = _("Somebody did this at the same moment. Look at the page again before you repeat it.")


# Addresses whose views use the database in other threads than the request's, or not at all: those of games/live, of play in
# the API, and of the health checks. No middleware uses the database for them, and they bypass the gate.
APART = ("/api/tables/", "/api/games/", "/api/v1/play/", "/health/", "/metrics")
NOT_APART = "/analysis"  # of a game: an ordinary view
RETRY_AFTER_S = 2


def is_apart(request: HttpRequest) -> bool:
    """Return whether the request's own thread must not touch the database, see APART."""
    return request.path.startswith(APART) and not request.path.endswith(NOT_APART)


def is_api(request: HttpRequest) -> bool:
    """Return whether the address belongs to the API."""
    return request.path.startswith("/api/")


def name_of(request: HttpRequest) -> str:
    """Return the name of the request's page for the log: the path of an invitation is a secret."""
    return request.resolver_match.view_name if request.resolver_match is not None else ""


def wants_json(request: HttpRequest) -> bool:
    """Return whether the caller is a program: an API path, or one that accepts JSON before HTML."""
    if is_api(request):
        return True
    return request.headers.get("accept", "").startswith("application/json")


def refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    """Return `error` as JSON or as a page, with its status."""
    response: HttpResponse
    if wants_json(request):
        response = problems.told(request, error)
    else:
        response = render(request, "refused.html", {"error": error}, status=error.status)
    if "retry_after" in error.details:
        response["Retry-After"] = str(error.details["retry_after"])
    return response


def busy(request: HttpRequest) -> HttpResponse:
    """Return a 503 with Retry-After, as JSON (code `busy`) or as a page. Touches neither database nor session."""
    language = get_language_from_request(request)
    response: HttpResponse
    if wants_json(request):
        with override(language):
            error = Refused("busy", gettext("The site is busy. Try again in a few seconds."), status=503)
            response = problems.told(request, error)
    else:
        response = HttpResponse(_busy_page(language), status=503)
    response["Retry-After"] = str(RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response


@cache
def _busy_page(language: str) -> str:
    with override(language):
        return render_to_string("busy.html")


def unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Return `busy`. A statement that the database cancelled is logged; the pool logs an unreachable database."""
    if sqlstate := getattr(error.__cause__, "sqlstate", None):
        log.warning("database error %s at %s", sqlstate, name_of(request))
    return busy(request)


class QuietOutage(logging.Filter):
    """Filters out log lines caused by an outage of the database, whose begin and end the pool logs once.

    Dropped: lines of django.request about 503 responses, and errors for lack of a connection. A statement that the
    database cancelled, or a locked file, is one line without a traceback.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "django.request" and getattr(record, "status_code", None) == 503:
            return False
        error = record.exc_info[1] if record.exc_info else None
        if is_unreachable(error):
            return False
        if is_away(error):
            record.msg, record.args = f"{record.getMessage()}: {error}".splitlines()[0], ()
            record.exc_info = record.exc_text = None
        return True


class RefusedMiddleware:
    """Turns a `Refused` that no view caught into its response, and an outage of the database into `busy`.

    An IntegrityError means a race of two requests, since the services check field and rule before. The second one gets
    a conflict; nothing of it was written.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            return refusal(request, exception)
        if isinstance(exception, IntegrityError):
            # PostgreSQL's further lines have the values of the row.
            log.warning("constraint at %s: %s", name_of(request), str(exception).partition("\n")[0])
            return refusal(request, Conflict("meanwhile", MEANWHILE))
        return unavailable(request, exception) if is_away(exception) else None


def next_address(request: HttpRequest) -> str:
    """Return the address on this site to which the request's `next` leads, else ""."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""


def valid(form: Any) -> dict[str, Any]:
    """Return what was sent, for a button whose form is shown nowhere. Raise Refused `invalid` on the first bad field."""
    if not form.is_valid():
        field, problems = next(iter(form.errors.items()))
        raise Refused("invalid", " ".join(str(problem) for problem in problems), field=field)
    found: dict[str, Any] = form.cleaned_data
    return found


def add_refusal(form: Any, error: Refused) -> None:
    """Put a service's refusal into `form`: on its field if the form has it, else above the form."""
    field = error.field if error.field in form.fields else None
    form.add_error(field, str(error.sentence))
