"""Shared by the modules that start servers: finding programs, private folders, ending processes."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

SHORT_FOLDERS = "TOCK_TEST_FOLDERS"


class NotHere(Exception):
    """Why a server is not available on this machine; the tests that need it are skipped with this message."""


def find(name: str, *, among: Sequence[Path] = ()) -> Path | None:
    """Return the program `name` in the folders `among`, otherwise on PATH, otherwise None.

    Links are not resolved: redis-server may be a link to a program that depends on the name it was called by.
    """
    for folder in among:
        if os.access(folder / name, os.X_OK):
            return folder / name
    found = shutil.which(name)
    return Path(found) if found else None


@contextlib.contextmanager
def short_folder(prefix: str) -> Iterator[Path]:
    """Give a private temporary folder with a short path: a Unix socket's path must stay under 107 bytes.

    The variable SHORT_FOLDERS names the folder in which it is made, "/tmp" without it.
    """
    parent = os.environ.get(SHORT_FOLDERS, "/tmp" if os.path.isdir("/tmp") else None)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until(true: Callable[[], bool], *, what: str, seconds: float, process: subprocess.Popen[bytes]) -> None:
    """Return when `true()` holds. Raises RuntimeError when `process` ends first or `seconds` have passed."""
    until = time.monotonic() + seconds
    while not true():
        if process.poll() is not None:
            raise RuntimeError(f"{what} ended with code {process.returncode} before it was ready")
        if time.monotonic() > until:
            raise RuntimeError(f"{what} is not ready after {seconds} s")
        time.sleep(0.02)


def end(process: subprocess.Popen[bytes], *, signal_number: int, seconds: float = 10.0) -> None:
    """Send `signal_number` and wait; kill after `seconds`."""
    if process.poll() is None:
        process.send_signal(signal_number)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def quiet_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment without variables that lead to another server (PGHOST and similar, REDIS_URL,
    DATABASE_URL)."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith("PG") and k not in {"DATABASE_URL", "REDIS_URL"}}
    return ours | dict(extra or {})
