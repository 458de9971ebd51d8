"""What every endpoint shares: parameters that are known or refused, sparse fields, headers, ETags, writes that happen once."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import GenericViewSet

from games.permissions import Person as Reader
from tock_league.accounts.models import Player, User
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused

from .. import services
from ..throttling import headers as rate_headers
from . import expanding

PAGING = ("cursor", "limit")
VARY = ("Accept-Language", "Authorization", "Cookie")
SLUG = "[-a-zA-Z0-9_]{1,60}"
LONGEST_VALUE = 2_000  # of a parameter of the address: a filter takes a few values, not a list of all


class Endpoint(GenericViewSet[Any]):
    """A resource of the API.

    `write_scope`: the scope with which a token may write; "" where nothing can be written. `needs_login`: whether visitors are
    refused. By action, `extra`: further parameters of the address; `expands`: the fields that `?expand=` may name.
    """

    write_scope = ""
    needs_login = False
    lookup_field = "slug"
    lookup_value_regex = SLUG
    ordering: Sequence[str] = ("-pk",)
    extra: dict[str, tuple[str, ...]] = {}
    expands: dict[str, tuple[str, ...]] = {}

    @property
    def person(self) -> Player | None:
        """The player who asks; None for visitors and for logins without a player."""
        return player_of(self.request)

    @property
    def reader(self) -> Reader:
        """The person who asks, for selectors of games. A guest's session counts for nothing here."""
        person = self.person
        return Reader(player_id=person.pk if person is not None else None)

    # --- reading -----------------------------------------------------------------------------------------------------

    def paged(self, rows: Any, dressed: Callable[[list[Any]], Sequence[Any]] = list) -> Response:
        """Return a page of the query `rows`; `dressed` makes of them what the serializer takes."""
        page = self.paginate_queryset(self.filter_queryset(rows))
        assert page is not None
        return self.get_paginated_response(self.told(dressed(list(page)), many=True))

    def whole(self, rows: Sequence[Any]) -> Response:
        """Return a list that is never long, in the shape of a page."""
        return Response({"next": None, "previous": None, "results": self.told(rows, many=True)})

    def part(self, rows: Sequence[Any], after: str) -> Response:
        """Return a page of a list whose selector pages by itself. `after`: the cursor of the next page, "" on the last one."""
        following = None
        if after:
            asked = self.request.query_params.copy()
            asked["cursor"] = after
            following = f"{self.request.path}?{asked.urlencode()}"
        return Response({"next": following, "previous": None, "results": self.told(rows, many=True)})

    def one(self, thing: Any) -> Response:
        """Return one thing."""
        return Response(self.told(thing))

    def told(self, thing: Any, *, many: bool = False) -> Any:
        """Return the data of a thing, or of many; only the fields that `?fields=` names. Raises Refused (400) on `fields`."""
        serializer: Any = self.get_serializer(thing, many=many)
        fields = serializer.child.fields if many else serializer.fields
        wanted = self.request.query_params.get("fields")
        if wanted is not None:
            chosen = {name.strip() for name in wanted.split(",")}
            unknown = sorted(chosen - set(fields))
            if unknown:
                text = _("There is no field “%(name)s” here: choose among %(known)s.")
                known = ", ".join(sorted(fields))
                raise Refused("field", text % {"name": unknown[0][:40], "known": known}, field="fields", status=400)
            for name in set(fields) - chosen:
                fields.pop(name)
        data = serializer.data
        names = expanding.wanted(self.request.query_params.get("expand"), self.expands.get(self.action or "", ()))
        if names:
            expanding.expand(data if many else [data], names)
        return data

    # --- writing -----------------------------------------------------------------------------------------------------

    def asked(self, kind: type[Serializer[Any]]) -> Any:
        """Return the values of the request's body. Raises ValidationError (400) naming the fields."""
        body = kind(data=self.request.data)
        body.is_valid(raise_exception=True)
        return body.validated_data

    def done(self, deed: Callable[[], Any], gives: type[Serializer[Any]], *, status: int = 200) -> Response:
        """Do `deed` once; answer with what it returns, as the serializer `gives` tells it."""

        def act() -> tuple[int, Any]:
            told = gives(deed(), context=self.get_serializer_context())
            return status, json.loads(JSONRenderer().render(told.data))

        return self.once(act)

    def answered(self) -> Response | None:
        """Return the answer of an earlier request with the same Idempotency-Key (services.answered), None without one."""
        done = services.answered(**self._named())
        return _of(done) if done is not None else None

    def once(self, deed: Callable[[], tuple[int, Any]]) -> Response:
        """Do `deed` once for the request's Idempotency-Key, and return its answer (services.once)."""
        return _of(services.once(**self._named(), deed=deed))

    def _named(self) -> dict[str, Any]:
        """Return what tells one write from another: its person, its key, the digest of the request."""
        request = self.request
        said = "\n".join([str(request.method), request.get_full_path(), ""]).encode() + request._request.body
        assert isinstance(request.user, User)  # Scoped refuses visitors
        key = request.headers.get(services.HEADER, "")
        return {"by": request.user, "key": key, "digest": hashlib.sha256(said).hexdigest()}

    # --- every request -----------------------------------------------------------------------------------------------

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in SAFE_METHODS:
            self._check_parameters(request)

    def parameters(self) -> frozenset[str]:
        """Return the parameters of the address that the present action knows."""
        action = self.action or ""
        known = {"fields", *self.extra.get(action, ()), *(("expand",) if action in self.expands else ())}
        if self.action == "list" and self.pagination_class is not None:
            known |= set(PAGING)
            filters = getattr(self, "filterset_class", None)
            known |= set(filters.base_filters) if filters is not None else set()
        return frozenset(known)

    def _check_parameters(self, request: Request) -> None:
        known = self.parameters()
        for name, values in request.query_params.lists():
            shown = {"name": name[:40], "known": ", ".join(sorted(known))}
            if name not in known:
                text = _("There is no parameter “%(name)s” here: choose among %(known)s.") % shown
                raise Refused("parameter", text, field=name[:40], status=400)
            if len(values) > 1 or len(values[0]) > LONGEST_VALUE:
                most = {**shown, "most": LONGEST_VALUE}
                text = _("Send the parameter “%(name)s” once, with at most %(most)d characters.") % most
                raise Refused("parameter", text, field=name[:40], status=400)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, VARY)
        if (left := getattr(request, "calls_left", None)) is not None:
            for name, value in rate_headers(left).items():
                response[name] = value
        if request.method in ("GET", "HEAD") and response.status_code == 200:
            named = bool(request.user and request.user.is_authenticated)
            # Caches keep it and ask again each time: the ETag then saves the body.
            response["Cache-Control"] = "private, no-cache" if named else "public, no-cache"
            response.add_post_render_callback(lambda made: conditional(request, made))
        return response


def _of(done: services.Done) -> Response:
    return Response(done.body, status=done.status, headers={"Idempotency-Replayed": str(done.repeated).lower()})


def conditional(request: Request, response: HttpResponse) -> HttpResponse | None:
    """Give a rendered answer its ETag; return 304 in its place where the caller has the same one."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    short = get_conditional_response(request._request, etag=etag, response=response)
    if short is response or short is None:
        return None
    for name in ("Vary", "Cache-Control", "ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"):
        if name in response.headers:
            short[name] = response[name]
    return short
