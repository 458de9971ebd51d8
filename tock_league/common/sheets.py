"""Style sheets: one file per component in static/look, a few joined sheets for the browser.

A bundle is a sheet in static/look that imports components by `@import "components/tag.css" layer(components);`. It is plain CSS:
a browser could load it as it stands, with a request for each import. The finder here offers the same rules in one file under the
bundle's own name, so that a page needs one to three requests. The choice: docs/decisions/0017-style-sheets-are-joined.md.
"""

import re
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tock_league.common.prepared import PreparedFilesFinder

LOOK = "look"  # the folder of the bundles, below static/
IMPORT = re.compile(r'^@import "(?P<file>[\w/-]+\.css)" layer\((?P<layer>\w+)\);$', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def compact(sheet: str) -> str:
    """Return the sheet without comments, indentation and blank lines; each declaration keeps its line."""
    lines = (line.strip() for line in COMMENT.sub("", sheet).splitlines())
    return "\n".join(filter(None, lines))


def joined(bundle: Path) -> str:
    """Return the bundle's text with each import replaced by the imported rules, in their layer and under their file's name.

    Addresses in `url()` are not rewritten: only a file in the bundle's own folder may hold one.
    Raises ImproperlyConfigured for an import of another form.
    """

    def rules(found: re.Match[str]) -> str:
        text = compact((bundle.parent / found["file"]).read_text(encoding="utf-8"))
        return f"/* {found['file']} */\n@layer {found['layer']} {{\n{text}\n}}"

    text = IMPORT.sub(rules, COMMENT.sub("", bundle.read_text(encoding="utf-8"))).lstrip()
    if "@import" in text:
        raise ImproperlyConfigured(f"{bundle} holds an import that is not joined; the form is {IMPORT.pattern}")
    return text


def bundles(root: Path) -> list[Path]:
    """Return the sheets of the folder `root` that import others, by name."""
    return sorted(path for path in root.glob("*.css") if "@import" in path.read_text(encoding="utf-8"))


class JoinedSheetsFinder(PreparedFilesFinder):
    """Offers the joined bundles. It stands before the finders of Django, so that these do not offer the unjoined ones."""

    def sources(self) -> dict[str, Path]:
        """Return the bundle of each joined sheet."""
        return {f"{LOOK}/{bundle.name}": bundle for bundle in bundles(settings.ROOT / "static" / LOOK)}

    def text(self, source: Path) -> str:
        """Return the joined sheet of the bundle `source`."""
        return joined(source)
