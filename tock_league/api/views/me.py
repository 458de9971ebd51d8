"""What concerns the caller alone: who that is, and the invitations that wait for an answer."""

from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.models import Token
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import TeamInvitation
from tock_league.clubs.services import invitations

from ..authentication import require_player
from ..serializers import people as told
from .base import Endpoint
from .writing import PLAY, deed


class Me(Endpoint):
    """The caller."""

    needs_login = True
    serializer_class = told.Me

    pagination_class = None

    def retrieve(self, request: Request) -> Response:
        """Show who calls, and what the token may do."""
        token = request.auth if isinstance(request.auth, Token) else None
        return self.one(
            {
                "player": self.person,
                "by": "token" if token is not None else "session",
                "token": token.name if token is not None else None,
                "scopes": token.scopes if token is not None else Token.Scope.values,
                "expires_at": token.expires_at if token is not None else None,
            }
        )


class Invitations(Endpoint):
    """Invitations to teams, by name."""

    needs_login = True
    queryset = TeamInvitation.objects.none()
    serializer_class = told.Invitation
    lookup_field = "pk"
    lookup_value_regex = "[0-9]{1,15}"
    ordering = ("expires_at", "pk")

    def list(self, request: Request) -> Response:
        """List the invitations that wait for the caller's answer, the most urgent first."""
        return self.paged(clubs.invitations_of(require_player(self.person)))

    @deed(told.Acceptance, told.Invitation, PLAY)
    def answer(self, request: Request, pk: str) -> Response:
        """Join the team, or decline."""
        person = require_player(self.person)
        accept = self.asked(told.Acceptance)["accept"]

        def act() -> TeamInvitation:
            invitations.answer(by=person, invitation=clubs.invitation(int(pk)), accept=accept)
            return clubs.invitation(int(pk))

        return self.done(act, told.Invitation)
