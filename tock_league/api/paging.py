"""Pages of a list by cursor: the same cost for every page, and no row twice while others are added."""

from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.core.exceptions import ValidationError
from django.db import DataError
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from tock_league.common.errors import Refused

USUAL, MOST = 25, 100
LIMIT = OpenApiParameter("limit", int, description=f"How many results a page has, between 1 and {MOST}.")
CURSOR = OpenApiParameter("cursor", str, description="As the answer before gave it in `next`.")


def limit_of(request: Request) -> int:
    """Return how many rows a page has: `?limit=`, else USUAL. Raises Refused (400) on `limit`."""
    asked = request.query_params.get("limit", str(USUAL))
    if not (asked.isascii() and asked.isdigit() and len(asked) < 4 and 1 <= int(asked) <= MOST):
        raise Refused("limit", _("Between 1 and %(most)d.") % {"most": MOST}, field="limit", status=400)
    return int(asked)


def made_up() -> Refused:
    """Return the refusal of a cursor that no answer has given."""
    text = _("This cursor is not one that the site has given: begin without it.")
    return Refused("cursor", text, field="cursor", status=400)


class Pages(CursorPagination):
    """`{"next", "previous", "results"}`. The links are addresses of this site, without its host."""

    page_size = USUAL
    max_page_size = MOST
    page_size_query_param = "limit"
    # As the lists that page by themselves describe them (LIMIT, CURSOR), so that the document has them once.
    page_size_query_description = str(LIMIT.description)
    cursor_query_description = str(CURSOR.description)

    def get_page_size(self, request: Request) -> int:
        return limit_of(request)

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(view.ordering)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValueError, TypeError, OverflowError, ValidationError, DataError):
            if "cursor" in request.query_params:
                raise made_up() from None
            raise

    def decode_cursor(self, request: Request) -> Any:
        cursor = super().decode_cursor(request)
        if cursor is not None and "\0" in str(cursor.position or ""):
            raise made_up()
        return cursor

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the document's schema of a page; that of the framework is written for OpenAPI 3.0."""
        link = {"type": ["string", "null"], "format": "uri-reference", "example": "/api/v1/clubs?cursor=cD00ODY%3D"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    def encode_cursor(self, cursor: Any) -> str:
        return relative(super().encode_cursor(cursor))


def relative(address: str) -> str:
    """Return an address without scheme and host, which a client chooses."""
    return urlunsplit(("", "", *urlsplit(address)[2:]))


class Whole(Pages):
    """A list that is never long: in the shape of a page, and always the only one."""

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return []
