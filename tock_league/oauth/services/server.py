"""The authorization server: Authlib's protocol, on our rows (decision 0055)."""

import base64
import binascii
from typing import Any

from authlib.integrations.django_oauth2 import AuthorizationServer
from authlib.integrations.django_oauth2.requests import DjangoOAuth2Request
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.base import invalid_error_characters
from authlib.oauth2.rfc6749 import InvalidClientError, InvalidRequestError, OAuth2Payload, UnsupportedResponseTypeError
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc9207 import IssuerParameter
from django.http import HttpRequest, HttpResponse, QueryDict

from tock_league.accounts import tokens
from tock_league.accounts.models import User
from tock_league.common import clock, limits
from tock_league.common.address import site_url
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing

from ..models import Access, Application, Issued, Refresh
from .accesses import TOKEN_LASTS, UNUSED
from .clients import CLIENT_ID, SCOPES, Client
from .grants import Challenge, CodeGrant, RefreshGrant, Revocation

REFRESH_PREFIX = "tock_refresh_"
SECRET_LENGTH = 48  # random characters: 237 bits
LONGEST = 1000  # characters of a parameter
ISSUED_A_MINUTE = 300  # pairs of tokens of one application


class TooOften(OAuth2Error):
    """The application has got too many tokens in this minute."""

    error = "temporarily_unavailable"
    description = "Too many requests. Try again in a minute."
    status_code = 429


class Payload(OAuth2Payload):
    """The parameters of a request: of the address at the authorization endpoint, of the body at the others, never of both.

    Empty ones count as missing (RFC 6749, 3.1 and 3.2).
    """

    datalist: Any = None
    data: Any = None

    def __init__(self, given: QueryDict) -> None:
        self.datalist = {name: values for name, values in given.lists() if any(values)}
        self.data = {name: values[-1] for name, values in self.datalist.items()}


class Asked(DjangoOAuth2Request):
    """A request to one of the endpoints. Raises InsecureTransportError for plain http, except on the own computer."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        at_authorize = request.resolver_match is not None and request.resolver_match.url_name == "authorize"
        self.payload = Payload(request.GET if at_authorize else request.POST)


class Issuer(IssuerParameter):
    """The parameter `iss` in every answer that goes through the browser (RFC 9207)."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer

    def get_issuer(self) -> str:
        return self.issuer


