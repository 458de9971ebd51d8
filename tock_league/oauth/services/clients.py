"""Our rows as Authlib reads them. The models themselves know nothing of the library."""

import re
from secrets import compare_digest

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin

from tock_league.accounts.models import Token
from tock_league.accounts.tokens import digest

from ..models import ID_LENGTH, Application, Code, Issued, Refresh
from . import redirects

CLIENT_ID = re.compile(rf"[0-9a-z]{{{ID_LENGTH}}}")
GRANT_TYPES = ("authorization_code", "refresh_token")
METHODS = {
    Application.Kind.PUBLIC: ("none",),
    Application.Kind.CONFIDENTIAL: ("client_secret_basic", "client_secret_post"),
}
SCOPES = tuple(Token.Scope.values)


class Client(ClientMixin):
    """An application."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def get_client_id(self) -> str:
        return self.application.client_id

    def get_default_redirect_uri(self) -> None:
        """Return nothing: every request names its address."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes that are asked for, in our order, with `read`; `read` alone where none is. None: unknown."""
        asked = {*(scope or "").split(), Token.Scope.READ.value}
        return " ".join(one for one in SCOPES if one in asked) if asked <= set(SCOPES) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirects.fits(redirect_uri, self.application.redirects)

    def check_client_secret(self, client_secret: str) -> bool:
        return bool(self.application.digest) and compare_digest(digest(client_secret), self.application.digest)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method in METHODS[Application.Kind(self.application.kind)]

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in GRANT_TYPES


class HeldCode(AuthorizationCodeMixin):
    """An authorization code."""

    code_challenge_method = "S256"

    def __init__(self, row: Code) -> None:
        self.row = row
        self.code_challenge = row.challenge

    def get_redirect_uri(self) -> str:
        return self.row.redirect

    def get_scope(self) -> str:
        return " ".join(self.row.scopes)


class HeldToken(TokenMixin):
    """A refresh token, or the mark that an access token is an application's."""

    def __init__(self, row: Refresh | Issued) -> None:
        self.row = row

    def check_client(self, client: Client) -> bool:
        return self.row.access.application_id == client.application.pk

    def get_scope(self) -> str:
        return " ".join(self.row.scopes) if isinstance(self.row, Refresh) else ""
