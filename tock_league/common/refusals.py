"""The log of refused authorisations: one line, and one count, for each request that somebody had no right to make.

A request beyond a limit (429) is a line too; a malformed one is a line of Django's or uvicorn's, which this module shortens.

A line names who (the public label), what (an action or the name of a page) and what was needed. It has no address of a
thing, because the address of an invitation is a secret, and nothing that was typed.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

from . import clock
from .http import name_of
from .metrics import REFUSALS

log = logging.getLogger(__name__)
MOST_LINES, SECONDS = 60, 10.0  # of a process; further refusals in that time are only counted

LONGEST = 200  # characters of a line about a malformed request: it may quote what was sent

_told: ContextVar[bool] = ContextVar("a refusal was told", default=False)
_window: list[float] = []
_malformed: list[float] = []


def tell(who: str, action: str, *, needed: str = "") -> None:
    """Count and log a refusal by a permission of this request; a page's answer 403 to it is then not told again."""
    _told.set(True)
    REFUSALS.labels("permission").inc()
    _write(who=who, action=action, needed=needed)


class RefusalsMiddleware:
    """Counts and logs the answers 403 that no permission has told: a failed check of origin, a locked page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        _told.set(False)
        response = self.get_response(request)
        if response.status_code == 403 and not _told.get():
            REFUSALS.labels("page").inc()
            _write(page=name_of(request), method=request.method or "")
        elif response.status_code == 429:
            REFUSALS.labels("limit").inc()
            _write("limit reached", page=name_of(request), method=request.method or "")
        return response


class Malformed(logging.Filter):
    """Makes a short warning of lines about malformed requests, which Django and uvicorn write as errors with a traceback.

    Nothing has failed: the answer is 400, or a frame that is no UTF-8 has closed its socket. Beyond MOST_LINES in SECONDS
    such lines are dropped.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        no_text = record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError)
        if not record.name.startswith("django.security.") and not (record.name == "uvicorn.error" and no_text):
            return True
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = record.getMessage()[:LONGEST], ()
        record.exc_info = record.exc_text = None
        return _has_room(_malformed)


def _has_room(window: list[float]) -> bool:
    """Return whether another line fits into the present window, and count it if so."""
    now = clock.monotonic()
    window[:] = [at for at in window if now - at < SECONDS]
    if len(window) >= MOST_LINES:
        return False
    window.append(now)
    return True


def _write(event: str = "authorisation refused", **details: str) -> None:
    if _has_room(_window):
        log.warning(event, extra={"details": details})
