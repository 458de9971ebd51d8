"""Who calls the API, and how far their token goes: a token in the header Authorization, else the session of the site."""

from typing import Any

from rest_framework import authentication
from rest_framework.exceptions import MethodNotAllowed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from tock_league.accounts import tokens
from tock_league.accounts.models import Token, User
from tock_league.common import limits
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.failures import CSRF

REALM = 'Bearer realm="api"'
WRONG_A_MINUTE = 30  # tokens that open nothing, from one address


class TokenAuthentication(authentication.BaseAuthentication):
    """A personal access token: `Authorization: Bearer tock_…`."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return login and token, None without the header. Raises Refused (401)."""
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        secret = tokens.secret_in(header)
        try:
            token = tokens.opened(secret)
        except Refused:
            limits.spend(request, "api:wrong-token", count=WRONG_A_MINUTE, seconds=60)
            raise
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return REALM


class SessionAuthentication(authentication.SessionAuthentication):
    """The session of the site's pages; whatever writes needs its CSRF token."""

    def enforce_csrf(self, request: Any) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise Refused("csrf", CSRF, status=403) from error


class Scoped(BasePermission):
    """Refuses a token whose scopes do not reach. What the person may do is decided by the services, as for the pages.

    Reading needs `read`, writing the view's `write_scope`; a view without one cannot be written by token. A view with
    `needs_login` refuses visitors. A method that the view does not have is refused before all else.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        method = str(request.method)
        if method not in SAFE_METHODS and method.lower() not in (getattr(view, "action_map", None) or {}):
            raise MethodNotAllowed(method)
        signed_in = bool(request.user and request.user.is_authenticated)
        if not signed_in and (getattr(view, "needs_login", False) or request.method not in SAFE_METHODS):
            return False  # DRF answers 401
        if isinstance(request.auth, Token):
            needed = Token.Scope.READ if request.method in SAFE_METHODS else getattr(view, "write_scope", "")
            tokens.require_scope(request.auth, needed)
        return True


def require_player(person: Any) -> Any:
    """Return the player of the person who asks; raise NotAllowed for a login without one."""
    if person is None:
        raise NotAllowed(needed="player")
    return person
