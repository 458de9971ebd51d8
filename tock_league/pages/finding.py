"""Find words in a long page of rendered HTML: mark each place, and list where they are. It works without a script."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape

from django.utils.safestring import SafeString, mark_safe

from tock_league.common.names import folded

LONGEST = 60  # characters of what is looked for
MOST = 60  # places that are marked
AROUND = 60  # characters shown on each side of a place
# Drawings and tags are left as they are; what is between them is text.
PIECE = re.compile(r"<figure\b.*?</figure>|<[^>]*>", re.DOTALL)
HEADING = re.compile(r"<h([1-6])[ >]")


@dataclass(frozen=True, slots=True)
class Found:
    """A place: its id on the page, the heading above it, and the words around it."""

    place: str
    heading: str
    before: str
    words: str
    after: str


def asked(text: str) -> str:
    """Return what is looked for: without spaces around it, cut to a sensible length."""
    return " ".join(text.split())[:LONGEST]


def find(text: SafeString, words: str) -> tuple[SafeString, list[Found]]:
    """Return the page with each place of `words` marked, and the places; letter case and accents do not count.

    At most MOST places. Words are found within a run of text, not across a tag.
    """
    wanted = folded(words)
    if not wanted:
        return text, []
    out: list[str] = []
    found: list[Found] = []
    heading, level = "", ""
    for piece, is_text in _pieces(text):
        if not is_text:
            out.append(piece)
            if opened := HEADING.match(piece):
                heading, level = "", opened[1]
            elif level and piece == f"</h{level}>":
                level = ""
            continue
        plain = unescape(piece)
        if level:
            heading += plain
        out.append(_marked(plain, wanted, heading, found))
    return mark_safe("".join(out)), found


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield tags and drawings, and the text between them, in order."""
    at = 0
    for tag in PIECE.finditer(text):
        if tag.start() > at:
            yield text[at : tag.start()], True
        yield tag[0], False
        at = tag.end()
    if at < len(text):
        yield text[at:], True


def _marked(plain: str, wanted: str, heading: str, found: list[Found]) -> str:
    """Return a run of text as HTML, with each place of `wanted` marked and added to `found`."""
    out, at, same = [], 0, folded(plain)
    while len(found) < MOST and (begin := same.find(wanted, at)) >= 0:
        end = begin + len(wanted)
        place = f"found-{len(found) + 1}"
        out.append(f'{escape(plain[at:begin])}<mark id="{place}">{escape(plain[begin:end])}</mark>')
        found.append(Found(place, heading, _before(plain[:begin]), plain[begin:end], _after(plain[end:])))
        at = end
    out.append(escape(plain[at:]))
    return "".join(out)


def _before(text: str) -> str:
    """Return the end of `text`, cut between two words."""
    if len(text) <= AROUND:
        return text.lstrip()
    return "… " + text[-AROUND:].partition(" ")[2]


def _after(text: str) -> str:
    """Return the beginning of `text`, cut between two words."""
    if len(text) <= AROUND:
        return text.rstrip()
    return text[:AROUND].rpartition(" ")[0] + " …"


__all__ = ["LONGEST", "MOST", "Found", "asked", "find"]
