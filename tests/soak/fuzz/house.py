"""The server under attack: a process of its own whose clock stands on the evening of the built world.

`embedded`: `serve` on SQLite. `on_servers`: a web process, a worker and a beat with production settings on a PostgreSQL
and a Redis of their own.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PASSED_OVER = (
    "TOCK_TEST_DATABASE_URL",
    "EMAIL_URL",
    "SENTRY_DSN",
    "ALLOWED_HOSTS",
    "TOCK_DATA",
    "DJANGO_SETTINGS_MODULE",
)
STEPPED = "tests.soak.faults.stepped"


@dataclass
class House:
    """A running site at `port`. `headers` come with every request: what a proxy would send."""

    port: int
    host: str
    origin: str
    headers: dict[str, str]
    processes: dict[str, subprocess.Popen[bytes]]
    logs: dict[str, Path]
    _read: dict[str, int] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)  # bad lines so far

    def new_lines(self) -> list[str]:
        """Return what the processes have logged since the last call."""
        found: list[str] = []
        for name, log in self.logs.items():
            data = log.read_bytes()[self._read.get(name, 0) :]
            whole = data[: data.rfind(b"\n") + 1]
            self._read[name] = self._read.get(name, 0) + len(whole)
            found += [f"{name}: {line}" for line in whole.decode(errors="replace").splitlines()]
        return found

    def resident(self) -> int:
        """Return the memory of the web process in bytes."""
        return _resident(self.processes["web"].pid)

    def ended(self) -> list[str]:
        """Return the processes that have ended by themselves."""
        return [name for name, process in self.processes.items() if process.poll() is not None]

    def stop(self) -> None:
        """Stop everything in order; kill what does not stop within half a minute."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()
            process.wait()


def _resident(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    found = re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)
    assert found, "the process has no memory: it has ended"
    return int(found[1]) * 1024


def bare_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in PASSED_OVER}


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Give a temporary folder with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="tock-fuzz-", dir="/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


def set_clock(path: Path, at: float) -> None:
    """Let the processes that are started with this file believe that it is `at`, in seconds since 1970."""
    from tests.soak.faults.stepped import set_step

    set_step(path, at - time.time())


def start(words: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with open(log, "wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", STEPPED, *words], cwd=ROOT, env=environment, stdout=file, stderr=file
        )


def wait_until_up(port: int, headers: dict[str, str], host: str, seconds: float = 120.0) -> None:
    """Wait until the site behind the port is live. Raises TimeoutError."""
    from .wire import send

    until = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            if send(port, "GET", "/health/live", {"Host": host, **headers}).status == 200:
                return
        if time.monotonic() > until:
            raise TimeoutError(f"nothing is live at port {port} after {seconds:.0f} s")
        time.sleep(0.2)
