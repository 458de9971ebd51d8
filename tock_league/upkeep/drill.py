"""The restore drill: a copy is made, restored elsewhere, verified, and compared with the running site's figures."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection

from tock_league.common import clock
from tock_league.people import restored

from . import archive, databases, postgresql
from .backup import DRILLED, Made, backup
from .restore import erase_again, load_dump, opened_beside, prove

Say = Callable[[str], None]


def drill(path: Path | None = None, *, say: Say, folder: Path | None = None) -> dict[str, Any]:
    """Prove that a copy can be restored: of the present database, or the existing copy `path`; return its manifest.

    The present database is read, never written; what is restored is removed again. `folder`: where it lies meanwhile (the
    system's folder for temporary files). Raises CannotDo.
    """
    with tempfile.TemporaryDirectory(prefix=DRILLED, dir=folder) as work:
        if path is None:
            made = backup(Path(work))
            say(_made_line(made))
            path = made.path
        since = clock.monotonic()
        manifest = archive.manifest_of(path)
        lists = [one / restored.NAME for one in (path.parent, *restored.folders())]
        if manifest["vendor"] == "postgresql":
            with postgresql.another(databases.here()) as target:
                load_dump(path, manifest, target, keep_anyway=False, lists=lists, folder=Path(work), say=say)
        else:
            raw = Path(work) / "restored.sqlite3"
            archive.extract(path, manifest, raw)
            with databases.as_default(opened_beside(raw)):
                prove(manifest, say=say)
                erase_again(lists, say=say)
        say(f"restored and verified in {clock.monotonic() - since:.1f} s: the copy of {manifest['made_at']} is good")
        return manifest


def _made_line(made: Made) -> str:
    size = made.path.stat().st_size / 1e6
    return f"copied in {made.seconds:.1f} s: {size:.1f} MB of {connection.vendor}"
