"""Competitions with entries, rounds and standings; matches with their results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.selectors import games, tables
from tock_league.accounts import selectors as players
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Site, require
from tock_league.clubs import selectors as clubs
from tock_league.common.errors import NotThere, Refused
from tock_league.competitions.forms.announcing import values_of
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.competitions.selectors.rankings import podium
from tock_league.competitions.selectors.rankings.kept import shown
from tock_league.competitions.selectors.rankings.kept.bracket import bracket_ranks
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.rounds import brackets, matches
from tock_league.competitions.selectors.seasons import calendars, competitions
from tock_league.competitions.services.entries import entering, registration
from tock_league.competitions.services.seasons import tournaments

from ..filters import CompetitionFilter, MatchFilter
from ..paging import Whole
from ..serializers import events as told
from ..serializers import organising, settings
from .base import Endpoint
from .clubs import is_captain
from .writing import MANAGE, PLAY, named, require_manage, takes


@dataclass(frozen=True)
class NodeRow:
    """A match of a bracket, and the number of the match that its loser goes to."""

    node: brackets.NodeView
    loser_to: int | None


def entry_of(slug: str, viewer: Player | Site | None = SITE) -> Entry:
    """Return the entry with what EntryRow tells. Raises NotThere where `viewer` may not see its competition."""
    rows = Entry.objects.select_related("competition", "team__club", "player")
    found = rows.prefetch_related("roster__player", "check_ins").filter(slug=slug).first()
    if found is None:
        raise NotThere
    competitions.get(found.competition.slug, viewer)
    return found


class Competitions(Endpoint):
    """Leagues, tournaments and club nights."""

    write_scope = MANAGE

    expands = {"list": ("club",), "retrieve": ("club",), "entries": ("team", "club")}
    queryset = Competition.objects.none()
    serializer_class = told.CompetitionRow
    filterset_class = CompetitionFilter
    ordering = ("-created_at", "-pk")

    def list(self, request: Request) -> Response:
        """List the public competitions, the newest first."""
        return self.paged(competitions.public())

    @takes(settings.Draft, told.CompetitionPage, status=201)
    def create(self, request: Request) -> Response:
        """Make a tournament: a draft that only its organisers see."""
        asked = self.asked(settings.Draft)
        require(self.person, "competition.create", named(clubs.club, asked["club"], "club"), needed="organiser")
        chosen = settings.chosen(asked, settings.usual(by=self.person), by=self.person)

        def act() -> Competition:
            try:
                made = tournaments.create_tournament(by=self.person, club=chosen["club"], **values_of(chosen))
            except Refused as error:
                raise settings.renamed(error) from None
            return competitions.get(made.slug, self.person)

        return self.done(act, told.CompetitionPage, status=201)

    @extend_schema(responses=told.CompetitionPage)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a competition. A draft or rehearsal is shown to its organisers and referees."""
        return self.one(self.found(slug))

    @extend_schema(responses=told.EntryRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, write_scope=PLAY)
    def entries(self, request: Request, slug: str) -> Response:
        """List the entries in the order of seeds, with their rosters; without those withdrawn."""
        rows = competitions.entries(self.found(slug)).select_related("competition").prefetch_related("check_ins")
        return self.whole(list(rows))

    @takes(told.Registration, told.EntryRow, status=201)
    @entries.mapping.post
    def register(self, request: Request, slug: str) -> Response:
        """Enter a team, as its captain; as organiser any team that may play, whose players count as having said yes."""
        made, asked = self.found(slug), self.asked(told.Registration)
        team = named(clubs.team, asked["team"], "team")
        names = asked.get("substitutes", ())
        substitutes = [named(players.player, name, "substitutes") for name in names]
        require_manage(request, unless=is_captain(self.person, team))
        if made.is_planned:

            def act() -> Entry:
                entry = registration.register(by=self.person, competition=made, team=team, substitutes=substitutes)
                return entry_of(entry.slug)
        else:

            def act() -> Entry:
                return entry_of(entering.enter_team(by=self.person, competition=made, team=team).slug)

        return self.done(act, told.EntryRow, status=201)

    @extend_schema(responses=told.RoundRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def rounds(self, request: Request, slug: str) -> Response:
        """List the rounds of all stages."""
        return self.whole(calendars.rounds(self.found(slug)))

    @extend_schema(responses=told.StandingsTable(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def standings(self, request: Request, slug: str) -> Response:
        """List the tables: one for a league, one for each group of a tournament. Each number names its matches."""
        return self.whole(shown.named_tables(self.found(slug)))

    @extend_schema(responses=organising.Node(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def bracket(self, request: Request, slug: str) -> Response:
        """List the matches of the knockout stage and where their winners and losers go; none where there is no bracket."""
        drawing = self.drawing(self.found(slug))
        if drawing is None:
            return self.whole([])
        losers = {edge.source: edge.target for edge in drawing.bracket.edges if edge.outcome != "win"}
        return self.whole([NodeRow(node, losers.get(node.number)) for node in drawing.nodes])

    @extend_schema(responses=organising.PodiumStep(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def podium(self, request: Request, slug: str) -> Response:
        """List the first three ranks of a tournament, as far as results make them certain."""
        found = self.found(slug)
        return self.whole(podium.podium(found, bracket_ranks(kept(found)) if found.is_planned else ()))

    def drawing(self, found: Competition) -> brackets.BracketView | None:
        """Return the bracket of a tournament, None where there is none."""
        if not found.is_planned:
            return None
        views = matches.views(found.matches.order_by("round__number", "number"), self.person)
        return brackets.of_tournament(views)

    def found(self, slug: str) -> Competition:
        """Return the competition if the caller may see it."""
        return competitions.get(slug, self.person)

    def get_serializer_class(self) -> Any:
        return {
            "retrieve": told.CompetitionPage,
            "entries": told.EntryRow,
            "rounds": told.RoundRow,
            "standings": told.StandingsTable,
            "bracket": organising.Node,
            "podium": organising.PodiumStep,
        }.get(self.action, told.CompetitionRow)


class Entries(Endpoint):
    """One entry; lists are below their competition."""

    expands = {"retrieve": ("team", "club")}
    queryset = Entry.objects.none()
    serializer_class = told.EntryRow

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show an entry with its roster."""
        return self.one(entry_of(slug, self.person))


class Matches(Endpoint):
    """Matches of all public competitions."""

    expands = {"list": ("competition",), "retrieve": ("competition",)}
    queryset = Match.objects.none()
    serializer_class = told.MatchRow
    filterset_class = MatchFilter
    ordering = ("-pk",)

    def list(self, request: Request) -> Response:
        """List matches, those made last first, with their results as they stand."""
        return self.paged(matches.loaded(matches.visible(Match.objects.all())), self.dressed)

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a match."""
        return self.one(matches.match_view(slug, self.person))

    @extend_schema(responses=told.MatchTable(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, serializer_class=told.MatchTable)
    def tables(self, request: Request, slug: str) -> Response:
        """List where the match is played: its open table with the present game and the seats; none where none is open."""
        view = matches.match_view(slug, self.person)
        if not view.table_slug or view.match.table is None:
            return self.whole([])
        table = view.match.table
        shown = {"table": table, "game": games.current_game(table.pk), "seats": tables.seats_of(table.pk)}
        return self.whole([shown])

    def dressed(self, page: Sequence[Match]) -> Sequence[matches.MatchView]:
        """Return the matches of a page as pages show them, in its order."""
        return matches.of_rows(page, self.person)
