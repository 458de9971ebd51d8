"""What people do in clubs and teams: join, leave, form teams, invite, change places, follow."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts import selectors as people
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import require
from tock_league.clubs import following, services
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club, Team, TeamInvitation
from tock_league.common.errors import NotThere
from tock_league.common.limits import spend

from ..paging import Whole
from ..serializers import clubs as asked_for
from ..serializers import people as told
from .base import Endpoint
from .writing import MANAGE, PLAY, deed, named, require_manage

ID = OpenApiParameter("id", int, OpenApiParameter.PATH, description="The number of an invitation.")


class ClubDeeds(Endpoint):
    """What members and officers do in a club."""

    needs_login = True
    queryset = Club.objects.none()
    serializer_class = told.ClubRow

    @deed(asked_for.Joining, told.ClubRow, PLAY)
    def join(self, request: Request, slug: str) -> Response:
        """Become a member."""
        club, home = clubs.club(slug), self.asked(asked_for.Joining)["home"]
        return self.club_after(slug, lambda: services.join(by=self.person, club=club, home=home))

    @deed(None, told.ClubRow, PLAY)
    def leave(self, request: Request, slug: str) -> Response:
        """Leave the club."""
        club = clubs.club(slug)
        return self.club_after(slug, lambda: services.leave(by=self.person, club=club))

    @deed(asked_for.Talk, told.ClubRow, MANAGE)
    def talk(self, request: Request, slug: str) -> Response:
        """Open or close the talk after the club's games, as an officer."""
        club, is_open = clubs.club(slug), self.asked(asked_for.Talk)["is_open"]
        return self.club_after(slug, lambda: services.set_talk(by=self.person, club=club, is_open=is_open))

    @deed(asked_for.TeamOfMembers, told.TeamRow, MANAGE, status=201)
    def teams(self, request: Request, slug: str) -> Response:
        """Form a team of members without asking them, as an officer or organiser."""
        club, asked = clubs.club(slug), self.asked(asked_for.TeamOfMembers)
        require(self.person, "team.form", (club, ()), needed="club_officer")
        members = {member.player.slug: member.player for member in clubs.members(club)}

        def member(name: str) -> Player:
            if name not in members:
                raise NotThere
            return members[name]

        players = [named(member, name, "players") for name in asked["players"]]

        def act() -> Team:
            made = services.form_team(by=self.person, name=asked["name"], players=players, club=club)
            return clubs.team(made.slug)

        return self.done(act, told.TeamRow, status=201)

    def club_after(self, slug: str, act: Callable[[], Any]) -> Response:
        """Do `act` once and answer with the club as it is then."""

        def both() -> Club:
            act()
            return clubs.clubs().get(slug=slug)

        return self.done(both, told.ClubRow)


class Following(Endpoint):
    """What following a team and following a player share."""

    def followed(self, act: Callable[[], Any], *, follows: bool) -> Response:
        """Do `act` once and say whether the caller follows now."""

        def both() -> dict[str, bool]:
            act()
            return {"follows": follows}

        return self.done(both, asked_for.Follows)


