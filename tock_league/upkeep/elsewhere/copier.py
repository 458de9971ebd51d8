"""The copier: makes a copy on the other disk whenever something has changed. It runs in a process of its own.

It looks every few seconds. A change is in a copy after at most EVERY_S, LOOK_S and the time that one copy takes: under a
minute while a copy takes less than 25 seconds. The copy is made on this computer's disk, and the finished file is carried to
the other one, which may be slow, and may be pulled out at any moment.
"""

import logging
import os
import sqlite3
import threading
from pathlib import Path

from django.db import connection

from tock_league.common import clock

from ..backup import backup
from ..changes import Watch
from ..errors import CannotDo
from . import files, status

log = logging.getLogger(__name__)
EVERY_S = float(os.environ.get("TOCK_COPY_EVERY_S", 30))  # between the beginnings of two copies; less in tests
LOOK_S = EVERY_S / 6
PULLED_OUT = "The other disk is no longer there: put the stick in again."


class Copier:
    """Copies of the database in `data`, as `asked`. One thread."""

    def __init__(self, data: Path, asked: status.Status) -> None:
        self._data, self._status = data, asked
        self._folder = Path(asked.folder)
        self._watch = Watch(data / "tock.sqlite3")
        self._version = -1  # of the database when it was last found to be in a copy
        self._contents = ""
        self._begun = -EVERY_S
        self._file: Path | None = None  # the last copy

    def run(self, stopping: threading.Event) -> None:
        """Look until told to stop."""
        files.forget_work(self._data)
        while not stopping.is_set():
            self.look()
            stopping.wait(LOOK_S)
        self._watch.close()

    def look(self) -> bool:
        """Make a copy if one is due, and note how things stand; return whether one was made."""
        try:
            self._require_disk()
            made = self._copy_if_changed()
        except CannotDo as reason:
            self._fail(str(reason))
        except (OSError, sqlite3.Error) as error:
            self._fail(f"The copy cannot be written: {getattr(error, 'strerror', None) or error}.")
        else:
            return made
        return False

    def _require_disk(self) -> None:
        """Raise CannotDo where the stick is gone, or its mount point is a folder of this computer's own disk."""
        if not self._folder.is_dir() or (self._status.another_disk and not is_another_disk(self._folder, self._data)):
            self._file = None  # another stick may come back, without our copies
            raise CannotDo(PULLED_OUT)

    def _copy_if_changed(self) -> bool:
        there = self._file is not None and self._file.exists()
        version = self._watch.version()
        if there and version == self._version:
            self._keep(self._status.good())
            return False
        if clock.monotonic() - self._begun < EVERY_S and not self._status.reason:
            return False
        self._begun = clock.monotonic()
        contents = self._watch.contents()
        made = not there or contents != self._contents
        if made:
            self._copy()
        self._version, self._contents = version, contents
        self._keep(self._status.good())
        return made

    def _copy(self) -> None:
        """Write a copy of the present moment and delete old ones."""
        files.thin_out(self._folder)  # first, for the room
        path = self._folder / files.name_at(clock.now())
        try:
            backup(path, work=self._data)
        finally:
            connection.close()  # an open one would keep the log of the database from being emptied
        self._file = path

    def _fail(self, reason: str) -> None:
        if reason != self._status.reason:
            log.error("the copy to the other disk failed: %s", reason)
        self._keep(self._status.failed(reason))

    def _keep(self, found: status.Status) -> None:
        self._status = found
        try:
            status.write(self._data, found)
        except OSError as error:
            log.error("the state of the copies cannot be kept: %s", error)


def is_another_disk(folder: Path, data: Path) -> bool:
    """Return whether two folders are on different disks, as far as the system tells."""
    return folder.stat().st_dev != data.stat().st_dev
