"""The restore drill: a copy is made, restored elsewhere, verified, and compared with the running site's figures."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from django.db import connection

from tock_league.common import clock

from . import archive, databases, postgresql
from .backup import Made, backup
from .restore import load_dump, opened_beside, prove

Say = Callable[[str], None]


def drill(path: Path | None = None, *, say: Say) -> None:
    """Prove that a copy can be restored: of the present database, or the existing copy `path`. Raises CannotDo.

    The present database is read, never written; what is restored is removed again.
    """
    with tempfile.TemporaryDirectory(prefix="tock-drill-") as folder:
        if path is None:
            made = backup(Path(folder))
            say(_made_line(made))
            path = made.path
        since = clock.monotonic()
        manifest = archive.manifest_of(path)
        if manifest["vendor"] == "postgresql":
            with postgresql.another(databases.here()) as target:
                load_dump(path, manifest, target, keep_anyway=False, say=say)
        else:
            raw = Path(folder) / "restored.sqlite3"
            archive.extract(path, manifest, raw)
            with databases.as_default(opened_beside(raw)):
                prove(manifest, say=say)
        say(f"restored and verified in {clock.monotonic() - since:.1f} s: the copy of {manifest['made_at']} is good")


def _made_line(made: Made) -> str:
    size = made.path.stat().st_size / 1e6
    return f"copied in {made.seconds:.1f} s: {size:.1f} MB of {connection.vendor}"
