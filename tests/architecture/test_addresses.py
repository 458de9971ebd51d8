"""Every named address resolves, and every name that code or a template uses exists."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.urls.converters import get_converters

from .source import ROOT, calls, modules

# One value for each path converter; a new converter needs a line here.
SAMPLES = {"int": 7, "str": "abc", "slug": "abcd2345", "path": "a/b", "uuid": "5f0c0001-6d1e-4a7e-9a51-3c1f5d2e9b01"}
OURS = (
    "common",
    "accounts",
    "clubs",
    "competitions",
    "pages",
    "games",
    "ratings",
    "journal",
    "notices",
    "arbitration",
    "incidents",
    "integrity",
    "calendars",
    "exports",
    "imports",
    "newcomers",
    "api",
    "oauth",
    "webhooks",
    "feed",
    "hall",
)
URL_TAG = re.compile(r"""{%\s*url\s+["']([\w:.-]+)["']""")
REVERSERS = {"reverse", "reverse_lazy", "redirect", "resolve_url", "urls.reverse"}


def named(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield every named pattern below `resolver` with its full name."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from named(entry, f"{namespace}{entry.namespace}:" if entry.namespace else namespace)
        elif entry.name:
            yield namespace + entry.name, entry


def all_names() -> dict[str, URLPattern]:
    return dict(named(get_resolver()))


def samples(pattern: URLPattern) -> dict[str, object]:
    """Return a value for each parameter of an address of this project."""
    known = {type(converter): name for name, converter in get_converters().items()}
    values: dict[str, object] = {}
    for part, converter in pattern.pattern.converters.items():
        name = known[type(converter)]
        values[part] = getattr(converter, "sample", None) or SAMPLES[name]
    return values


def test_every_app_brings_addresses() -> None:
    assert {name.split(":")[0] for name in all_names() if ":" in name} >= set(OURS)


def test_a_named_address_leads_back_to_its_name() -> None:
    ours = {name: pattern for name, pattern in all_names().items() if name.split(":")[0] in OURS}
    # Patterns of regular expressions have no samples.
    addresses = {
        name: reverse(name, kwargs=samples(pattern))
        for name, pattern in ours.items()
        if pattern.pattern.converters or not getattr(pattern.pattern, "regex", re.compile("")).groups
    }
    assert len(addresses) > 250
    assert {name: address for name, address in addresses.items() if resolve(address).view_name != name} == {}


def used_names() -> Iterator[tuple[str, str]]:
    """Yield every constant URL name in templates and code, with its place."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for found in URL_TAG.finditer(path.read_text(encoding="utf-8")):
            yield found[1], str(path.relative_to(ROOT))
    for module in modules():
        for call, function in calls(module):
            first = call.args[0] if call.args else None
            text = first.value if isinstance(first, ast.Constant) else None
            if function in REVERSERS and isinstance(text, str) and text and "/" not in text:
                yield text, module.at(call)


def test_every_name_that_is_used_exists() -> None:
    names, used = set(all_names()), list(used_names())
    assert used
    assert [f"{where}: {name}" for name, where in used if name not in names] == []


def test_a_missing_name_is_found() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("pages:nowhere")
    assert "pages:nowhere" not in all_names()
