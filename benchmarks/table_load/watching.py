"""Measurements inside the server process without changes to its code: CPU by function, statements by text."""

import cProfile
import json
import re
import signal
import sqlite3
import sqlite3.dbapi2
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from .places import ROOT


class Profiler:
    """cProfile by the CPU clock of each thread, so that waiting for a lock, a socket or the disk costs nothing.

    SIGUSR1 resets the counts, so that start and warm-up are excluded; SIGUSR2 writes the counts since then.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._profiles: list[tuple[str, cProfile.Profile]] = []
        self._before: Counter[tuple[str, str, str]] = Counter()

    def start(self) -> None:
        """Profile this thread, and every thread that starts from now on."""
        signal.signal(signal.SIGUSR1, self._begin_anew)
        signal.signal(signal.SIGUSR2, self._write)
        threading.setprofile(self._in_new_thread)
        self._enable("loop")

    def _enable(self, name: str) -> None:
        found = cProfile.Profile(time.thread_time)
        self._profiles.append((name, found))
        found.enable()

    def _in_new_thread(self, frame: FrameType, event: str, argument: Any) -> None:
        self._enable(threading.current_thread().name.rstrip("-_0123456789"))

    def _begin_anew(self, number: int, frame: FrameType | None) -> None:
        own = self._profiles[0][1]
        own.disable()  # the code below does not belong to the server
        self._before = self._told()
        own.enable()

    def _told(self) -> Counter[tuple[str, str, str]]:
        """Return calls and CPU microseconds of each function by thread, its callees not counted."""
        told: Counter[tuple[str, str, str]] = Counter()
        for thread, profile in list(self._profiles):
            for entry in profile.getstats():  # type: ignore[attr-defined]
                name = place_of(entry.code)
                told[thread, name, "calls"] += entry.callcount
                told[thread, name, "us"] += round(entry.inlinetime * 1e6)
        return told

    def _write(self, number: int, frame: FrameType | None) -> None:
        """Write rows of [thread, function, "calls" or "us", count]."""
        self._profiles[0][1].disable()
        told = self._told()
        told.subtract(self._before)
        write(self._path, [[*key, count] for key, count in told.items() if count])


def place_of(code: CodeType | str) -> str:
    """Return a short name for a function: path below its package's folder, line, name."""
    if isinstance(code, str):
        return re.sub(r" at 0x[0-9a-f]+", "", code)
    path = code.co_filename
    for folder in (*sorted(sys.path, key=len, reverse=True), str(ROOT)):
        if folder and path.startswith(f"{folder}/"):
            path = path.removeprefix(f"{folder}/")
            break
    return f"{path}:{code.co_firstlineno} {code.co_name}"


class Tracer:
    """Counts the statements of every SQLite connection by text; SIGUSR2 writes the counts so far."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._counts: Counter[str] = Counter()

    def start(self) -> None:
        """Trace every connection that is opened from now on."""
        connect = sqlite3.dbapi2.connect

        def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
            made = connect(*args, **kwargs)
            made.set_trace_callback(self._count)
            return made

        sqlite3.connect = sqlite3.dbapi2.connect = traced  # type: ignore[assignment]
        signal.signal(signal.SIGUSR2, self._write)

    def _count(self, statement: str) -> None:
        self._counts[statement] += 1

    def _write(self, number: int, frame: FrameType | None) -> None:
        write(self._path, dict(self._counts))


def write(path: Path, told: object) -> None:
    """Write `told` as JSON, atomically, so that a waiting reader never sees half of the file."""
    half = path.with_suffix(".half")
    half.write_text(json.dumps(told))
    half.rename(path)
