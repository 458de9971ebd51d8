"""One `serve` per data folder: a lock the system releases by itself, also after `kill -9`."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NAME = "serve.lock"


class Taken(Exception):
    """Another process serves from this folder; `args[0]` is its process id as text, perhaps empty."""


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold `folder` for this process while the block runs. Raises Taken when another process holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not deleted at the end: a process that waits for a deleted file would hold a lock nobody else sees.
    with open(folder / NAME, "a+", encoding="ascii") as file:
        if not lock(file.fileno()):
            file.seek(0)
            raise Taken(file.read().strip())
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


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
