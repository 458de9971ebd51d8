"""The nightly copy: when it is due, and the process that makes it.

A club's laptop is off at night, so a copy that was missed is made once the site has run for a while.
"""

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tock_league.common import clock
from tock_league.embedded.datalock import lock

from .backup import copies, default_folder
from .errors import CannotDo

log = logging.getLogger(__name__)
AT_NIGHT = range(3, 6)  # hours in which a copy is made once the last one is from the day before
AFTER = timedelta(hours=12)  # at night
LATEST = timedelta(hours=26)  # at any hour
PAUSE = timedelta(hours=1)  # between two attempts
_tried: dict[Path, datetime] = {}
_running: list[subprocess.Popen[bytes]] = []


def start_if_due() -> bool:
    """Start the process of the nightly copy if one is due; return whether it was started. Does not wait for it."""
    if not settings.NIGHTLY_BACKUP:
        return False
    try:
        folder = default_folder()
    except CannotDo as reason:
        log.error("the nightly copy failed: %s", reason)
        return False
    now = clock.now()
    if not due(now, newest(folder)) or now - _tried.get(folder, now - PAUSE) < PAUSE:
        return False
    _tried[folder] = now
    _running[:] = [process for process in _running if process.poll() is None]  # ended children are collected
    command = [sys.executable, str(settings.ROOT / "manage.py"), "backup", "--nightly"]
    _running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
    return True


def due(now: datetime, last: datetime | None) -> bool:
    """Return whether a copy is due at `now`, the newest one being from `last`."""
    if last is None:
        return True
    age = now - last
    return age >= LATEST or (age >= AFTER and timezone.localtime(now).hour in AT_NIGHT)


def newest(folder: Path) -> datetime | None:
    """Return when the newest copy in a folder was written, None without one."""
    found = copies(folder)
    return clock.from_ms(int(found[-1].stat().st_mtime * 1000)) if found else None


@contextmanager
def alone(folder: Path, name: str = "lock") -> Iterator[bool]:
    """Hold the folder of the copies for this process; give False where another one is at work there.

    `name`: of the lock file, one for each kind of work.
    """
    with open(folder / name, "a", encoding="ascii") as file:
        yield lock(file.fileno())
