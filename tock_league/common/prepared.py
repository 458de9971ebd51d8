"""Static files that are served in another form than they are written in: prepared at the start, without a build step."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage


class PreparedFilesFinder(BaseFinder):
    """Offers files that are made from others. It stands before the finders of Django, which offer the files as written.

    The files are written to PREPARED_ROOT when the process first asks for them: at the start of the server and by
    collectstatic. A source that is edited while the server runs is seen after a restart, as a template is.
    """

    def sources(self) -> dict[str, Path]:
        """Return the source of each file offered, by the path below static/ at which it is offered."""
        raise NotImplementedError

    def text(self, source: Path) -> str:
        """Return what is served for `source`."""
        raise NotImplementedError

    @cached_property
    def storage(self) -> FileSystemStorage:
        """Return the folder of the prepared files, written now. Several processes may write the same text at a time."""
        root = Path(settings.PREPARED_ROOT)
        for name, source in self.sources().items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = self.text(source).encode()
            if not path.exists() or path.read_bytes() != text:
                draft = path.with_suffix(f".{os.getpid()}")
                draft.write_bytes(text)
                draft.replace(path)
        return FileSystemStorage(location=root)

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield path and storage of each file offered."""
        for name in self.sources():
            yield name, self.storage

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        """Return the prepared file at `path`; an empty list where there is none, as Django asks."""
        found = [self.storage.path(path)] if path in self.sources() else []
        return found if find_all or not found else found[0]
