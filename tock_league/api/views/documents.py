"""The OpenAPI document, and a page that shows it. Neither needs a login."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.live import asyncapi

from .. import schema


@require_safe
def document(request: HttpRequest) -> HttpResponse:
    """Return the document as it is checked in."""
    response = HttpResponse(schema.stored(), content_type="application/vnd.oai.openapi+json;version=3.1")
    response["Cache-Control"] = "public, max-age=300"
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def sockets(request: HttpRequest) -> HttpResponse:
    """Return the AsyncAPI document of the table's socket as it is checked in."""
    response = HttpResponse(asyncapi.stored(), content_type="application/vnd.aai.asyncapi+json;version=3.0.0")
    response["Cache-Control"] = "public, max-age=300"
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def console(request: HttpRequest) -> HttpResponse:
    """Show every endpoint with its parameters and fields. Without scripts: it opens what a link can open."""
    made: dict[str, Any] = json.loads(schema.stored())
    groups: dict[str, list[dict[str, Any]]] = {}
    for address, path in made["paths"].items():
        for method, operation in path.items():
            shown = {
                "method": method.upper(),
                "address": address,
                "can_open": method == "get" and "{" not in address,
                "text": operation.get("description", ""),
                "parameters": [schema.resolved(made, one) for one in operation.get("parameters", ())],
                "body": _body(made, operation),
                "fields": _fields(made, operation),
            }
            groups.setdefault(operation["tags"][0], []).append(shown)
    return render(request, "api/console.html", {"groups": groups, "version": made["info"]["version"]})


def _body(made: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of the body that an operation takes; none without one."""
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    found = schema.resolved(made, sent)
    needed = found.get("required", ())
    return [
        {"name": name, "is_needed": name in needed, **schema.resolved(made, told)}
        for name, told in found.get("properties", {}).items()
    ]


def _fields(made: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of what an operation answers, of each result where that is a page."""
    answers = operation["responses"]
    ok = (
        (answers.get("200") or answers.get("201") or {})
        .get("content", {})
        .get("application/json", {})
        .get("schema", {})
    )
    found = schema.resolved(made, ok)
    if "results" in found.get("properties", {}):
        found = schema.resolved(made, found["properties"]["results"]["items"])
    return [{"name": name, **schema.resolved(made, told)} for name, told in found.get("properties", {}).items()]
