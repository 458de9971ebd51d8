"""`python -m tests.permissions.table`: write docs/permissions.md from the registered rules."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def run() -> int:
    """Measure in a database of its own, write the page, and say whether it changed."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
    os.environ.pop("TOCK_TEST_DATABASE_URL", None)
    with tempfile.TemporaryDirectory(prefix="tock-permissions-") as folder:
        os.environ["TOCK_SIMULATION"] = folder
        import django

        django.setup()
        from django.db import connection, connections

        from tests import migrated
        from tests.competitions.world import FIRST_ROUND
        from tock_league.common import clock

        from ..world import build
        from . import measure, page, when
        from .tried import undone

        shutil.copyfile(migrated._file(), str(connection.settings_dict["NAME"]))
        try:
            with undone(), clock.frozen(FIRST_ROUND):
                cells = measure.cells(build())
            done = {}
            for subject in when.STAGES:
                with undone():
                    done |= when.tried(subject).done
            made = page.text(cells, done)
        finally:
            connections.close_all()
    path = ROOT / page.PATH
    changed = not path.exists() or path.read_text(encoding="utf-8") != made
    path.write_text(made, encoding="utf-8")
    print(f"{page.PATH}: {'written' if changed else 'as it was'}")
    return 0


if __name__ == "__main__":
    sys.exit(run())