class TeamDeeds(Following):
    """What captains and players do with a team; officers of its club may too, with the scope `manage`."""

    needs_login = True
    queryset = Team.objects.none()
    serializer_class = told.TeamRow

    @extend_schema(responses=asked_for.Place(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, serializer_class=asked_for.Place, write_scope=PLAY)
    def places(self, request: Request, slug: str) -> Response:
        """List the places of a team with their players and open invitations; to those who look after it."""
        team = clubs.team(slug)
        require(self.person, "team.edit", team, needed="captain")
        return self.whole(clubs.places(team))

    @deed(asked_for.Placing, told.TeamRow, PLAY, path="lineup")
    def lineup(self, request: Request, slug: str) -> Response:
        """Put a player of the team into another place."""
        team, asked = self.own(slug), self.asked(asked_for.Placing)
        player = named(people.player, asked["player"], "player")
        return self.team_after(
            slug, lambda: services.set_place(by=self.person, team=team, player=player, slot=asked["slot"])
        )

    @deed(asked_for.Offer, told.Invitation, PLAY, status=201)
    def invitations(self, request: Request, slug: str) -> Response:
        """Invite a player, who answers under /me/invitations."""
        team, asked = self.own(slug), self.asked(asked_for.Offer)
        spend(request._request, "invite", count=60, seconds=3600)
        player = named(people.player, asked["player"], "player")
        return self.done(
            lambda: services.invite(by=self.person, team=team, player=player, slot=asked["slot"]),
            told.Invitation,
            status=201,
        )

    @extend_schema(parameters=[ID])
    @deed(None, told.Invitation, PLAY, path=r"invitations/(?P<id>[0-9]{1,15})/revoke")
    def revoke(self, request: Request, slug: str, id: str) -> Response:
        """Take an invitation back."""
        team = self.own(slug)
        found = clubs.invitation(int(id))
        if found.team_id != team.pk:
            raise NotThere

        def act() -> TeamInvitation:
            services.revoke(by=self.person, invitation=found)
            return clubs.invitation(found.pk)

        return self.done(act, told.Invitation)

    @deed(None, told.TeamRow, PLAY)
    def leave(self, request: Request, slug: str) -> Response:
        """Leave the team; its last player dissolves it."""
        team = clubs.team(slug)
        return self.team_after(slug, lambda: services.leave_team(by=self.person, team=team))

    @deed(asked_for.Named, told.TeamRow, PLAY)
    def remove(self, request: Request, slug: str) -> Response:
        """End somebody's time in the team."""
        team, asked = self.own(slug), self.asked(asked_for.Named)
        player = named(people.player, asked["player"], "player")
        return self.team_after(slug, lambda: services.remove_player(by=self.person, team=team, player=player))

    @deed(None, told.TeamRow, PLAY)
    def dissolve(self, request: Request, slug: str) -> Response:
        """Dissolve the team; its history stays."""
        team = self.own(slug)
        return self.team_after(slug, lambda: services.dissolve(by=self.person, team=team))

    @deed(None, asked_for.Follows, PLAY)
    def follow(self, request: Request, slug: str) -> Response:
        """Follow the team: its matches are on one's pages."""
        team = clubs.team(slug)
        return self.followed(lambda: following.follow_team(by=self.person, team=team), follows=True)

    @deed(None, asked_for.Follows, PLAY)
    def unfollow(self, request: Request, slug: str) -> Response:
        """Stop following the team."""
        team = clubs.team(slug)
        return self.followed(lambda: following.unfollow(by=self.person, team=team), follows=False)

    def own(self, slug: str) -> Team:
        """Return the team. A token without `manage` reaches only teams of which its person is the captain."""
        team = clubs.team(slug)
        require_manage(self.request, unless=is_captain(self.person, team))
        return team

    def team_after(self, slug: str, act: Callable[[], Any]) -> Response:
        """Do `act` once and answer with the team as it is then."""

        def both() -> Team:
            act()
            return clubs.team(slug)

        return self.done(both, told.TeamRow)


class PlayerDeeds(Following):
    """Following other players."""

    needs_login = True
    queryset = Player.objects.none()
    serializer_class = asked_for.Follows

    @deed(None, asked_for.Follows, PLAY)
    def follow(self, request: Request, slug: str) -> Response:
        """Follow a player whose page is open to the caller."""
        player = people.player(slug)
        return self.followed(lambda: following.follow_player(by=self.person, player=player), follows=True)

    @deed(None, asked_for.Follows, PLAY)
    def unfollow(self, request: Request, slug: str) -> Response:
        """Stop following a player."""
        player = people.player(slug)
        return self.followed(lambda: following.unfollow(by=self.person, player=player), follows=False)


def is_captain(person: Player | None, team: Team) -> bool:
    """Return whether `person` is the captain of the team (of clubs.team) now."""
    captain = team.now[0].player_id if team.now else None  # type: ignore[attr-defined]
    return person is not None and person.pk == captain
