"""An application of somebody else, a person whom it asks, and the program that does its part of the dance."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.account.internal.flows import login
from django.test import Client

from tests.accounts.signing import a_player
from tock_league.accounts.models import Player
from tock_league.accounts.services import choose_language
from tock_league.accounts.sessions import owner_mark
from tock_league.common import clock
from tock_league.oauth import services
from tock_league.oauth.models import Application

SITE = "https://testserver"
RETURN = "https://quilles.example.org/retour"
WEBSITE = "https://quilles.example.org"


def a_browser(player: Player | None, *, fresh: bool = True) -> Client:
    """Return the browser of a person who has signed in, just now unless `fresh` is False."""
    client = Client(headers={"accept-language": "en"})
    if player is not None:
        client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
        session = client.session
        at = clock.now().timestamp() - (0 if fresh else 3600)
        session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": at}]
        session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(player.user.pk)
        session.save()
    return client


def an_application(owner: Player, *, kind: str = "confidential", name: str = "Quilles", **more: Any) -> services.Made:
    values: dict[str, Any] = {
        "website": WEBSITE,
        "description": "Affiche vos parties de tock à côté de vos quilles.",
        "redirects_to": [RETURN],
        **more,
    }
    return services.register(by=owner, name=name, kind=kind, **values)


@dataclass
class Program:
    """What the other site does: it asks, takes the answer, and changes codes and refresh tokens for tokens."""

    made: services.Made
    redirect: str = RETURN
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    state: str = "etat-1"
    tokens: dict[str, Any] = field(default_factory=dict)

    @property
    def application(self) -> Application:
        return self.made.application

    def asks(self, scope: str = "read play", **changed: Any) -> dict[str, Any]:
        """Return the parameters of an authorization request; a None leaves one out."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.application.client_id,
            "redirect_uri": self.redirect,
            "scope": scope,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            **changed,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def address(self, scope: str = "read play", **changed: Any) -> str:
        return f"/oauth/authorize?{urlencode(self.asks(scope, **changed), doseq=True)}"

    def send(self, where: str = "token", *, basic: bool = True, headers: Any = None, **body: Any) -> Any:
        """Return the answer to a request of the program itself: with its secret in the header, or in the body."""
        client = Client(headers=headers or {}, raise_request_exception=False)
        if self.made.secret and basic:
            pair = f"{self.application.client_id}:{self.made.secret}"
            client = Client(headers={"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"})
        elif self.made.secret:
            body = {"client_id": self.application.client_id, "client_secret": self.made.secret, **body}
        else:
            body = {"client_id": self.application.client_id, **body}
        return client.post(f"/oauth/{where}", {k: v for k, v in body.items() if v is not None}, secure=True)

    def change(self, code: str, **changed: Any) -> Any:
        """Return the answer to a code."""
        body = {"redirect_uri": self.redirect, "code_verifier": self.verifier, **changed}
        answer = self.send(grant_type="authorization_code", code=code, **body)
        if answer.status_code == 200:
            self.tokens = answer.json()
        return answer

    def refresh(self, refresh_token: str = "", **more: Any) -> Any:
        """Return the answer to a refresh token, the last one unless it is given."""
        token = refresh_token or self.tokens["refresh_token"]
        answer = self.send(grant_type="refresh_token", refresh_token=token, **more)
        if answer.status_code == 200:
            self.tokens = answer.json()
        return answer

    def connect(self, player: Player, scope: str = "read play") -> dict[str, Any]:
        """Let the person allow the request, change the code, and return the tokens."""
        code = answered(press(a_browser(player), self.address(scope), player))["code"]
        assert self.change(code).status_code == 200
        return self.tokens


def press(browser: Client, address: str, player: Player, decision: str = "allow") -> Any:
    """Press a button of the consent page."""
    return browser.post(address, {"decision": decision, "owner": owner_mark(player.user)}, secure=True)


def answered(answer: Any) -> dict[str, str]:
    """Return what the redirect to the application says."""
    assert answer.status_code == 302, answer.content.decode()[:500]
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


def me(token: str) -> Any:
    """Return what the API says to a token."""
    return Client(headers={"authorization": f"Bearer {token}", "accept-language": "en"}).get("/api/v1/me")


def two_people() -> tuple[Player, Player]:
    """Return the owner of an application and somebody whom it asks."""
    people = a_player("Sylvain Otis", "sylvain@example.org"), a_player("Martine Gélinas", "martine@example.org")
    for player in people:
        choose_language(by=player, player=player, language="en")
    return people
