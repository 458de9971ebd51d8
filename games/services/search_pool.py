"""Processes in which bots search, so that a search never holds the interpreter of a process that serves people.

Each is a plain child with two pipes (`games.services.search_process`), not one of `multiprocessing`: it needs no shared
memory, does not import the main module again, and may be started by any process, also by a Celery worker
(docs/decisions/0015). It is started when a thread first needs it and is kept. A pool has as many as there are threads
that search at the same time.
"""

import atexit
import json
import logging
import os
import secrets
import subprocess  # nosec B404: a program of our own, without a shell
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Any

from django.conf import settings

from tock_league.common import clock

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
MOST = 4  # processes, unless the setting allows more
START_S = 5.0  # a busy machine starts a process of low priority slowly
GRACE_S = 3.0  # seconds beyond its time after which a search counts as lost
LAST_WORDS_S = 1.0  # for a search that is told to end at once
AGAIN_S = 60.0  # until another start is tried after one has failed
# What a child needs of our environment: no password, no address, no setting.
ENVIRONMENT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")


class SearchLost(Exception):
    """The process ended, or did not answer in time. It has been ended; the next search gets another one."""


class SearchFailed(Exception):
    """The bot raised an error; the message is its traceback."""


class NoProcess(Exception):
    """No process can be started now."""


def wanted() -> int:
    """Return how many processes may search: the setting, else one fewer than the cores, at least 1 and at most MOST."""
    given: int | None = settings.TOCK_BOT_PROCESSES
    return given if given is not None else max(1, min(MOST, cores() - 1))


def cores(limit: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return the cores that this process may use; `limit`: the file with a container's share, if there is one."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = limit.read_text(encoding="ascii").split()
        return count if quota == "max" else min(count, ceil(int(quota) / int(period)))
    except (OSError, ValueError):
        return count


class SearchPool:
    """The processes of one pool of threads; each thread uses one while it searches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._leaving = False
        self._told = False
        self._again_at = 0.0
        self._at_exit = False

    def search(self, question: Mapping[str, Any], seconds: float) -> str:
        """Return the line of a bot that may search for this many seconds; see `search_process.answer` for the question.

        Raises SearchLost, SearchFailed, or NoProcess; after NoProcess the caller searches itself.
        """
        line = json.dumps({**question, "seed": secrets.randbelow(2**64), "seconds": seconds})
        process = self._take()
        try:
            word = process.ask(line, seconds + GRACE_S)
        except BaseException as error:
            leaving = self._forget(process)
            if isinstance(error, RuntimeError) or (leaving and isinstance(error, SearchLost)):
                # no thread can be started to watch it, or all searches have been told to end
                raise NoProcess from error
            raise
        with self._lock:
            self._idle.append(process)
        if "fault" in word:
            raise SearchFailed(word["fault"])
        return str(word["line"])

    def pids(self) -> list[int]:
        """Return the ids of the processes that were started and not found dead."""
        with self._lock:
            return [process.pid for process in self._all]

    def hurry(self) -> None:
        """Tell all searches that time is up: they answer, and their processes end. No other search begins before
        `close`.
        """
        with self._lock:
            self._leaving = True
            found = list(self._all)
        for process in found:
            process.leave()

    def close(self) -> None:
        """End all processes and wait for each at most LAST_WORDS_S; the pool can be used again."""
        self.hurry()
        with self._lock:
            found = list(self._all)
            self._all.clear()
            self._idle.clear()
        for process in found:
            process.end()
        with self._lock:
            self._leaving = False

    def _take(self) -> "_Process":
        """Return a running process, a new one if needed. Raises NoProcess."""
        with self._lock:
            if self._leaving or not wanted():
                raise NoProcess
            while self._idle:
                process = self._idle.pop()
                if process.lives():
                    return process
                self._all.discard(process)
                process.end()
            if clock.monotonic() < self._again_at:
                raise NoProcess
            if not self._at_exit:
                atexit.register(self.close)
                self._at_exit = True
        try:
            return self._start()
        except (OSError, RuntimeError, SearchLost) as error:  # RuntimeError: no thread can be started to watch it
            self._tell(error)
            raise NoProcess from error

    def _start(self) -> "_Process":
        """Return a process that is ready. Raises OSError, RuntimeError or SearchLost."""
        process = _Process()
        try:
            if self._keep(process):
                process.leave()
            process.hear(START_S)
        except BaseException:
            self._forget(process)
            raise
        return process

    def _keep(self, process: "_Process") -> bool:
        """Register a new process; return whether all have been told to end meanwhile."""
        with self._lock:
            self._all.add(process)
            return self._leaving

    def _tell(self, error: Exception) -> None:
        """Record that no process can be started; log it the first time. No-op while all searches are told to end."""
        with self._lock:
            if self._leaving:
                return
            told, self._told = self._told, True
            self._again_at = clock.monotonic() + AGAIN_S
        if not told:
            log.warning("bots search in threads of this process, for no other can be started: %r", error)

    def _forget(self, process: "_Process") -> bool:
        """Release a process; return whether all are told to end."""
        with self._lock:
            self._all.discard(process)
        process.end()
        return self._leaving


class _Process:
    """One process, and the pipes to it. One thread asks at a time; any thread may tell it to end."""

    def __init__(self) -> None:
        """Start it; its first message is that it is ready. Raises OSError."""
        self._lock = threading.Lock()
        self._leaving = False
        # -S: site-packages are not needed. A session of its own: Ctrl+C at a terminal reaches the parent only.
        self._child = subprocess.Popen(  # nosec B603
            [sys.executable or "python3", "-S", "-m", "games.services.search_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
            start_new_session=True,
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._in, self._out = self._child.stdin, self._child.stdout
        self.pid = self._child.pid

    def lives(self) -> bool:
        """Return whether the process is running and has not been told to end."""
        return not self._leaving and self._child.poll() is None

    def ask(self, question: str, patience: float) -> dict[str, Any]:
        """Return the answer to a JSON question. Raises SearchLost when none comes within `patience` seconds."""
        with self._watched(patience), self._lock:
            if self._leaving:
                raise SearchLost("it was told to leave")
            try:
                self._in.write(question.encode("ascii") + b"\n")
                self._in.flush()
            except (OSError, ValueError) as error:  # ValueError: its input was closed meanwhile
                raise SearchLost(f"process {self.pid}: {error}") from error
        return self.hear(patience)

    def hear(self, patience: float) -> dict[str, Any]:
        """Return its next message. Raises SearchLost when none comes within `patience` seconds; it is killed then."""
        with self._watched(patience):
            line = self._out.readline()
        try:
            word: dict[str, Any] = json.loads(line)
        except ValueError:
            raise SearchLost(f"process {self.pid} ended: {line!r}") from None
        return word

    def leave(self) -> None:
        """Close its input: it answers its question and ends. Kill it if its question is still being written."""
        self._leaving = True
        if not self._lock.acquire(timeout=LAST_WORDS_S):
            self._child.kill()
            return
        try:
            with suppress(OSError):  # it has ended already
                self._in.close()
        finally:
            self._lock.release()

    def end(self) -> None:
        """Wait for its end; kill it after LAST_WORDS_S."""
        self.leave()
        try:
            self._child.wait(LAST_WORDS_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._out.close()

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[None]:
        """Kill the process if the block takes longer, which ends a blocked read or write of its pipes.

        Raises RuntimeError when no thread can be started to watch it.
        """
        watch = threading.Timer(seconds, self._child.kill)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()
