"""backup(): a copy of the whole site in one file, while it runs."""

import os
import platform
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import DatabaseError, connection

from tock_league.common import clock
from tock_league.common.transactions import snapshot
from tock_league.people.restored import write_list

from . import archive, databases, postgresql, sqlite
from .errors import CannotDo
from .figures import figures

NAME = re.compile(r"tock-\d{8}T\d{6}Z\.zip")
WORK = ".tock-backup-"  # prefix of the folder in which a copy is made
PART = ".part"  # end of the hidden name of a copy that is being carried to another disk
DRILLED = ".tock-drill-"  # prefix of the folder in which a copy lies while it is restored


@dataclass(frozen=True)
class Made:
    """A finished copy."""

    path: Path
    manifest: dict[str, Any]
    seconds: float


def name_at(at: datetime) -> str:
    """Return the file name of a copy: names sort by time."""
    return f"tock-{at:%Y%m%dT%H%M%S}Z.zip"


def copies(folder: Path) -> list[Path]:
    """Return the copies in a folder, oldest first."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def backup(target: Path, *, work: Path | None = None) -> Made:
    """Write a copy to the new file `target`, or into the folder `target` under the name of the present time.

    Nothing stops meanwhile. The file appears when it is complete; until then it has another name. The list of erased
    people is written beside it. `work`: a folder of another disk in which the copy is made, where that of `target` is slow
    or may go away; only the finished file is written there. Raises CannotDo.
    """
    databases.require_present()
    since, at = clock.monotonic(), clock.now()
    try:
        path = target / name_at(at) if target.is_dir() else target
        if path.exists():
            raise CannotDo(f"{path} exists already; choose another name.")
        if not path.parent.is_dir():
            raise CannotDo(f"There is no folder {path.parent}.")
        with _workshop(work or path.parent) as workshop:
            raw = workshop / "database"
            archive.private(raw).close()
            with snapshot():
                manifest = _versions(at) | figures()
                (sqlite if connection.vendor == "sqlite" else postgresql).copy(raw)
            made = workshop / "copy"
            archive.write(made, manifest, raw)
            if work is not None:
                raw.unlink()
                made = archive.carry(made, path.with_name(f".{path.name}{PART}"))
            archive.appear(made, path)
        write_list(path.parent)
    except OSError as error:
        raise CannotDo(f"The copy cannot be written to {target}: {error.strerror or error}.") from None
    except (DatabaseError, sqlite3.Error) as error:
        raise CannotDo(f"The database cannot be copied: {str(error).strip()}.") from None
    return Made(path, manifest, clock.monotonic() - since)


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """Give a private folder, by default beside the copy, so that a rename suffices at the end."""
    made = Path(tempfile.mkdtemp(prefix=WORK, dir=folder))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _versions(at: datetime) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        server = cursor.fetchone()[0]
    return {
        "made_at": at.isoformat(),
        "vendor": connection.vendor,
        "database": server,
        "django": django.__version__,
        "python": platform.python_version(),
    }


def default_folder() -> Path:
    """Return the folder of the copies, made where it is missing: BACKUP_DIR, else `backups` in the data folder."""
    if not (found := getattr(settings, "BACKUP_DIR", None)):
        raise CannotDo("Name the file or the folder of the copy; BACKUP_DIR names no folder.")
    folder = Path(found)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotDo(f"The folder {folder} cannot be made: {error.strerror}.") from None
    return folder


def roomy_folder() -> Path | None:
    """Return the folder of the copies where it can be written, for large temporary files; None: the system's own.

    The latter lies in memory in the containers of docker-compose.yml, and on many laptops.
    """
    found = getattr(settings, "BACKUP_DIR", None)
    return Path(found) if found and os.access(found, os.W_OK) else None


def thin_out(folder: Path, kept: int) -> list[Path]:
    """Delete all but the newest `kept` copies of a folder, and unfinished work of processes that were killed."""
    gone = copies(folder)[: -kept if kept else None]
    for path in gone:
        path.unlink(missing_ok=True)
    for left in (left for work in (WORK, DRILLED) for left in folder.glob(f"{work}*")):
        if clock.now_ms() / 1000 - os.stat(left).st_mtime > 86_400:
            shutil.rmtree(left, ignore_errors=True)
    return gone
