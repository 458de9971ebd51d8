"""Collect every translatable text from the source without the gettext programs, which not every machine has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize

from .source import ROOT, modules

# The names of these functions, however they are imported; the last name of an attribute chain counts
# (`translation.gettext`).
SINGLE = {"gettext", "gettext_lazy", "gettext_noop", "_", "ugettext"}
PLURAL = {"ngettext", "ngettext_lazy"}
CONTEXT = {"pgettext", "pgettext_lazy"}
CONTEXT_PLURAL = {"npgettext", "npgettext_lazy"}
CONTEXT_MARK = "\x04"  # gettext's separator between context and text

STRING = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
JS_CALL = re.compile(
    rf"\b(gettext|ngettext|pgettext|npgettext|_)\(\s*({STRING}(?:\s*\+\s*{STRING})*)\s*(?:,\s*({STRING}))?(?:\s*,\s*({STRING}))?"
)


def from_call(function: str, words: list[str | None]) -> str | None:
    """Return the key of a call's text in a catalogue, None when the call translates nothing.

    `words`: the first arguments, None for an argument that is not a constant.
    """
    name = function.rsplit(".", 1)[-1]
    if name in SINGLE | PLURAL:
        return words[0] if words else None
    if name in CONTEXT | CONTEXT_PLURAL and len(words) > 1 and None not in words[:2]:
        return f"{words[0]}{CONTEXT_MARK}{words[1]}"
    return None


def constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def of_tree(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield the texts of a Python tree with their calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if key := from_call(name, [constant(argument) for argument in node.args]):
                yield node, key


def of_python() -> dict[str, str]:
    """Return text -> place for the Python code."""
    return {key: module.at(call) for module in modules() for call, key in of_tree(module.tree)}


def of_templates() -> dict[str, str]:
    """Return text -> place for the templates, by Django's own reader of template tags."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt"}:
            for key in of_template(path.read_text(encoding="utf-8")):
                found.setdefault(key, str(path.relative_to(ROOT)))
    return found


def of_template(text: str) -> Iterator[str]:
    """Yield the texts of one template.

    `templatize` returns a text in which the tags are replaced by calls (`gettext(u'...')`) and everything else is
    crossed out.
    """
    for found in re.finditer(rf"\b(n?p?gettext)\(\s*u?({STRING})(?:\s*,\s*u?({STRING}))?", templatize(text)):
        words = [ast.literal_eval(word) if word else None for word in found.groups()[1:]]
        if key := from_call(found[1], words):
            yield key


def of_scripts() -> dict[str, str]:
    """Return text -> place for the page's scripts (catalogue `djangojs`)."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "static").rglob("*.js")):
        for key in of_script(path.read_text(encoding="utf-8")):
            found.setdefault(key, str(path.relative_to(ROOT)))
    return found


def of_script(text: str) -> Iterator[str]:
    """Yield the texts of one script; strings joined by `+` are one text."""
    for found in JS_CALL.finditer(text):
        first = "".join(ast.literal_eval(piece) for piece in re.findall(STRING, found[2]))
        words = [first, *(ast.literal_eval(word) if word else None for word in found.groups()[2:])]
        if key := from_call("gettext" if found[1] == "_" else found[1], words):
            yield key


def sources() -> dict[str, dict[str, str]]:
    """Return the texts of the two catalogues: domain -> text -> place."""
    return {"django": of_python() | of_templates(), "djangojs": of_scripts()}


def catalogue(language: str, domain: str) -> Path:
    """Return the path of the catalogue of `language` ("fr-ca" is kept under "fr"), without its suffix."""
    return ROOT / "locale" / language.split("-")[0] / "LC_MESSAGES" / domain
