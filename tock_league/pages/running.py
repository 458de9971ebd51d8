"""The running tables of the person who reads a page: for the header of every page, and for the first one."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.permissions import Person, person_of
from games.selectors import own
from games.selectors.own import OwnTable


def reader_of(request: HttpRequest) -> Person:
    """Return the person who reads the page, as the tables know them: by login, or by the key of a guest's session."""
    return person_of(request.user, request.session)


def running_tables(request: HttpRequest) -> list[OwnTable]:
    """Return the reader's running tables. One query a request, none for a visitor who has never sat at a table."""
    kept = getattr(request, "_running_tables", None)
    if kept is None:
        kept = own.running(reader_of(request)) if hasattr(request, "session") and hasattr(request, "user") else []
        request._running_tables = kept  # type: ignore[attr-defined]
    return kept


def in_the_header(request: HttpRequest) -> dict[str, Any]:
    """Context of every page: `running_tables`, read only where the page shows them. At a table the others alone."""
    return {"running_tables": SimpleLazyObject(lambda: _elsewhere(request))}


def _elsewhere(request: HttpRequest) -> list[OwnTable]:
    found = running_tables(request)
    here = request.resolver_match
    if here is None or here.view_name != "games:table":
        return found
    return [table for table in found if table.slug != here.kwargs["slug"]]
