"""The two grants, the revocation and PKCE: Authlib's, with our rows. All of it runs inside one transaction.

An access is locked before its codes and tokens, so that of two requests with the same code or refresh token the second
one sees what the first one did.
"""

import re
from typing import Any

from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge

from tock_league.accounts import tokens
from tock_league.accounts.models import Token, User
from tock_league.common import clock
from tock_league.common.ids import new_slug

from ..models import Code, Issued, Refresh
from . import accesses
from .clients import Client, HeldCode, HeldToken

METHODS = ["client_secret_basic", "client_secret_post", "none"]
CODE_PREFIX = "tock_code_"
SECRET_LENGTH = 48  # random characters: 237 bits
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")  # base64url of a SHA-256


class _Authenticated:
    """What both grants check of the application that asks."""

    request: Any

    def authenticate_token_endpoint_client(self) -> Client:
        """Return the application. Raises InvalidRequestError where the body names another one than the header."""
        client: Client = super().authenticate_token_endpoint_client()  # type: ignore[misc]
        named = self.request.form.get("client_id")
        if named and named != client.get_client_id():
            raise InvalidRequestError("The body names another client than the header.")
        return client


class CodeGrant(_Authenticated, AuthorizationCodeGrant):
    """The authorization code: 60 seconds, one use."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    @staticmethod
    def validate_authorization_redirect_uri(request: Any, client: Client) -> str:
        """Return the address to answer at. Raises InvalidRequestError, whose text does not repeat what was sent."""
        asked = request.payload.redirect_uri
        if not asked:
            raise InvalidRequestError("Missing 'redirect_uri' in request.")
        if not client.check_redirect_uri(asked):
            raise InvalidRequestError("The 'redirect_uri' is not one of the client.")
        return str(asked)

    def generate_authorization_code(self) -> str:
        return CODE_PREFIX + new_slug(SECRET_LENGTH)

    def save_authorization_code(self, code: str, request: Any) -> None:
        accesses.permit(
            user=request.user,
            application=request.client.application,
            scopes=request.scope.split(),
            redirect=request.payload.redirect_uri,
            challenge=request.payload.data["code_challenge"],
            secret=code,
        )

    def query_authorization_code(self, code: str, client: Client) -> HeldCode | None:
        """Return the code, locked, if it is the client's and opens something. A second use ends what the first one gave."""
        found = Code.objects.filter(digest=tokens.digest(code), access__application=client.application.pk).first()
        if found is None or accesses.locked(found.access_id) is None:
            return None
        row = Code.objects.select_related("access__user").filter(pk=found.pk).first()
        if row is None:
            return None
        if row.used_at is not None:
            accesses.end_line(row.line)
            return None
        return HeldCode(row) if row.expires_at > clock.now() else None

    def authenticate_user(self, authorization_code: HeldCode) -> User:
        return authorization_code.row.access.user

    def delete_authorization_code(self, authorization_code: HeldCode) -> None:
        """Note the use; the row stays, so that a second one is noticed."""
        Code.objects.filter(pk=authorization_code.row.pk).update(used_at=clock.now())


class RefreshGrant(_Authenticated, RefreshTokenGrant):
    """The refresh token: one use, which gives the next one. A second use ends the access (RFC 9700, 4.14.2)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def _validate_request_token(self, client: Client) -> HeldToken:
        """Look for the client's own tokens only: what another one sends must not end anything."""
        self.request.client = client
        found: HeldToken = super()._validate_request_token(client)
        return found

    def authenticate_refresh_token(self, refresh_token: str) -> HeldToken | None:
        mine = Refresh.objects.filter(access__application=self.request.client.application.pk)
        found = mine.filter(digest=tokens.digest(refresh_token)).first()
        if found is None or accesses.locked(found.access_id) is None:
            return None
        row = Refresh.objects.select_related("access__user").filter(pk=found.pk).first()
        if row is None or row.revoked_at is not None or row.expires_at <= clock.now():
            return None
        if row.used_at is not None:
            accesses.end(row.access)
            return None
        return HeldToken(row)

    def authenticate_user(self, refresh_token: HeldToken) -> User:
        return refresh_token.row.access.user

    def revoke_old_credential(self, refresh_token: HeldToken) -> None:
        """Note the use. The former access token goes on until its hour is over: requests of it may be on their way."""
        Refresh.objects.filter(pk=refresh_token.row.pk).update(used_at=clock.now())


class Challenge(CodeChallenge):
    """PKCE (RFC 7636) with S256, of everybody."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Raise InvalidRequestError unless there is a challenge of S256."""
        super().validate_code_challenge(grant, redirect_uri)
        data = grant.request.payload.data
        if data.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(data.get("code_challenge") or ""):
            raise InvalidRequestError("A 'code_challenge' with the 'code_challenge_method' S256 is required.")


class Revocation(RevocationEndpoint):
    """An application gives a token back (RFC 7009): an access token ends alone, a refresh token with its whole access."""

    CLIENT_AUTH_METHODS = METHODS

    def check_params(self, request: Any, client: Client) -> None:
        """Ask for the token; a hint about its kind is ignored, because both kinds are looked for."""
        if not request.form.get("token"):
            raise InvalidRequestError("Missing 'token' in request.")

    def query_token(self, token_string: str, token_type_hint: str | None) -> HeldToken | None:
        digest = tokens.digest(token_string)
        row = (
            Issued.objects.select_related("access").filter(token__digest=digest).first()
            or Refresh.objects.select_related("access").filter(digest=digest).first()
        )
        return HeldToken(row) if row is not None else None

    def revoke_token(self, token: HeldToken, request: Any) -> None:
        if isinstance(token.row, Refresh):
            accesses.end(token.row.access)
        else:
            tokens.end(Token.objects.filter(pk=token.row.pk))

    def authenticate_token(self, request: Any, client: Client) -> HeldToken | None:
        """Return the client's token; None for one that it does not hold, which is no error (RFC 7009, 2.2)."""
        try:
            found: HeldToken | None = super().authenticate_token(request, client)
        except InvalidGrantError:
            return None
        return found
