"""Rule sets, finished games, ladders, rulings, the journal."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import Game
from games.permissions import may_see_game
from games.selectors import rule_sets
from ratings import selectors as ratings
from ratings.models import Ladder, Subject
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.rulings import book
from tock_league.clubs import selectors as clubs
from tock_league.common.errors import NotThere, Refused
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.rounds import matches
from tock_league.journal.models import JournalStream
from tock_league.journal.selectors import entries as journal

from ..filters import GameFilter, RulingFilter
from ..paging import Whole, limit_of, made_up
from ..serializers import records as told
from .base import Endpoint

CURSOR = OpenApiParameter("cursor", str, description="As the answer before gave it in `next`.")
LIMIT = OpenApiParameter("limit", int, description="How many results a page has, between 1 and 100.")


class RuleSets(Endpoint):
    """The rule sets that are played here."""

    queryset = Ladder.objects.none()
    serializer_class = told.RuleSet
    pagination_class = Whole
    lookup_field = "page"

    @extend_schema(filters=False)
    def list(self, request: Request) -> Response:
        """List the rule sets: the site's main one first."""
        return self.whole(rule_sets.offered())

    @extend_schema(parameters=[OpenApiParameter("page", str, OpenApiParameter.PATH)])
    def retrieve(self, request: Request, page: str) -> Response:
        """Show a rule set."""
        found = next((one for one in rule_sets.offered() if one.page == page), None)
        if found is None:
            raise NotThere
        return self.one(found)


class Games(Endpoint):
    """Finished games."""

    queryset = Game.objects.none()
    serializer_class = told.GameRow
    filterset_class = GameFilter

    def list(self, request: Request) -> Response:
        """List the finished games of public competitions, the newest first."""
        public = matches.visible(Match.objects.all()).values("pk")
        return self.paged(self.rows().filter(match_game__match__in=public))

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a finished game, also a casual one, whose replay the caller may see."""
        found = self.rows().filter(slug=slug).first()
        if found is None or not may_see_game(found, self.reader):
            raise NotThere
        return self.one(found)

    def rows(self) -> QuerySet[Game]:
        """Return the finished games."""
        return Game.objects.filter(state=Game.State.OVER).select_related("table", "match_game__match")


class Ladders(Endpoint):
    """Ladders, their boards, and the history of a player or pair."""

    queryset = Ladder.objects.none()
    serializer_class = told.LadderRow
    pagination_class = Whole
    lookup_field = "key"
    lookup_value_regex = r"[-a-z0-9]{1,32}:[0-9]{1,2}"
    extra = {"board": ("kind", "club", "cursor", "limit")}

    @extend_schema(filters=False)
    def list(self, request: Request) -> Response:
        """List the ladders."""
        return self.whole(ratings.ladders())

    def retrieve(self, request: Request, key: str) -> Response:
        """Show a ladder."""
        return self.one(ratings.ladder(key))

    @extend_schema(
        responses=told.BoardRow(many=True),
        filters=False,
        parameters=[
            OpenApiParameter("kind", str, enum=Subject.Kind.values, description="`player`, or `team` for pairs."),
            OpenApiParameter("club", str, description="The slug of a club: its own board, whole."),
            CURSOR,
            LIMIT,
        ],
    )
    @action(detail=True, serializer_class=told.BoardRow)
    def board(self, request: Request, key: str) -> Response:
        """List a page of the board: ranked players, or pairs."""
        asked = request.query_params
        kind = asked.get("kind", Subject.Kind.PLAYER)
        if kind not in Subject.Kind.values:
            raise Refused("kind", f"{', '.join(Subject.Kind.values)}", field="kind", status=400)
        club = clubs.club(asked["club"][:60].replace("\0", "")) if "club" in asked else None
        try:
            page = ratings.board(
                key, kind, club, after=asked.get("cursor", ""), limit=limit_of(request), with_apart=False
            )
        except Refused as error:
            if error.code == "page":
                raise made_up() from None
            raise
        following = request.query_params.copy()
        following["cursor"] = page.after
        more = f"{request.path}?{following.urlencode()}" if page.after else None
        return Response({"next": more, "previous": None, "results": self.told(page.rows, many=True)})

    @extend_schema(
        responses=told.HistoryStep(many=True),
        filters=False,
        parameters=[
            OpenApiParameter("subject", int, OpenApiParameter.PATH, description="As boards and ratings name it.")
        ],
    )
    @action(
        detail=True,
        serializer_class=told.HistoryStep,
        url_path=r"subjects/(?P<subject>[0-9]{1,18})",
        url_name="history",
    )
    def history(self, request: Request, key: str, subject: str) -> Response:
        """List the last 300 rated games of a player or pair, the oldest first."""
        ladder = ratings.ladder(key)
        return self.whole(ratings.history(ratings.rating_of(key, int(subject)).subject, ladder))


class Rulings(Endpoint):
    """The ruling book: published decisions and their reasons."""

    queryset = Case.objects.none()
    serializer_class = told.Ruling
    filterset_class = RulingFilter
    lookup_field = "number"
    lookup_value_regex = "TL-[0-9]{4}-[0-9]{6,9}"
    ordering = ("-filed_at", "-pk")

    def list(self, request: Request) -> Response:
        """List the published cases, the newest first."""
        return self.paged(book.publishable(), lambda page: [book.view(case) for case in page])

    def retrieve(self, request: Request, number: str) -> Response:
        """Show a published case with all its rulings."""
        found = book.published(number)
        if found is None:
            raise NotThere
        return self.one(found)


class Journal(Endpoint):
    """The public streams of the journal, and their entries."""

    queryset = JournalStream.objects.none()
    serializer_class = told.JournalStream
    pagination_class = Whole
    lookup_field = "name"
    lookup_value_regex = r"[a-z]+(?::[-a-zA-Z0-9_]{1,100})?"
    extra = {"entries": ("cursor", "limit")}

    @extend_schema(filters=False)
    def list(self, request: Request) -> Response:
        """List the public streams with their last hashes."""
        return self.whole(journal.streams())

    def retrieve(self, request: Request, name: str) -> Response:
        """Show a stream: its length and its last hash."""
        return self.one(journal.stream(name))

    @extend_schema(responses=told.JournalEntry(many=True), filters=False, parameters=[CURSOR, LIMIT])
    @action(detail=True, serializer_class=told.JournalEntry)
    def entries(self, request: Request, name: str) -> Response:
        """List the entries of a stream, the newest first."""
        journal.stream(name)
        limit, cursor = limit_of(request), request.query_params.get("cursor", "")
        if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 16):
            raise made_up()
        found = journal.entries_for(name, before=int(cursor) if cursor else None, limit=limit)
        following: Any = request.query_params.copy()
        following["cursor"] = str(found[-1].seq) if found else ""
        more = f"{request.path}?{following.urlencode()}" if found and found[-1].seq > 1 else None
        return Response({"next": more, "previous": None, "results": self.told(found, many=True)})
