"""The OpenAPI 3.1 document: made from the endpoints, checked in as docs/api/openapi.json, served at /api/v1/schema."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS

from tock_league.accounts.models import Token

from . import described

FIELDS = OpenApiParameter(
    "fields", str, description="Only these fields of each result, with commas between; the others are then missing."
)
PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "An error (RFC 9457), with the code that pages and sockets use.",
    "required": ["type", "title", "status", "detail", "code", "field"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, in the caller's language."},
        "code": {"type": "string", "description": "A stable word for programs."},
        "field": {"type": ["string", "null"], "description": "The parameter, header or key at fault."},
        "errors": {"type": "array", "items": {"type": "object"}},
        "details": {"type": "object"},
    },
}
PATHS = {
    "slug": "The word by which addresses name it.",
    "id": "Its number.",
    "name": "The name of a stream: open, or competition:<slug>.",
    "key": "A rule set's family and the number of teams, such as shawinigan:2.",
    "number": "The number of a case, such as TL-2026-000123.",
    "code": "The code of a casual table.",
    "page": "A rule set in addresses, such as shawinigan-1.",
}
READ_PROBLEMS = {
    "400": "A parameter or cursor is wrong.",
    "401": "The token opens nothing, or a login is needed.",
    "403": "The token lacks the scope, or the person the right.",
    "404": "It does not exist, or the caller may not know that it does.",
    "406": "Ask for application/json.",
    "429": "Too many calls; see Retry-After.",
}
WRITE_PROBLEMS = READ_PROBLEMS | {
    "409": "It has changed in the meantime.",
    "413": "The body is too large.",
    "415": "Send application/json.",
    "422": "It is refused; the code says by which rule.",
}
PREVIEW = re.compile(r"schemas/(Ruling)?Preview\b")
PLAY_PROBLEMS = {
    "409": "The command is refused, or another request of the token waits in its place.",
    "413": "The body is too large.",
    "503": "The server is busy or restarts; see Retry-After.",
}
INTRODUCTION = """\
Everything public of this site, and what you may do yourself, for programs. See docs/api.md.

Lists are pages: follow `next`. `fields` chooses fields. Errors are problem details with a `code`. Answers have an `ETag`; send
it back as `If-None-Match`. Addresses in answers are relative to the site. Times are in UTC.
"""


SECURITY: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal access token, or that of a bot account."},
    "oauth2": {
        "type": "oauth2",
        "description": "The token of an application that its person permits. PKCE with S256 is required. See docs/oauth.md.",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": "/oauth/authorize",
                "tokenUrl": "/oauth/token",
                "refreshUrl": "/oauth/token",
                "scopes": {
                    "read": "Read what the person may see.",
                    "play": "Act as a player or captain.",
                    "manage": "Do what the offices of the person allow.",
                },
            }
        },
    },
}


def secured(scope: str, *, needed: bool) -> list[dict[str, list[str]]]:
    """Return who may call an operation: with a token of that scope, and without one unless it is `needed`."""
    tokens: list[dict[str, list[str]]] = [{"token": []}, {"oauth2": [str(scope)]}]
    return tokens if needed else [{}, *tokens]


class Schema(AutoSchema):
    """What every endpoint has."""

    def get_override_parameters(self) -> list[Any]:
        if self.method != "GET":
            return []
        names = getattr(self.view, "expands", {}).get(getattr(self.view, "action", ""), ())
        text = f"Related objects that are told whole, with commas between: {', '.join(names)}."
        return [FIELDS, *([OpenApiParameter("expand", str, description=text)] if names else [])]

    def get_auth(self) -> list[dict[str, Any]]:
        needed = self.method not in SAFE_METHODS or getattr(self.view, "needs_login", False)
        scope = Token.Scope.READ if self.method in SAFE_METHODS else getattr(self.view, "write_scope", "")
        return secured(scope or Token.Scope.READ, needed=needed)

    def get_operation_id(self) -> str:
        return f"{type(self.view).__name__.lower()}_{getattr(self.view, 'action', '')}"

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        """Return the docstring; of a write with the scope that a token needs."""
        text = str(super().get_description())
        scope = getattr(self.view, "write_scope", "") if self.method not in SAFE_METHODS else ""
        return f"{text} Needs the scope `{scope}`." if scope else text

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]


def finished(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Add to every operation the problems that it may answer with, and what is not known to the generator."""
    result["info"]["description"] = INTRODUCTION
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    result["components"]["schemas"] |= described.components()
    result["paths"] = dict(sorted((result["paths"] | described.paths()).items()))
    result["components"]["responses"] = {f"Problem{status}": _problem(text) for status, text in WRITE_PROBLEMS.items()}
    result["components"]["securitySchemes"] = SECURITY
    for path in result["paths"].values():
        for method, operation in path.items():
            is_play = method != "get"  # what is described by hand: play over HTTP
            operation.setdefault("security", secured(Token.Scope.PLAY if is_play else Token.Scope.READ, needed=is_play))
            for parameter in operation.get("parameters", ()):
                if not parameter.get("required", True):
                    del parameter["required"]  # what is not said is not required
                if parameter["in"] == "path":
                    parameter.setdefault("description", PATHS.get(parameter["name"], ""))
            # A preview runs the deed, and is refused as the deed would be.
            is_read = method == "get" and not PREVIEW.search(json.dumps(operation["responses"]))
            for status in READ_PROBLEMS if is_read else WRITE_PROBLEMS:
                operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
            if "play" in operation["tags"]:
                operation["responses"] |= {status: _problem(text) for status, text in PLAY_PROBLEMS.items()}
            elif method == "get":
                operation["responses"]["304"] = {"description": "It is what the caller has."}
    _share_parameters(result)
    return result


def _share_parameters(result: dict[str, Any]) -> None:
    """Write each parameter that several operations have once, among the components, and refer to it."""
    operations = [operation for path in result["paths"].values() for operation in path.values()]
    texts = Counter(
        json.dumps(parameter, sort_keys=True)
        for operation in operations
        for parameter in operation.get("parameters", ())
    )
    shared: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    # The most frequent one of a name bears it; the order of equals does not depend on that of the endpoints.
    for text, count in sorted(texts.items(), key=lambda each: (-each[1], each[0])):
        if count > 1:
            parameter = json.loads(text)
            base = re.sub(r"\W", "", parameter["name"])
            name = next(one for one in (base, *(f"{base}{number}" for number in range(2, 100))) if one not in shared)
            shared[name], names[text] = parameter, name
    result["components"]["parameters"] = shared
    for operation in operations:
        for at, parameter in enumerate(operation.get("parameters", ())):
            if (text := json.dumps(parameter, sort_keys=True)) in names:
                operation["parameters"][at] = {"$ref": f"#/components/parameters/{names[text]}"}


def resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return what a part of the document refers to; the part itself where it refers to nothing."""
    found: dict[str, Any] = part
    if reference := str(part.get("$ref", "")):
        found = document
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
    return found


def _problem(text: str) -> dict[str, Any]:
    body = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": text, "content": body}


def made() -> dict[str, Any]:
    """Return the document as the code makes it, in English."""
    with translation.override("en"):
        return json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))


def text() -> str:
    """Return the document as the file holds it."""
    return json.dumps(made(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def path() -> Path:
    """Return where the document is checked in."""
    return Path(settings.ROOT) / "docs" / "api" / "openapi.json"


@cache
def stored() -> bytes:
    """Return the document that is checked in."""
    return path().read_bytes()
