"""Players, clubs, teams."""

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from ratings.selectors import profiles
from tock_league.accounts import selectors as people
from tock_league.accounts.merged import kept_of
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import require
from tock_league.clubs import selectors as clubs
from tock_league.clubs import services
from tock_league.clubs.models import PAIR, Club, Team
from tock_league.common.errors import NotThere

from ..filters import ClubFilter, PlayerFilter, TeamFilter
from ..paging import Whole
from ..serializers import clubs as bodies
from ..serializers import people as told
from .base import Endpoint
from .clubs import is_captain
from .writing import PLAY, named, require_manage, takes


def _row(player: Player) -> Mapping[str, Any]:
    """Return a player of `clubs.with_homes`."""
    homes: Sequence[Any] = player.home_ties  # type: ignore[attr-defined]
    return {
        "slug": player.slug,
        "display_name": player.display_name,
        "is_bot": bool(player.bot),
        "club": homes[0].club if homes else None,
    }


class Players(Endpoint):
    """Players whose pages the caller may see; of the others only slug and name."""

    expands = {"list": ("club",), "retrieve": ("club",)}
    queryset = Player.objects.none()
    serializer_class = told.PlayerRow
    filterset_class = PlayerFilter
    ordering = ("display_name", "pk")

    def list(self, request: Request) -> Response:
        """List the players whose pages the caller may see, by name."""
        return self.paged(clubs.with_homes(clubs.pages_open_to(self.person)), lambda page: [_row(one) for one in page])

    @extend_schema(responses=told.PlayerPage)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a player: slug and name alone where the page is not open to the caller."""
        found = people.player(slug)
        kept = kept_of(found)
        if not clubs.shows_page(found, self.person):
            closed = {"is_open": False, "is_bot": None, "club": None, "teams": None, "merged_into": kept}
            return self.one({"slug": found.slug, "display_name": found.display_name, **closed})
        shown = {
            "slug": found.slug,
            "display_name": found.display_name,
            "is_open": True,
            "is_bot": bool(found.bot),
            "club": clubs.home_club(found),
            "teams": clubs.teams_of_player(found),
            "merged_into": kept,
        }
        return self.one(shown)

    @extend_schema(responses=told.RatingRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def ratings(self, request: Request, slug: str) -> Response:
        """Show a player's rating in each ladder. 404 where the player's page is not open to the caller."""
        found = people.player(slug)
        if not clubs.shows_page(found, self.person):
            raise NotThere
        return self.whole(profiles.player_summary(found.pk))

    def get_serializer_class(self) -> Any:
        return {"retrieve": told.PlayerPage, "ratings": told.RatingRow}.get(self.action, told.PlayerRow)


class Clubs(Endpoint):
    """Clubs and their members."""

    write_scope = PLAY

    queryset = Club.objects.none()
    serializer_class = told.ClubRow
    filterset_class = ClubFilter
    ordering = ("name", "pk")

    def list(self, request: Request) -> Response:
        """List the clubs by name."""
        return self.paged(clubs.clubs())

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a club."""
        found = clubs.clubs().filter(slug=slug).first()
        if found is None:
            raise NotThere
        return self.one(found)

    @takes(bodies.NewClub, told.ClubRow, status=201)
    def create(self, request: Request) -> Response:
        """Found a club; the caller becomes its first officer."""
        asked = self.asked(bodies.NewClub)

        def act() -> Club:
            return clubs.clubs().get(pk=services.found_club(by=self.person, **asked).pk)

        return self.done(act, told.ClubRow, status=201)

    @takes(bodies.ClubChange, told.ClubRow)
    def partial_update(self, request: Request, slug: str) -> Response:
        """Change what a club says of itself, as one of its officers."""
        club, asked = clubs.club(slug), self.asked(bodies.ClubChange)
        require_manage(request, unless=False)
        values = {"name": club.name, "town": club.town, "about": club.about} | asked

        def act() -> Club:
            services.edit_club(by=self.person, club=club, **values)
            return clubs.clubs().get(pk=club.pk)

        return self.done(act, told.ClubRow)

    @extend_schema(responses=told.Member(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, serializer_class=told.Member)
    def members(self, request: Request, slug: str) -> Response:
        """List a club's members now, with their roles."""
        return self.whole(clubs.members(clubs.club(slug)))


class Teams(Endpoint):
    """Teams of clubs and free ones, with who plays in them now."""

    write_scope = PLAY

    expands = {"list": ("club",), "retrieve": ("club",)}
    queryset = Team.objects.none()
    serializer_class = told.TeamRow
    filterset_class = TeamFilter
    ordering = ("name", "pk")

    def list(self, request: Request) -> Response:
        """List the teams by name, without those drawn for one evening and those dissolved."""
        teams = Team.objects.filter(drawn=False, dissolved_at__isnull=True).select_related("club")
        return self.paged(clubs.with_players(teams))

    def retrieve(self, request: Request, slug: str) -> Response:
        """Show a team."""
        return self.one(clubs.team(slug))

    @takes(bodies.NewTeam, told.TeamRow, status=201)
    def create(self, request: Request) -> Response:
        """Found a team: the caller is its captain and only player, and invites the others."""
        asked = self.asked(bodies.NewTeam)
        club = named(clubs.club, asked["club"], "club") if asked.get("club") else None

        def act() -> Team:
            made = services.found_team(by=self.person, name=asked["name"], size=asked.get("size", PAIR), club=club)
            return clubs.team(made.slug)

        return self.done(act, told.TeamRow, status=201)

    @takes(bodies.TeamChange, told.TeamRow)
    def partial_update(self, request: Request, slug: str) -> Response:
        """Change name or size of a team, as its captain; as an officer of its club with the scope `manage`."""
        team, asked = clubs.team(slug), self.asked(bodies.TeamChange)
        require_manage(request, unless=is_captain(self.person, team))

        def act() -> Team:
            require(self.person, "team.edit", team, needed="captain")
            if "name" in asked:
                services.rename_team(by=self.person, team=team, name=asked["name"])
            if "size" in asked:
                services.resize_team(by=self.person, team=team, size=asked["size"])
            return clubs.team(slug)

        return self.done(act, told.TeamRow)