class Server(AuthorizationServer):
    """Authlib's server. Its tables are ours, and so are its settings: nothing of them is in the settings of the site."""

    def __init__(self) -> None:
        super().__init__(Application, Access)
        self.register_grant(CodeGrant, [Challenge(required=True)])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revocation)

    def load_config(self, config: Any) -> None:
        self.scopes_supported = SCOPES
        generator = BearerTokenGenerator(
            lambda **_more: tokens.PREFIX + new_slug(SECRET_LENGTH),
            lambda **_more: REFRESH_PREFIX + new_slug(SECRET_LENGTH),
            int(TOKEN_LASTS.total_seconds()),
        )
        self.register_token_generator("default", generator)

    def create_oauth2_request(self, request: HttpRequest | Asked) -> Asked:
        return request if isinstance(request, Asked) else Asked(request)

    def get_authorization_grant(self, request: Asked) -> Any:
        try:
            return super().get_authorization_grant(request)
        except UnsupportedResponseTypeError as error:  # Authlib puts a whole sentence where the type belongs
            kind, where = request.payload.response_type, error.redirect_uri
            if not kind:
                raise InvalidRequestError("Missing 'response_type' in request.", redirect_uri=where) from None
            raise UnsupportedResponseTypeError(kind, redirect_uri=where) from None

    def query_client(self, client_id: str) -> Client | None:
        """Return the application if it may ask for anything now. One query."""
        if not CLIENT_ID.fullmatch(client_id):
            return None
        found = Application.objects.select_related("owner").filter(
            client_id=client_id, suspended_at__isnull=True, owner__user__is_active=True
        )
        row = found.first()
        return Client(row) if row is not None else None

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        """Write an access token and the refresh token that follows it."""
        former = request.authorization_code or request.refresh_token
        access, now = former.row.access, clock.now()
        application = request.client.application
        if limits.take(f"oauth:issued:{application.pk}", count=ISSUED_A_MINUTE, seconds=60).refused:
            raise TooOften
        access.used_at, access.expires_at = now, min(now + UNUSED, access.ends_at)
        access.save(update_fields=["used_at", "expires_at"])
        scopes = token["scope"].split()
        made = tokens.issue(
            user=access.user, name=application.name, scopes=scopes, lasts=TOKEN_LASTS, secret=token["access_token"]
        )
        Issued.objects.create(token=made, access=access, line=former.row.line)
        Refresh.objects.create(
            access=access,
            digest=tokens.digest(token["refresh_token"]),
            line=former.row.line,
            scopes=former.row.scopes,
            created_at=now,
            expires_at=access.expires_at,
        )

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Send nothing: nobody listens."""


SERVER = Server()


def consent_asked(request: HttpRequest, user: User) -> Any:
    """Return the checked grant of an authorization request.

    Raises OAuth2Error; one with `redirect_uri` is told to the application (`told`), others to the person.
    """
    asked = Asked(request)
    try:
        _check(asked)
    except OAuth2Error as error:
        _redirect_if_known(error, asked)
        raise
    return SERVER.get_consent_grant(asked, user)


def _redirect_if_known(error: OAuth2Error, asked: Asked) -> None:
    """Let an error be told to the application where both it and its address are beyond doubt."""
    given = asked.payload.datalist
    if any(len(given.get(name, ())) != 1 for name in ("client_id", "redirect_uri")):
        return
    client = SERVER.query_client(asked.payload.client_id)
    if client is not None and client.check_redirect_uri(asked.payload.redirect_uri):
        error.redirect_uri = asked.payload.redirect_uri
        states = given.get("state", ())
        error.state = states[0] if len(states) == 1 and len(states[0]) <= LONGEST else None


def decided(grant: Any, request: HttpRequest, user: User, *, allowed: bool) -> HttpResponse:
    """Return the redirect to the application, with a code where the person has allowed it, else with `access_denied`."""
    with writing():
        answer = SERVER.create_authorization_response(grant.request, grant_user=user if allowed else None, grant=grant)
    return _with_issuer(answer, request)


def told(error: OAuth2Error, request: HttpRequest) -> HttpResponse:
    """Return an error as the redirect to the application that its `redirect_uri` names."""
    return _with_issuer(SERVER.handle_error_response(None, error), request)


def token_answer(request: HttpRequest) -> HttpResponse:
    """Return the answer of the token endpoint. What a refused request ends stays ended: the error is an answer."""
    try:
        asked = _of_client(request)
        with writing():
            answer = SERVER.create_token_response(asked)
    except OAuth2Error as error:
        answer = SERVER.handle_error_response(None, error)
    return answer


def revocation_answer(request: HttpRequest) -> HttpResponse:
    """Return the answer of the revocation endpoint."""
    try:
        asked = _of_client(request)
        with writing():
            answer = SERVER.create_endpoint_response(Revocation.ENDPOINT_NAME, asked)
    except OAuth2Error as error:
        answer = SERVER.handle_error_response(None, error)
    return answer


def issuer(request: HttpRequest) -> str:
    """Return the name of this authorization server (RFC 8414)."""
    return site_url(request)


def _with_issuer(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    if "Location" in answer:
        moved = _Moved(answer["Location"])
        Issuer(issuer(request)).add_issuer_parameter(SERVER, moved)
        answer["Location"] = moved.location
    return answer


class _Moved:
    """The part of an answer that Authlib's IssuerParameter changes; Django's answers have no such attribute."""

    def __init__(self, location: str) -> None:
        self.location = location


def _of_client(request: HttpRequest) -> Asked:
    """Return a request of an application itself. Raises OAuth2Error unless it shows who it is in one way at most."""
    asked = Asked(request)
    _check(asked)
    header = request.headers.get("Authorization", "")
    if header:
        _require_readable(header)
        if "client_secret" in asked.payload.data:
            raise InvalidRequestError("The client shows its secret in two ways.")
    return asked


def _check(asked: Asked) -> None:
    """Raise InvalidRequestError unless each parameter is given once, and has a length and characters that an error or a
    redirect can repeat.
    """
    for name, values in asked.payload.datalist.items():
        if len(values) > 1:
            raise InvalidRequestError("A parameter is given more than once.")
        if len(values[0]) > LONGEST:
            raise InvalidRequestError("A parameter is too long.")
        if name != "state" and invalid_error_characters(values[0]):
            raise InvalidRequestError("A parameter has characters that it may not have.")


def _require_readable(header: str) -> None:
    """Raise InvalidClientError unless the header is `Basic` and holds text."""
    kind, _space, encoded = header.partition(" ")
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("ascii")
    except (binascii.Error, UnicodeError, ValueError):
        text = ""
    if kind.lower() != "basic" or ":" not in text:
        raise InvalidClientError(status_code=401, description="The header is not 'Basic' with name and secret.")
