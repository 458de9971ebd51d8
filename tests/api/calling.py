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
    for kind, validator in promised(address, method, answer.status_code):
        assert answer["Content-Type"] == kind
        validator.validate(answer.json())


@cache
def promised(address: str, method: str, status: int) -> list[tuple[str, Any]]:
    """Return the content types that the document promises for an answer, each with its validator."""
    told = document()["paths"][address][method]["responses"]
    assert str(status) in told, f"{address}: {status} is not documented"
    found = told[str(status)]
    if "$ref" in found:
        found = document()["components"]["responses"][found["$ref"].rsplit("/", 1)[-1]]
    return [
        (kind, Draft202012Validator({**content["schema"], **parts()}, format_checker=FormatChecker()))
        for kind, content in found.get("content", {}).items()
    ]


@cache
def parts() -> dict[str, Any]:
    return {"components": {"schemas": document()["components"]["schemas"]}}


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
