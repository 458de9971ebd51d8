"""The journal is verified every night after the copy, and the result kept beside the copies for the metrics."""

import json
import logging
from pathlib import Path

from tock_league.common import clock
from tock_league.journal.selectors.verification import names, verify
from tock_league.journal.store.checks import missing

log = logging.getLogger(__name__)
FILE = "journal-check.json"


def check_journal(folder: Path) -> int:
    """Verify every stream of the journal, note in `folder` when and how many differ, and return that number.

    Each difference is an error in the log. A missing trigger counts as one.
    """
    faults = [str(verdict.fault) for verdict in map(verify, names()) if verdict.fault]
    faults += [f"the trigger {name} is missing: rows of {table} could be changed" for table, name in missing()]
    for fault in faults:
        log.error("the journal is not as it was written: %s", fault)
    unfinished = folder / f".{FILE}"
    unfinished.write_text(json.dumps({"at": clock.now_ms(), "differences": len(faults)}), encoding="ascii")
    unfinished.replace(folder / FILE)
    return len(faults)


def last(folder: Path) -> tuple[int, int] | None:
    """Return when the journal was last verified (ms) and how many differences were found; None when it never was."""
    try:
        found = json.loads((folder / FILE).read_text(encoding="ascii"))
        return int(found["at"]), int(found["differences"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
