"""One `serve` per data folder: a lock the system releases by itself, also after `kill -9`.

The folder itself is locked, and the one in which its database lies where that is a link. A folder keeps its lock when files
in it are deleted and when it is renamed. `serve.lock` tells the process id, and is the lock where folders cannot be locked:
on Windows, where an open file cannot be deleted, and on some network file systems.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from .folder import prepare, unusable

NAME = "serve.lock"
DATABASE = "tock.sqlite3"


class Taken(Exception):
    """Another process serves from this folder; `args[0]` is its process id as text, perhaps empty."""


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold `folder` for this process while the block runs. Raises Taken when another process holds it, and Unusable."""
    prepare(folder)
    with contextlib.ExitStack() as held:
        try:
            for each in _folders(folder):
                if not _hold_folder(each, held):
                    raise Taken(_owner(folder))
            file = _locked_file(folder / NAME, held)
            file.seek(0)
            file.truncate()
            file.write(str(os.getpid()))
            file.flush()
        except OSError as error:
            raise unusable(folder, error) from None
        yield


def _folders(folder: Path) -> list[Path]:
    """Return the real folders of the data and of the database, one or two."""
    return sorted({folder.resolve(), (folder / DATABASE).resolve().parent})


def _hold_folder(folder: Path, held: contextlib.ExitStack) -> bool:
    """Lock a folder until `held` is closed; return False when another process has it. Does nothing where none can be."""
    if os.name == "nt" or not folder.is_dir():
        return True
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    held.callback(os.close, descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # the file system has no locks for folders
    return True


def _locked_file(path: Path, held: contextlib.ExitStack) -> IO[str]:
    """Return the open lock file, locked until `held` is closed. Raises Taken.

    The file is not deleted at the end: a process that waits for a deleted file would hold a lock nobody else sees. Where
    somebody else deleted it between opening and locking, the new one is locked.
    """
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="ascii")
        held.callback(file.close)
        if not lock(file.fileno()):
            raise Taken(_owner(path.parent))
        try:
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:
            continue


def _owner(folder: Path) -> str:
    """Return the process id in the lock file, "" where it is gone."""
    try:
        return (folder / NAME).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def lock(descriptor: int) -> bool:
    """Try to lock the open file `descriptor` for this process; return whether it worked."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # Windows locks bytes: one far behind the process id
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
