"""A small part of Markdown as safe HTML: what the rules pages need, and nothing that could carry a script.

Headings `#` to `####`, paragraphs, `-` and `1.` lists (an indented item belongs to the one above), tables, quotes `>`,
`**strong**`, `*emphasis*`, `` `code` ``, links to https or to a path of this site, and marks `<!-- #name -->`: places that an
address may point to, unseen by the reader. Everything else is text: it is escaped, HTML included.
"""

import re
from collections.abc import Iterator

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

HEADING = re.compile(r"(#{1,4})\s+(.*)")
ITEM = re.compile(r"(\s*)(?:[-*]|(\d+)[.)])\s+(.*)")
RULE_ROW = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
INLINE = re.compile(
    r"<!-- #(?P<mark>[a-z0-9-]+) -->\s?|(?P<code>`[^`]+`)|(?P<strong>\*\*.+?\*\*)|(?P<em>\*[^*\s](?:[^*]*[^*\s])?\*)"
    r"|\[(?P<text>[^\]]+)\]\((?P<link>(?:https://|/(?!/)|#)[^\s)]*)\)"
)


def render(source: str) -> SafeString:
    """Return `source` as HTML; whatever it holds, the answer has only the tags named above."""
    return mark_safe("\n".join(_blocks(source.replace("\r\n", "\n").split("\n"))))


def _blocks(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif heading := HEADING.fullmatch(line.strip()):
            level, text = len(heading[1]), heading[2]
            yield f'<h{level} id="{slugify(text)}">{_inline(text)}</h{level}>'
            at += 1
        elif line.lstrip().startswith("|") and at + 1 < len(lines) and RULE_ROW.match(lines[at + 1].strip()):
            end = _while(lines, at, lambda text: text.lstrip().startswith("|"))
            yield _table(lines[at:end])
            at = end
        elif ITEM.fullmatch(line):
            end = _while(lines, at, lambda text: bool(ITEM.fullmatch(text)) or text.startswith("  "))
            yield _list(lines[at:end])
            at = end
        elif line.startswith(">"):
            end = _while(lines, at, lambda text: text.startswith(">"))
            inner = [text[1:].removeprefix(" ") for text in lines[at:end]]
            yield f"<blockquote>{''.join(_blocks(inner))}</blockquote>"
            at = end
        else:
            end = _while(lines, at, _is_text)
            yield f"<p>{_inline(' '.join(text.strip() for text in lines[at:end]))}</p>"
            at = end


def _is_text(line: str) -> bool:
    return not (HEADING.fullmatch(line.strip()) or ITEM.fullmatch(line) or line.startswith(">"))


def _while(lines: list[str], start: int, holds: object) -> int:
    """Return the first index after `start` whose line is blank or no longer `holds`."""
    assert callable(holds)
    end = start + 1
    while end < len(lines) and lines[end].strip() and holds(lines[end]):
        end += 1
    return end


def _list(lines: list[str]) -> str:
    """Return a list; lines that are indented deeper than its first item belong to the item above them."""
    first = ITEM.fullmatch(lines[0])
    assert first is not None
    depth, ordered = len(first[1]), first[2] is not None
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        item = ITEM.fullmatch(line)
        if item and len(item[1]) <= depth:
            items.append((item[3], []))
        elif item:
            items[-1][1].append(line)
        else:
            text, inner = items[-1]
            if inner:
                inner.append(line)
            else:
                items[-1] = (f"{text} {line.strip()}", inner)
    tag = "ol" if ordered else "ul"
    start = f' start="{int(first[2])}"' if ordered and first[2] != "1" else ""
    body = "".join(f"<li>{_inline(text)}{_list(inner) if inner else ''}</li>" for text, inner in items)
    return f"<{tag}{start}>{body}</{tag}>"


def _table(lines: list[str]) -> str:
    def cells(line: str) -> list[str]:
        return [cell.strip() for cell in line.strip().strip("|").split("|")]

    head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in cells(lines[0]))
    rows = "".join(
        "<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in cells(line)) + "</tr>" for line in lines[2:]
    )
    return f'<div class="tw" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _inline(text: str) -> str:
    parts: list[str] = []
    last = 0
    for found in INLINE.finditer(text):
        parts.append(escape(text[last : found.start()]))
        last = found.end()
        if found["mark"]:
            parts.append(f'<span class="mark" id="{found["mark"]}"></span>')
        elif found["code"]:
            parts.append(f"<code>{escape(found['code'][1:-1])}</code>")
        elif found["strong"]:
            parts.append(f"<strong>{_inline(found['strong'][2:-2])}</strong>")
        elif found["em"]:
            parts.append(f"<em>{_inline(found['em'][1:-1])}</em>")
        else:
            parts.append(f'<a href="{escape(found["link"])}">{_inline(found["text"])}</a>')
    parts.append(escape(text[last:]))
    return "".join(parts)
