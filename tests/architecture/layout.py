"""The layout of a template: the rules for HTML, which Djade does not check because it formats only Django's tags."""

import re
from collections.abc import Iterator
from pathlib import Path

from .source import ROOT

TEMPLATES = ROOT / "templates"
WIDTH = 120
INDENT = 2
# A line that is one translated sentence may be longer.
SENTENCE = re.compile(r"\s*{% translate [^%]*%}")
BLOCK_LEVEL = (
    "article|aside|blockquote|body|caption|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|h[1-6]|head|header|hr"
    "|html|legend|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
OPENED = re.compile(rf"<(?:{BLOCK_LEVEL})(?=[\s>]|$)")
DJANGO_OPENS = {"block", "blocktranslate", "comment", "element", "for", "if", "language", "slot", "with"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source"}
COMMENT = re.compile(r"{#.*?#}")
PIECE = re.compile(
    r"{%\s*(?P<django>\w+).*?%}|{{.*?}}|</(?P<closed>[\w-]+)>|<(?P<opened>[a-zA-Z][\w-]*)|(?P<end>/?>)|(?P<quote>\")"
)
# The end of something that began on an earlier line has the indentation of that line.
ENDS = re.compile(r"""</|{%\s*(?:end\w+|else|elif|empty|plural)\b|/?>|"$""")


def paths() -> list[Path]:
    """Return every template that is HTML, ordered by path."""
    return sorted(TEMPLATES.rglob("*.html"))


def too_long(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line longer than WIDTH that is not a translated sentence."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH and not SENTENCE.fullmatch(line):
            yield number, line


def crowded(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that opens more than one block-level element."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(OPENED.findall(COMMENT.sub("", line))) > 1:
            yield number, line


def askew(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not indented by INDENT spaces for each open construct.

    An open construct is an element, one of Django's block tags, an opening tag or an attribute's value over several
    lines.
    """
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        found = len(line) - len(line.lstrip(" "))
        if found != INDENT * (len(inside) - bool(ENDS.match(line.lstrip()))):
            yield number, line
        for piece in PIECE.finditer(COMMENT.sub("", line)):
            _enter_or_leave(piece, inside)


def _enter_or_leave(piece: re.Match[str], inside: list[str]) -> None:
    """Update `inside`: "tag" of Django, `<name` for an opening tag, `value` in quotes, `name` for an element."""
    opening = next((entry for entry in reversed(inside) if entry.startswith("<")), "")
    if name := piece["django"]:
        if name in DJANGO_OPENS:
            inside.append("tag")
        elif name.startswith("end"):
            inside.pop()
    elif opening and piece["quote"]:
        if "value" in inside:
            inside.pop()
        else:
            inside.append("value")
    elif opening and piece["end"] and "value" not in inside:
        inside.pop()
        if piece["end"] == ">" and opening[1:] not in VOID:
            inside.append(opening[1:])
    elif not opening and piece["opened"]:
        inside.append("<" + piece["opened"])
    elif not opening and piece["closed"]:
        inside.pop()


def includes() -> list[Path]:
    """Return the templates that other templates contain: by `include`, by a tag of the project, or for allauth's
    elements."""
    parts = [path for path in paths() if path.name.startswith("_") or path.parent.name == "elements"]
    return [path for path in parts if "{% extends" not in path.read_text(encoding="utf-8")]


def lists_parameters(text: str) -> bool:
    """Return whether the comments at the head of an include say "Parameters:"."""
    head = re.match(r"(?:{% load [^\n]*\n)?((?:{#[^\n]*#}\n)*)", text)
    return head is not None and "Parameters: " in head[1]


# Indentation is removed when a template is loaded (tock_league/common/templates.py), so it must mean nothing.
_SPACE = re.compile(
    r"<(pre|textarea)\b[^>]*>[^<]*\n[^<]*</\1>|{% blocktranslate(?:(?!trimmed)[^%])*%}(?:(?!{% endblock)[^\n])*\n"
)


def meaningful_space(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of each place where white space at the beginning of a line would be shown or translated."""
    for found in _SPACE.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[0]
