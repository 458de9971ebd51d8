"""Casual tables: those that wait, opening one, its seats, and the caller's own tables."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from games.models import CasualTable
from games.permissions import Person
from games.selectors import casual as reader
from games.selectors import lobby, own
from games.services import casual
from tock_league.common import limits
from tock_league.common.errors import NotThere

from ..authentication import require_player
from ..paging import Whole
from ..serializers import tables as told
from ..serializers.base import Asked
from .base import Endpoint
from .writing import PLAY, deed, takes

CODES = 60  # codes that one address may try in ten minutes, as on the pages
FILTERS = {
    "rules": "A rule set, such as shawinigan/1.",
    "seats": "A number of seats.",
    "rated": "yes or no.",
    "touch": "strict or free.",
}


class Tables(Endpoint):
    """Casual tables, by their code."""

    write_scope = PLAY
    queryset = CasualTable.objects.none()
    serializer_class = told.Room
    pagination_class = Whole
    lookup_field = "code"
    lookup_value_regex = "[0-9A-Za-z]{1,12}"
    extra = {"list": tuple(FILTERS)}

    @extend_schema(
        responses=told.OpenTable(many=True),
        parameters=[OpenApiParameter(name, str, description=text) for name, text in FILTERS.items()],
        filters=False,
    )
    def list(self, request: Request) -> Response:
        """List the tables that wait for people and where somebody is, the oldest first; 40 at most."""
        asked = {name: request.query_params[name] for name in FILTERS if name in request.query_params}
        return self.whole(lobby.open_tables(asked))

    @takes(told.NewTable, told.Room, status=201)
    def create(self, request: Request) -> Response:
        """Open a table; the caller has its first seat."""
        person, chosen = self.seated(), self.asked(told.NewTable)
        return self.done(lambda: self.room_of(casual.open_table(by=person, **chosen).code), told.Room, status=201)

    @takes(told.Quick, told.Room)
    @action(detail=False, methods=["post"])
    def quick(self, request: Request) -> Response:
        """Sit down with any partner and any opponents; the game begins when the table is full."""
        person, chosen = self.seated(), self.asked(told.Quick)
        return self.done(lambda: self.room_of(casual.quick_seat(by=person, **chosen).code), told.Room)

    def retrieve(self, request: Request, code: str) -> Response:
        """Show a table's room: who sits there, and whether its game runs."""
        return self.one(self.found(code))

    @deed(told.Seat, told.Room, PLAY)
    def sit(self, request: Request, code: str) -> Response:
        """Take an empty seat, or one that a bot of the site keeps; move there from another one."""
        return self.changed(code, told.Seat, casual.sit)

    @deed(None, told.Room, PLAY)
    def stand(self, request: Request, code: str) -> Response:
        """Leave the seat while no game runs."""
        return self.changed(code, None, casual.stand)

    @deed(told.Seat, told.Room, PLAY)
    def free(self, request: Request, code: str) -> Response:
        """Take the seat from somebody who has been away for two minutes."""
        return self.changed(code, told.Seat, casual.free)

    @deed(told.Seat, told.Room, PLAY)
    def put_bot(self, request: Request, code: str) -> Response:
        """Let a bot of the site take an empty seat."""
        return self.changed(code, told.Seat, casual.put_bot)

    @deed(told.Seat, told.Room, PLAY)
    def remove_bot(self, request: Request, code: str) -> Response:
        """Take a bot of the site from its seat while no game runs."""
        return self.changed(code, told.Seat, casual.remove_bot)

    @deed(told.Begin, told.Room, PLAY)
    def begin(self, request: Request, code: str) -> Response:
        """Begin the game of a table whose seats are all held."""
        return self.changed(code, told.Begin, casual.begin)

    @deed(None, told.Room, PLAY)
    def leave(self, request: Request, code: str) -> Response:
        """Let a bot of the site play on; the caller may come back."""
        return self.changed(code, None, casual.leave)

    @deed(told.Again, told.Room, PLAY)
    def again(self, request: Request, code: str) -> Response:
        """Play again at a table whose game is over."""
        return self.changed(code, told.Again, casual.again)

    def get_serializer_class(self) -> type[BaseSerializer[Any]]:
        return told.OpenTable if self.action == "list" else told.Room

    def seated(self) -> Person:
        """Return the caller, who needs a player."""
        return Person(player_id=require_player(self.person).pk)

    def found(self, code: str) -> reader.Room:
        """Return the room. Raises NotThere, and Refused `rate` for an address that has tried too many unknown codes."""
        request = self.request._request
        room = reader.room(code, self.reader)
        if room is None:
            limits.spend(request, "code", count=CODES, seconds=600)
            raise NotThere
        if room.mine is None:
            limits.check(request, "code", count=CODES, seconds=600)
        else:
            casual.note_presence([(room.table.pk, room.mine.seat)])
        return room

    def room_of(self, code: str) -> reader.Room | None:
        """Return a room as the caller sees it now."""
        return reader.room(code, self.reader)

    def changed(self, code: str, kind: type[Asked] | None, act: Callable[..., object]) -> Response:
        """Do `act` of the services with the values of the body, once, and return the room."""
        person, chosen = self.seated(), self.asked(kind) if kind is not None else {}
        self.found(code)

        def both() -> reader.Room | None:
            act(code, **chosen, by=person)
            return self.room_of(code)

        return self.done(both, told.Room)


class OwnTables(Endpoint):
    """The tables at which the caller has a seat."""

    needs_login = True
    queryset = CasualTable.objects.none()
    serializer_class = told.OwnTable
    pagination_class = Whole

    @extend_schema(filters=False)
    def list(self, request: Request) -> Response:
        """List the tables that run or wait, those first that wait for the caller; 12 at most."""
        found = own.running(Person(player_id=require_player(self.person).pk))
        codes = reader.codes_of([one.slug for one in found])
        return self.whole([Coded(one, codes.get(one.slug, "")) for one in found])


class Coded:
    """An own table with the code of its room."""

    def __init__(self, table: own.OwnTable, code: str) -> None:
        self.slug, self.kind, self.name = table.slug, table.kind, table.name
        self.turn, self.waiting, self.code = table.turn, table.waiting, code
