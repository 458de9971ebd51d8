"""What concerns the caller alone: who that is, and the invitations that wait for an answer."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.models import Token
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import TeamInvitation
from tock_league.clubs.services import invitations

from ..authentication import require_player
from ..serializers import people as told
from .base import Endpoint

KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, required=True,
    description="8 to 64 visible characters, new for each deed. The same key within a day gets the same answer.",
)  # fmt: skip


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
    write_scope = Token.Scope.PLAY
    queryset = TeamInvitation.objects.none()
    serializer_class = told.Invitation
    lookup_field = "pk"
    lookup_value_regex = "[0-9]{1,15}"
    ordering = ("expires_at", "pk")

    def list(self, request: Request) -> Response:
        """List the invitations that wait for the caller's answer, the most urgent first."""
        return self.paged(clubs.invitations_of(require_player(self.person)))

    @extend_schema(request=told.Acceptance, responses=told.Invitation, parameters=[KEY])
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, pk: str) -> Response:
        """Join the team, or decline. Needs the scope `play`."""
        person = require_player(self.person)
        asked = told.Acceptance(data=request.data)
        asked.is_valid(raise_exception=True)

        def deed() -> tuple[int, Any]:
            invitation = clubs.invitation(int(pk))
            invitations.answer(by=person, invitation=invitation, accept=asked.validated_data["accept"])
            return 200, dict(told.Invitation(clubs.invitation(int(pk))).data)

        return self.once(deed)
