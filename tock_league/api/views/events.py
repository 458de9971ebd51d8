"""Competitions with entries, rounds and standings; matches with their results."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.selectors.rankings import group_tables, standings
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.seasons import calendars, competitions

from ..filters import CompetitionFilter, MatchFilter
from ..paging import Whole
from ..serializers import events as told
from .base import Endpoint


def tables_of(competition: Competition) -> list[dict[str, Any]]:
    """Return the tables of a competition for `StandingsTable`: one for a league, one for each group of a tournament."""
    if competition.is_planned:
        groups = group_tables.of_groups(competition, matches.views(competition.matches.all()))
        return [{"group": one.group.name, "stage": one.group.stage.ordinal, "rows": one.rows} for one in groups]
    return [{"group": "", "stage": 1, "rows": standings.table(competition)}]


class Competitions(Endpoint):
    """Leagues, tournaments and club nights."""

    queryset = Competition.objects.none()
    serializer_class = told.CompetitionRow
    filterset_class = CompetitionFilter
    ordering = ("-created_at", "-pk")

    def list(self, request: Request) -> Response:
        """List the public competitions, the newest first."""
        return self.paged(competitions.public())

    @extend_schema(responses=told.CompetitionPage)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a competition. A draft or rehearsal is shown to its organisers and referees."""
        return self.one(self.found(slug))

    @extend_schema(responses=told.EntryRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def entries(self, request: Request, slug: str) -> Response:
        """List the entries in the order of seeds, with their rosters; without those withdrawn."""
        return self.whole(list(competitions.entries(self.found(slug)).select_related("competition")))

    @extend_schema(responses=told.RoundRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def rounds(self, request: Request, slug: str) -> Response:
        """List the rounds of all stages."""
        return self.whole(calendars.rounds(self.found(slug)))

    @extend_schema(responses=told.StandingsTable(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def standings(self, request: Request, slug: str) -> Response:
        """List the tables: one for a league, one for each group of a tournament. Each number names its matches."""
        return self.whole(tables_of(self.found(slug)))

    def found(self, slug: str) -> Competition:
        """Return the competition if the caller may see it."""
        return competitions.get(slug, self.person)

    def get_serializer_class(self) -> Any:
        return {
            "retrieve": told.CompetitionPage,
            "entries": told.EntryRow,
            "rounds": told.RoundRow,
            "standings": told.StandingsTable,
        }.get(self.action, told.CompetitionRow)


class Entries(Endpoint):
    """One entry; lists are below their competition."""

    queryset = Entry.objects.none()
    serializer_class = told.EntryRow

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show an entry with its roster."""
        rows = Entry.objects.select_related("competition", "team__club", "player").prefetch_related("roster__player")
        found = rows.filter(slug=slug).first()
        if found is None:
            raise NotThere
        competitions.get(found.competition.slug, self.person)
        return self.one(found)


class Matches(Endpoint):
    """Matches of all public competitions."""

    queryset = Match.objects.none()
    serializer_class = told.MatchRow
    filterset_class = MatchFilter
    ordering = ("-pk",)

    def list(self, request: Request) -> Response:
        """List matches, those made last first, with their results as they stand."""
        return self.paged(matches.visible(Match.objects.all()), self.dressed)

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a match."""
        return self.one(matches.match_view(slug, self.person))

    def dressed(self, page: Sequence[Match]) -> Sequence[matches.MatchView]:
        """Return the matches of a page as pages show them, in its order."""
        person: Player | None = self.person
        return matches.views(Match.objects.filter(pk__in=[row.pk for row in page]).order_by(*self.ordering), person)
