"""The style sheets as parsed rules, for the tests of their form."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tinycss2
from tinycss2 import color4

from .source import ROOT

LOOK = ROOT / "static" / "look"
LAYERS = ("tokens", "base", "layout", "components", "pages", "utilities")


@dataclass(frozen=True)
class Declaration:
    """One `name: value;` with the rule's selectors and its line; `tokens` are those of the value, with functions as one
    token."""

    selectors: str
    name: str
    tokens: tuple[Any, ...]
    line: int


def nodes(sheet: str) -> list[Any]:
    """Return the top-level rules and comments of the text. Raises AssertionError where it cannot be parsed."""
    found = tinycss2.parse_stylesheet(sheet, skip_whitespace=True)
    errors = [f"line {node.source_line}: {node.message}" for node in found if node.type == "error"]
    assert not errors, errors
    return found


def rules(sheet: str) -> Iterator[Any]:
    """Yield every style rule, those of media queries and keyframes too, and every `@font-face`."""
    yield from _rules(nodes(sheet))


def _rules(found: list[Any]) -> Iterator[Any]:
    for node in found:
        if node.type == "qualified-rule" or (node.type == "at-rule" and node.lower_at_keyword == "font-face"):
            yield node
        elif node.type == "at-rule" and node.content is not None:
            yield from _rules(tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True))


def declarations(sheet: str) -> Iterator[Declaration]:
    """Yield every declaration, in the order of the text. Raises AssertionError where one cannot be parsed."""
    for rule in rules(sheet):
        selectors = tinycss2.serialize(rule.prelude).strip()
        for node in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            assert node.type == "declaration", f"line {node.source_line}: {getattr(node, 'message', node.type)}"
            yield Declaration(selectors, node.name, tuple(node.value), node.source_line)


def within(tokens: Any) -> Iterator[Any]:
    """Yield the tokens and, at each depth, those of functions and brackets."""
    for token in tokens:
        yield token
        yield from within(getattr(token, "arguments", None) or getattr(token, "content", None) or ())


def is_colour(token: Any) -> bool:
    """Return whether the token is a literal colour, such as `#fff`, `red` and `rgb(...)`; `currentcolor` is not."""
    if token.type not in ("hash", "ident", "function"):
        return False
    found = color4.parse_color(token)
    return found is not None and found != "currentcolor" and getattr(token, "lower_value", "") != "transparent"


def components() -> list[Path]:
    """Return the sheets with rules: all but the bundles."""
    return sorted(path for path in LOOK.rglob("*.css") if path not in bundles())


def bundles() -> list[Path]:
    """Return the sheets that import components."""
    return sorted(path for path in LOOK.glob("*.css") if "@import" in path.read_text(encoding="utf-8"))
