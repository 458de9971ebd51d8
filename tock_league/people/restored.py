"""The list of those who were erased, in a file beside the copies, so that an older copy does not bring them back.

It holds labels that were random from the beginning, pseudonyms and times; no name and no address. One JSON object a line.
"""

import json
import logging
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from .models import Erased

log = logging.getLogger(__name__)
NAME = "erased.jsonl"


@dataclass(frozen=True)
class Known:
    """One line of the list."""

    label: str
    pseudonym: str
    at: str  # ISO 8601

    def line(self) -> str:
        return json.dumps({"label": self.label, "pseudonym": self.pseudonym, "at": self.at}, ensure_ascii=False)


def write_lists() -> None:
    """Write the list beside the copies and into the data folder. A folder that cannot be written is an error in the log."""
    for folder in folders():
        try:
            write_list(folder)
        except OSError as error:
            log.error("the list of erased people cannot be written to %s: %s", folder, error)


def folders() -> list[Path]:
    """Return where the list is kept: the folder of the copies, and the data folder of `serve`."""
    found = [getattr(settings, "BACKUP_DIR", None), getattr(settings, "DATA", None)]
    return [Path(folder) for folder in found if folder and Path(folder).is_dir()]


def write_list(folder: Path) -> None:
    """Write the list into a folder, with the lines that are there already; readable by its owner only.

    No file while nobody was erased.
    """
    known = {one.label: one for one in _here()} | {one.label: one for one in read(folder / NAME)}
    if not known:
        return
    half = folder / f".{NAME}.{os.getpid()}"
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.writelines(f"{one.line()}\n" for one in sorted(known.values(), key=lambda one: (one.at, one.label)))
        file.flush()
        os.fsync(file.fileno())
    half.replace(folder / NAME)


def read(path: Path) -> list[Known]:
    """Return the lines of a list; none where there is no file. A line that is no entry is skipped, with a warning."""
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            told = json.loads(line)
            found.append(
                Known(str(told["label"]), str(told["pseudonym"]), datetime.fromisoformat(told["at"]).isoformat())
            )
        except (ValueError, KeyError, TypeError):
            log.warning("%s, line %d is no entry of the list of erased people", path, number)
    return found


def _here() -> list[Known]:
    return [Known(row.label, row.pseudonym, row.at.isoformat()) for row in Erased.objects.all()]
