"""Style sheets: one file per component in static/look, a few joined sheets for the browser.

A bundle is a sheet in static/look that imports components by `@import "components/tag.css" layer(components);`. It is plain CSS:
a browser could load it as it stands, with a request for each import. The finder here offers the same rules in one file under the
bundle's own name, so that a page needs one to three requests. The choice: docs/decisions/0017-style-sheets-are-joined.md.
"""

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage

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


class JoinedSheetsFinder(BaseFinder):
    """Offers the joined bundles. It stands before the finders of Django, so that these do not offer the unjoined ones.

    The files are written to SHEETS_ROOT when the process first asks for them: at the start of the server and by collectstatic.
    A sheet that is edited while the server runs is seen after a restart, as a template is.
    """

    @cached_property
    def storage(self) -> FileSystemStorage:
        """Return the folder of the joined sheets, written now. Several processes may write the same text at a time."""
        root = Path(settings.SHEETS_ROOT)
        (root / LOOK).mkdir(parents=True, exist_ok=True)
        for bundle in bundles(settings.ROOT / "static" / LOOK):
            path = root / LOOK / bundle.name
            text = joined(bundle).encode()
            if not path.exists() or path.read_bytes() != text:
                draft = path.with_suffix(f".{os.getpid()}")
                draft.write_bytes(text)
                draft.replace(path)
        return FileSystemStorage(location=root)

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield path and storage of each joined sheet."""
        for bundle in bundles(settings.ROOT / "static" / LOOK):
            yield f"{LOOK}/{bundle.name}", self.storage

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        """Return the file of the joined sheet at `path`; an empty list where there is none, as Django asks."""
        found = [self.storage.path(name) for name, _ in self.list(None) if name == path]
        return found if find_all or not found else found[0]
