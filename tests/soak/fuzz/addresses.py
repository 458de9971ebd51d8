"""Addresses: every named pattern of the URL configuration, filled with things of one's own, of others, and with none at all."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize

# Whose things a parameter names; by its name, else by the first part of the address.
BY_NAME = {"entry": "entries", "player": "players", "number": "cases"}
FAMILIES = ["shawinigan", "tock-air", "toc", "tock", "tractor"]
HOSTILE = [
    "0", "-1", "1" * 30, str(2**31), str(2**63), str(2**64), "9" * 5000, "x" * 300, "x" * 3000, "nowhere", "new", "edit",
    "é", "٣", "１", "\u200b", "\u202ex", "a\u0301" * 40, "\x00", "\n", "\r\nX: y", "%", "%2F", "..", "../..", ".", "a.b", "a b",
    "<script>", "'; DROP TABLE accounts_user; --", "{{7*7}}", "%s%n", "null", "true", "1e3", "+1", "01", "\ud800", "🂡",
]  # fmt: skip


@dataclass(frozen=True)
class Route:
    """A pattern: the address with `%(name)s` for each parameter."""

    name: str
    template: str
    parameters: tuple[str, ...]


def _walk(resolver: URLResolver, before: str = "", namespace: str = "") -> Iterator[tuple[str, str]]:
    for entry in resolver.url_patterns:
        regex = before + entry.pattern.regex.pattern.removeprefix("^")  # type: ignore[union-attr]
        if isinstance(entry, URLResolver):
            yield from _walk(entry, regex, f"{namespace}{entry.namespace}:" if entry.namespace else namespace)
        elif isinstance(entry, URLPattern):
            yield f"{namespace}{entry.name or entry.pattern}", regex


@cache
def routes() -> tuple[Route, ...]:
    """Return every route, in the order of the URL configuration."""
    found = []
    for name, regex in _walk(get_resolver()):
        template, parameters = normalize(regex)[0]
        found.append(Route(name, "/" + template, tuple(parameters)))
    return tuple(found)


def value(
    roll: random.Random, route: Route, parameter: str, pools: Mapping[str, Sequence[str]], *, astray: float = 0.16
) -> str:
    """Return a value for a parameter: the name of a thing of the right kind, or, with probability `astray`, anything."""
    if roll.random() < 0.75 * astray:
        return quote(roll.choice(HOSTILE).encode("utf-8", "surrogatepass"), safe=roll.choice(["", "/.%"]))
    first = route.template.removeprefix("/api").removeprefix("/v1").split("/")[1]
    pool: Sequence[str] = pools.get(BY_NAME.get(parameter, first), ())
    if parameter == "number" and first in ("competitions", "matches"):
        pool = ["1", "2", "3"]
    elif parameter == "family":
        pool = FAMILIES
    elif parameter == "name" and first == "rules":
        pool = [*FAMILIES, "open"]
    elif parameter == "key":
        pool = [f"{family}:2" for family in FAMILIES]
    elif parameter == "page":
        pool = [f"{family}-1" for family in FAMILIES]
    elif parameter == "name" and first == "journal":
        pool = [f"competition-{number}" for number in (1, 2, 3)] + ["site", "people", "clubs"]
    elif (
        parameter in ("teams", "subject", "subject_id", "pk", "object_id", "content_type_id") and first != "invitations"
    ):
        pool = ["1", "2", "3", "4", "17"]
    if not pool or roll.random() < 0.25 * astray:
        pool = roll.choice([each for each in pools.values() if each])
    # The oldest things are those of the world, with people of every role around them.
    return quote(pool[min(roll.randrange(len(pool)), roll.randrange(len(pool)))], safe=":")


def path(roll: random.Random, route: Route, pools: Mapping[str, Sequence[str]]) -> str:
    """Return an address of the route."""
    return route.template % {name: value(roll, route, name, pools) for name in route.parameters}


QUERIES = {
    "page": ["-1", "0", "1", "2", "9" * 40, "NaN", "last", "1.5", ""],
    "lang": ["es", "fr-ca", "en", "../..", "xx", "\x00", "é" * 200],
    "next": ["/", "//evil.example/", "https://evil.example/", "javascript:alert(1)", "/\\evil.example", "\r\nX: y", "/x" * 900],
    "q": ["", "a", "%", "\x00", "x" * 2000, "\ud800", "' OR 1=1 --"],
    "o": ["password", "-user__password", "1.2.3", "-99"],
    "ordering": ["user__password", "-secret__seeds", "?"],
    "club": ["club-de-tock-de-shawinigan", "", "nowhere", "\x00"],
    "user__password__startswith": ["scrypt"],
    "user__email__contains": ["@"],
    "password__regex": ["^(a+)+$"],
    "e": ["1"], "p": ["-1", "x"], "_popup": ["1"], "_to_field": ["password", "email", "id"], "_changelist_filters": ["x=%00"],
    "since": ["-1", "0", "1", "9" * 30, "x"], "epoch": ["-1", "0", "9" * 30], "wait": ["0", "-1", "x", "1e9"], "game": ["", "x"],
    "seq": ["-1", "0", "5", str(2**63), "x"], "tab": ["a"], "format": ["json", "api", "xml"], "from": ["2026-02-31", "x"],
}  # fmt: skip


def query(roll: random.Random) -> str:
    """Return a query string with its question mark; usually none."""
    if roll.random() < 0.6:
        return ""
    if roll.random() < 0.1:
        return roll.choice(
            ["?", "?&&==", "?%", "?a[]=1&a[]=2", "?" + "&".join(f"k{n}=1" for n in range(1200)), "?%00=%00"]
        )
    names = roll.choices(sorted(QUERIES), k=roll.choice([1, 1, 2, 3]))
    return "?" + "&".join(
        f"{name}={quote(roll.choice(QUERIES[name]).encode('utf-8', 'surrogatepass'))}" for name in names
    )


def without_line_ends(target: str) -> str:
    """Return the address as one word, as the first line of a request needs it."""
    return re.sub(r"[\s\x00-\x1f]", "", target)
