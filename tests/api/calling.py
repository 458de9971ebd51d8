"""Calling the API as a program does, and judging its answers by the OpenAPI document."""

import secrets
from collections.abc import Collection
from functools import cache
from typing import Any

from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from tock_league.accounts import tokens
from tock_league.accounts.models import Player, Token, User
from tock_league.accounts.services import create_user
from tock_league.api import schema

ALL = tuple(Token.Scope.values)


def login_of(player: Player) -> User:
    """Return the player's login; a new one where there is none."""
    if player.user is None:
        user = create_user(email=f"{player.slug}@example.org")
        Player.objects.filter(pk=player.pk).update(user=user)
        player.user = user
    return player.user


def a_token(player: Player, scopes: Collection[str] = ALL, *, days: int = 30) -> tokens.Made:
    return tokens.make(by=login_of(player), name="Programme", scopes=scopes, days=days)


def caller(player: Player | None = None, scopes: Collection[str] = ALL, **headers: str) -> Client:
    """Return a client that shows a token of `player`; a visitor's for None."""
    if player is not None:
        headers["authorization"] = f"Bearer {a_token(player, scopes).secret}"
    return Client(raise_request_exception=False, headers={"accept-language": "en", **headers})


def code(answer: Any) -> str:
    """Return the code of a problem, whose shape is checked."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    body = answer.json()
    assert set(body) >= {"type", "title", "status", "detail", "code", "field"}
    assert body["status"] == answer.status_code
    assert body["detail"]
    return str(body["code"])


@cache
def document() -> dict[str, Any]:
    return schema.made()


def fits(answer: Any, address: str, method: str = "get") -> None:
    """Assert that an answer is one that the document promises for `address`, as it is written there."""
    told = document()["paths"][address][method]["responses"]
    assert str(answer.status_code) in told, f"{address}: {answer.status_code} is not documented"
    promised = told[str(answer.status_code)]
    if "$ref" in promised:
        promised = document()["components"]["responses"][promised["$ref"].rsplit("/", 1)[-1]]
    for kind, content in promised.get("content", {}).items():
        assert answer["Content-Type"] == kind
        whole = {**content["schema"], "components": document()["components"]}
        Draft202012Validator(whole, format_checker=FormatChecker()).validate(answer.json())


def send(client: Client, address: str, body: Any = None, *, method: str = "post", key: str = "") -> Any:
    """Send a write below /api/v1/, with a key of its own unless one is given; its answer must be a documented one."""
    headers = {"idempotency-key": key or secrets.token_hex(8)}
    if method == "get":
        answer = client.get(f"/api/v1/{address}")
    else:
        answer = getattr(client, method)(f"/api/v1/{address}", body, "application/json", headers=headers)
    fits(answer, path_of(address), method)
    return answer


def path_of(address: str) -> str:
    """Return the path of the document that an address fits, the one with the fewest parameters."""
    parts = f"/api/v1/{address}".split("?")[0].split("/")
    found = [
        path
        for path in document()["paths"]
        if len(path.split("/")) == len(parts)
        and all(a == b or a.startswith("{") for a, b in zip(path.split("/"), parts, strict=True))
    ]
    assert found, address
    return min(found, key=lambda path: path.count("{"))
