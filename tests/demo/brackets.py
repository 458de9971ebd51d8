"""A language made of brackets: each text of the site is its English text between ⟦ and ⟧. What a page shows outside of them
has not been translated.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

from django.test import override_settings
from django.utils.translation import trans_real

from tock_league.common import regional

CODE = "en-xa"  # the usual code of a made-up English; Django takes dates and numbers of "en" for it
OPEN, CLOSE = "⟦", "⟧"
SPOKEN = ("title", "aria-label", "aria-description", "alt", "placeholder", "data-done", "label")
UNSEEN = frozenset({"script", "style", "template", "code", "pre", "textarea"})
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
LETTER = re.compile(r"[^\W\d_]")


class Brackets(trans_real.DjangoTranslation):
    """Django's translation into brackets. `asked`: the keys of all texts that were asked for."""

    def __init__(self) -> None:
        super().__init__(CODE)
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return _bracketed(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(msgid1)
        return _bracketed(msgid1 if n == 1 else msgid2)


def _bracketed(key: str) -> str:
    """Return the text of a catalogue's key, without its context, in brackets."""
    return OPEN + key.rsplit("\x04", 1)[-1] + CLOSE


@contextmanager
def spoken() -> Iterator[Brackets]:
    """Offer the language in the place of English."""
    brackets = Brackets()
    with override_settings(LANGUAGES=[(CODE, "English"), ("fr-ca", "French"), ("es", "Spanish")]):
        trans_real._translations[CODE] = brackets  # type: ignore[attr-defined]
        try:
            yield brackets
        finally:
            del trans_real._translations[CODE]  # type: ignore[attr-defined]
    regional.take_the_languages_too()  # Django forgets all catalogues with the setting


class Bare(HTMLParser):
    """Collects what a page shows outside of brackets: `found`, and the elements in which brackets do not match: `torn`.

    Left out: scripts, code, and what is marked as another language than the page's.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.torn: list[str] = []
        self.depth = 0
        self.open: list[tuple[str, bool, int]] = []  # tag, whether its text is left out, depth when it began
        self.feed(page)

    @property
    def is_hidden(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        is_badge = str(known.get("class", "")).startswith("badge")  # initials of people
        hidden = self.is_hidden or tag in UNSEEN or is_badge or (known.get("lang") not in (None, CODE))
        if not hidden:
            self._attributes(tag, known)
        if tag not in VOID:
            self.open.append((tag, hidden, self.depth))

    def _attributes(self, tag: str, known: dict[str, str | None]) -> None:
        names = SPOKEN + (("value",) if tag == "input" and known.get("type") in ("submit", "button", "reset") else ())
        names += ("content",) if tag == "meta" and known.get("name") == "description" else ()
        for name in names:
            if value := known.get(name):
                bare, depth = outside(value, 0)
                self.found += bare
                if depth:
                    self.torn.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not any(tag == begun for begun, _hidden, _depth in self.open):
            return
        while self.open:
            last, hidden, depth = self.open.pop()
            if not hidden and depth != self.depth:
                self.torn.append(f"<{last}>")
                self.depth = depth
            if last == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self.is_hidden:
            bare, self.depth = outside(data, self.depth)
            self.found += bare


def outside(text: str, depth: int) -> tuple[list[str], int]:
    """Return the pieces of `text` outside of brackets that hold letters, and the depth after it. `depth`: before it."""
    found = []
    for piece in re.split(f"([{OPEN}{CLOSE}])", text):
        if piece == OPEN:
            depth += 1
        elif piece == CLOSE:
            depth -= 1
        elif depth == 0 and LETTER.search(piece):
            found.append(" ".join(piece.split()))
    return found, depth
