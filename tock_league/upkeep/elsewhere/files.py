"""The copies in the folder on the other disk: their names, the newest one, the old ones."""

import re
import shutil
from datetime import datetime
from pathlib import Path

from ..backup import NAME, PART, WORK
from ..errors import CannotDo

MINUTE = re.compile(r"minute-(\d{8}T\d{6})Z\.zip")  # not the name of a nightly copy, which stays where it is
KEPT = 10


def name_at(at: datetime) -> str:
    """Return the file name of a copy: names sort by time."""
    return f"minute-{at:%Y%m%dT%H%M%S}Z.zip"


def copies(folder: Path) -> list[Path]:
    """Return the copies of every minute in a folder, oldest first. Raises OSError where the folder is gone."""
    return sorted(path for path in folder.iterdir() if MINUTE.fullmatch(path.name))


def thin_out(folder: Path) -> None:
    """Delete all but the newest copies of a folder, and what a stick that was pulled out has left half written."""
    for path in copies(folder)[:-KEPT]:
        path.unlink(missing_ok=True)
    for path in folder.glob(f".minute-*{PART}"):
        path.unlink(missing_ok=True)


def forget_work(folder: Path) -> None:
    """Delete unfinished work of a process that was killed; `folder`: this computer's own."""
    for left in folder.glob(f"{WORK}*"):
        shutil.rmtree(left, ignore_errors=True)


def newest(place: Path) -> Path:
    """Return the copy to go on from: `place` itself where it is a file, else the newest copy in that folder.

    Raises CannotDo where there is none. A damaged one is not passed over here: an older copy lacks results, so that a
    person must choose it.
    """
    if place.is_file():
        return place
    try:
        found = [path for path in place.iterdir() if MINUTE.fullmatch(path.name) or NAME.fullmatch(path.name)]
    except OSError as error:
        raise CannotDo(f"{place} cannot be read: {error.strerror or error}. Is the stick in?") from None
    if not found:
        raise CannotDo(f"There is no copy of a Tock League in {place}.")
    return max(found, key=_time)


def older(path: Path) -> Path | None:
    """Return the copy that was made before `path` in the same folder, None where there is none."""
    names = [each for each in path.parent.iterdir() if MINUTE.fullmatch(each.name) or NAME.fullmatch(each.name)]
    before = [each for each in names if each != path and _time(each) < _time(path)]
    return max(before, key=_time, default=None)


def _time(path: Path) -> str:
    return path.name.rpartition("-")[2]
