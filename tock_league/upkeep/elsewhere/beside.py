"""The copier's process beside `serve`: started with it, started again when it ends, ended with it, also after `kill -9`.

A process of its own at low priority, as for the nightly copy: the digests of a copy would delay plays in the process that
serves. It notices the end of `serve` by the end of its standard input.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from tock_league.common import clock
from tock_league.embedded.datalock import lock

from ..errors import CannotDo
from . import status
from .copier import Copier, is_another_disk

AGAIN_S = 5.0  # before the process is started again
LOCK = "copy-lock"


@contextmanager
def copying(data: Path, folder: Path | None) -> Iterator[None]:
    """Let copies be made in `folder` while the block runs; None: none are, and the pages say nothing of copies."""
    if folder is None:
        status.clear(data)
        yield
        return
    asked = status.Status(str(folder.absolute()), is_another_disk(folder, data), clock.now_ms())
    status.write(data, asked)
    stopping = threading.Event()
    keeper = threading.Thread(target=_keep_running, args=(data, stopping), name="copier", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stopping.set()
        keeper.join(15)


def require_folder(folder: Path) -> None:
    """Raise CannotDo where copies cannot be written to `folder`."""
    if not folder.is_dir():
        raise CannotDo(f"There is no folder {folder} for the copies. Put the stick in, or name another folder.")
    if not os.access(folder, os.W_OK):
        raise CannotDo(f"{folder} cannot be written; name another folder for the copies.")


def _keep_running(data: Path, stopping: threading.Event) -> None:
    command = [sys.executable, str(settings.ROOT / "manage.py"), "backup", "--every-minute", "--data", str(data)]
    while not stopping.is_set():
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not stopping.wait(0.2):
                pass
            assert process.stdin is not None
            process.stdin.close()  # it finishes the copy at which it is
        stopping.wait(AGAIN_S)


def run(data: Path) -> None:
    """Be the copier's process until the standard input ends. Raises CannotDo where no copies were asked for."""
    if (asked := status.read(data)) is None:
        raise CannotDo("No copies were asked for: start `serve --copy-to FOLDER`.")
    if hasattr(os, "nice"):
        os.nice(10)
    stopping = threading.Event()
    threading.Thread(target=_wait_for_end, args=(stopping,), daemon=True).start()
    with open(data / LOCK, "a", encoding="ascii") as file:
        while not lock(file.fileno()):  # the copier of a `serve` that was killed finishes its copy
            if stopping.wait(1):
                return
        Copier(data, asked).run(stopping)


def _wait_for_end(stopping: threading.Event) -> None:
    sys.stdin.buffer.read()
    stopping.set()
