"""Markdown of the rules pages as safe HTML: CommonMark and tables by markdown-it-py, without HTML in the source.

Links lead to https, to a path of this site or to a place on the page. A mark `<!-- #name -->` becomes a place that an address
may point to, unseen by the reader. Headings carry an id made of their text. Tables stand in a box that can be scrolled.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from itertools import cycle
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
HEAD = re.compile(r'<th scope="col">([^<"]*)</th>')  # plain words, which may stand in an attribute
CODE = re.compile(r"<code>([\w/.:]+)</code>")
HEADING = re.compile(r'<h[1-6] id="([^"]*)">')
WHOLE_HEADING = re.compile(r'<h([1-6]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
ID = re.compile(r' id="([^"]*)"')
LINK = re.compile(r"https://|/(?!/)|#")
MARK = re.compile(r"<!-- #([a-z0-9-]+) -->\s?")
# Not needed here, or another meaning than the rules' authors expect of four spaces or a line of dashes.
LEFT_OUT = ["code", "fence", "hr", "lheading", "reference", "image", "autolink", "entity"]


def render(source: str) -> SafeString:
    """Return `source` as HTML. HTML within it is shown as text."""
    return mark_safe(_parser().render(source))


def for_phones(text: SafeString) -> SafeString:
    """Return rendered HTML as narrow screens need it: cells that know their column, and long words of code that break at
    their signs."""

    def with_heads(table: re.Match[str]) -> str:
        heads = cycle(HEAD.findall(table[0]))
        return re.sub("<td>", lambda _cell: f'<td data-h="{next(heads)}">', table[0])

    def breaking(code: re.Match[str]) -> str:
        return "<code>" + re.sub("(/|::|_)", r"\1<wbr>", code[1]) + "</code>"

    return mark_safe(CODE.sub(breaking, TABLE.sub(with_heads, text)))


def headings_of(text: SafeString) -> list[str]:
    """Return the ids of the headings in rendered HTML, in order."""
    return HEADING.findall(text)


def places_of(text: SafeString) -> frozenset[str]:
    """Return all ids in rendered HTML."""
    return frozenset(ID.findall(text))


def with_places(text: SafeString, places: Sequence[Sequence[str]]) -> SafeString:
    """Return rendered HTML with more ids at its headings: `places`, for each heading in order; known ones are omitted."""
    known, rest = set(ID.findall(text)), iter(places)

    def more(found: re.Match[str]) -> str:
        new = [name for name in dict.fromkeys(next(rest)) if name not in known]
        known.update(new)
        return "".join(f'<span class="mark" id="{slugify(name)}"></span>' for name in new) + found[0]

    return mark_safe(HEADING.sub(more, text))


def words_of(text: SafeString) -> list[tuple[str, str, str]]:
    """Return level, id and words of each heading in rendered HTML, in order."""
    return [(level, name, unescape(TAG.sub("", inside))) for level, name, inside in WHOLE_HEADING.findall(text)]


def with_figures(
    text: SafeString, places: Sequence[Sequence[str]], figures: Mapping[str, Sequence[SafeString]]
) -> SafeString:
    """Return rendered HTML with figures below its headings. `places`: the ids of each heading in order, by any of which
    `figures` names it.
    """
    rest = iter(places)

    def more(found: re.Match[str]) -> str:
        return found[0] + "".join(one for name in next(rest) for one in figures.get(name, ()))

    return mark_safe(WHOLE_HEADING.sub(more, text))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(LEFT_OUT)
    parser.validateLink = lambda url: LINK.match(url) is not None  # type: ignore[method-assign]
    parser.inline.ruler.before("html_inline", "mark", _mark)
    parser.core.ruler.push("attributes", _attributes)
    parser.add_render_rule("mark", _render_mark)
    parser.add_render_rule("table_open", lambda *_: '<div class="table-scroll" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


def _mark(state: StateInline, silent: bool) -> bool:
    """Parse a mark at the state's position, as markdown-it's inline rules do."""
    found = MARK.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("mark", "span", 0).attrs = {"class": "mark", "id": found[1]}
    state.pos = found.end()
    return True


def _attributes(state: StateCore) -> None:
    """Give headings an id and the cells of a table's head their scope."""
    for token, following in zip(state.tokens, [*state.tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", slugify(following.content))
        elif token.type == "th_open":
            token.attrs = {"scope": "col"}
        elif token.type == "td_open":
            token.attrs = {}  # an alignment would be an inline style, which the site's policy forbids


def _render_mark(self: Any, tokens: Sequence[Token], place: int, *_: object) -> str:
    return f'<span class="mark" id="{tokens[place].attrs["id"]}"></span>'
