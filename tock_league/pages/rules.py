"""The rules pages: docs/rules/<rule set>-<edition>.md, one file with a part per language.

Every sentence of a part carries a mark, the same in all languages; tests/rules holds each mark's test.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.text import slugify

from games.engine import registry
from games.templatetags import pictures
from tock_league.common.errors import NotThere

from .markdown import headings_of, places_of, render, with_figures, with_places, words_of

NAME = re.compile(r"([a-z]+(?:-[a-z]+)*?)(?:-(\d+))?")
NUMBER = re.compile(r"\b(T?[1-9][0-9]?)\b", re.ASCII | re.IGNORECASE)
# The rulebook's sections that a ruling may cite, by the heading of the rules page about them (docs/rulebook.md, and for
# T1 to T9 docs/tractor.md).
SECTIONS = {
    "in-short": ("10", "t1"),
    "the-track": ("1",),
    "cards-and-deals": ("2",),
    "what-each-card-does": ("3", "4"),
    "special-spaces": ("5",),
    "the-joker": ("6",),
    "you-must-play-burning": ("7",),
    "conduct": ("8",),
    "the-end": ("9",),
    "how-plays-are-written": ("11", "t9"),
    "the-order-of-cards": ("t2",),
    "drawing-and-showing": ("t3",),
    "leading": ("t4",),
    "following": ("t5",),
    "winning-the-trick": ("t6",),
    "points": ("t7",),
    "at-the-table": ("t8",),
}
MARK = re.compile(r"<!--\s*(?:lang:\s*)?([a-z]{2})\s*-->")


def folder() -> Path:
    """Return the folder of the site's own rules pages."""
    return Path(settings.ROOT) / "docs" / "rules"


def _files() -> Iterator[Path]:
    """Yield every rules page: the site's own, and those that a family keeps in its folder, in `pages/`."""
    yield from folder().glob("*.md")
    for family in registry.families().values():
        home = import_module(family.home)
        for place in home.__path__:
            yield from (Path(place) / "pages").glob("*.md")


def path_of(name: str) -> Path:
    """Return the file of a rule set, `shawinigan-1`, or of a family's latest edition, `shawinigan`; else NotThere."""
    asked = NAME.fullmatch(name)
    if asked is None:
        raise NotThere
    found = [
        (int(known[2]), path)
        for path in _files()
        if (known := NAME.fullmatch(path.stem)) and known[2] and known[1] == asked[1]
    ]
    if asked[2]:
        found = [pair for pair in found if pair[0] == int(asked[2])]
    if not found:
        raise NotThere
    return max(found)[1]


@dataclass(frozen=True, slots=True)
class Page:
    """A rules page in one language."""

    name: str  # of the file, such as "toc-1"
    title: str
    language: str
    languages: tuple[str, ...]  # all that it is written in
    text: SafeString  # HTML
    contents: tuple[tuple[str, str, str], ...]  # level ("2", "3"), id and words of each heading
    places: frozenset[str]  # the ids in it

    def place(self, rule: str) -> str:
        """Return the id of the place that a referee means by `rule`, or "".

        A mark (`no-talking`), a heading in any of the page's languages, or a number of the rulebook ("8", "règle 8").
        """
        number = NUMBER.search(rule)
        asked = (slugify(rule), f"section-{number[1].lower()}" if number else "")
        return next((name for name in asked if name in self.places), "")


def page(name: str, language: str) -> Page:
    """Return the rules in `language` (two letters), or in the file's first one where that is missing; NotThere."""
    path = path_of(name)
    return _rendered(path, path.stat().st_mtime_ns, language[:2])


def pages(language: str) -> list[Page]:
    """Return the latest edition of each family's rules in `language`, in the order of their files."""
    families = {found[1] for path in _files() if (found := NAME.fullmatch(path.stem)) and found[2]}
    return [page(family, language) for family in sorted(families)]


@lru_cache(maxsize=64)
def _rendered(path: Path, changed: int, language: str) -> Page:
    parts = parts_of(path.read_text(encoding="utf-8"))
    spoken = language if language in parts else next(iter(parts))
    title = next((line.removeprefix("# ") for line in parts[spoken].splitlines() if line.startswith("# ")), path.stem)
    # The headings are the same in all languages, in the same order, so an address works in each of them.
    headings = zip(*(headings_of(render(part)) for part in parts.values()), strict=True)
    places = [_places(same) for same in headings]
    text = with_places(render(parts[spoken]), places)
    contents = tuple(heading for heading in words_of(text) if heading[0] in "23")
    with translation.override(spoken):
        text = with_figures(text, places, pictures.figures(rules_of(path.stem)))
    return Page(path.stem, title, spoken, tuple(parts), text, contents, places_of(text))


def rules_of(name: str) -> str:
    """Return the id of the rule set of a page, such as `shawinigan/1` for `shawinigan-1`."""
    family, _, edition = name.rpartition("-")
    return f"{family}/{edition}"


def _places(same: Sequence[str]) -> list[str]:
    """Return the places of a heading, given its ids in all languages: these, and its sections of the rulebook."""
    return [*same, *(f"section-{number}" for heading in same for number in SECTIONS.get(heading, ()))]


def parts_of(text: str) -> dict[str, str]:
    """Return the parts by language: the text after each line such as `<!-- fr -->`.

    The text before the first of these lines belongs to every part.
    """
    common: list[str] = []
    parts: dict[str, list[str]] = {}
    into = common
    for line in text.splitlines():
        if mark := MARK.fullmatch(line.strip()):
            into = parts.setdefault(mark[1], list(common))
        else:
            into.append(line)
    return {language: "\n".join(lines) for language, lines in parts.items()} or {"": "\n".join(common)}
