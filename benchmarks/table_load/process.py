"""Processes that are measured: start them, wait until they answer, read CPU and memory from /proc, stop them."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.plant.production import free_port
from tests.servers.programs import end, wait_until

from .places import ROOT

TICKS = os.sysconf("SC_CLK_TCK")


class Process:
    """A running server: `port` on this machine, `log` what it printed."""

    def __init__(self, module: str, environment: dict[str, str], log: Path) -> None:
        self.port, self.log = free_port(), log
        with open(log, "wb") as printed:
            self.child = subprocess.Popen(
                [sys.executable, "-m", module, str(self.port)],
                cwd=ROOT,
                env=environment,
                stdout=printed,
                stderr=printed,
            )

    def wait_until_up(self, seconds: float = 60.0) -> None:
        """Wait until the port answers. Raises RuntimeError with the log when the process ends first."""
        until = time.monotonic() + seconds
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self.child.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the server does not come up:\n{self.log.read_text()[-4000:]}")
            time.sleep(0.05)

    @property
    def cpu(self) -> float:
        """Return the CPU seconds used so far, user and system, all threads."""
        return cpu_of(self.child.pid)

    @property
    def memory(self) -> int:
        """Return the resident bytes."""
        pages = Path(f"/proc/{self.child.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def threads(self) -> int:
        """Return how many threads it runs."""
        return len(os.listdir(f"/proc/{self.child.pid}/task"))

    def tell(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.child.send_signal(number)

    def written(self, path: Path) -> Any:
        """Send SIGUSR2, on which the process writes a file; return the file's content."""
        path.unlink(missing_ok=True)
        self.tell(signal.SIGUSR2)
        wait_until(path.exists, what="the server's own count", seconds=60, process=self.child)
        return json.loads(path.read_text())


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process so far, 0.0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def running(module: str, environment: dict[str, str], log: Path) -> Iterator[Process]:
    """Give a process that answers; it is stopped afterwards."""
    started = Process(module, environment, log)
    try:
        started.wait_until_up()
        yield started
    finally:
        end(started.child, signal_number=signal.SIGTERM, seconds=20)
