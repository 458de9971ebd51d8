"""`serve` in its own process, for tests that start, stop, kill and restart the whole site."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

from tests.servers.programs import end

ROOT = Path(__file__).resolve().parent.parent.parent
ADDRESS = "Tock League is at "


class Served:
    """A running `serve`: `url` without a slash at its end, `lines` printed so far."""

    def __init__(self, data: Path, *words: str, port: int = 0) -> None:
        self.data = data
        self.lines: list[str] = []
        self._queue: Queue[str | None] = Queue()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--data", str(data), "--port", str(port), *words],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = ""

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as printed:
            for line in printed:
                self.lines.append(line.rstrip("\n"))
                self._queue.put(line)
        self._queue.put(None)

    def wait_for(self, beginning: str, *, seconds: float = 60.0) -> str:
        """Return the rest of the first line with this beginning. Raises AssertionError when it does not come."""
        while True:
            try:
                line = self._queue.get(timeout=seconds)
            except Empty:
                raise AssertionError(f"no line {beginning!r} in {seconds} s: {self.lines}") from None
            assert line is not None, f"serve ended without the line {beginning!r}: {self.lines}"
            if line.startswith(beginning):
                return line.removeprefix(beginning).strip()

    def wait_until_up(self, *, seconds: float = 60.0) -> None:
        """Wait until the address is printed; the site answers then."""
        self.url = self.wait_for(ADDRESS, seconds=seconds).rstrip("/")

    @property
    def port(self) -> int:
        """Return the port it listens on."""
        return int(self.url.rsplit(":", 1)[1])

    def stop(self, number: int = signal.SIGTERM, seconds: float = 15.0) -> int:
        """Send a signal; return the exit code. Raises TimeoutExpired after `seconds`."""
        self.process.send_signal(number)
        return self.ended(seconds)

    def kill(self) -> None:
        """`kill -9`, then wait until it is gone."""
        self.process.kill()
        self.ended()

    def ended(self, seconds: float = 60.0) -> int:
        """Wait until it ends by itself; return the exit code, with all its lines read."""
        code = self.process.wait(seconds)
        self._reader.join(seconds)
        return code


def environment() -> dict[str, str]:
    """Return an environment in which `serve` chooses its settings itself."""
    steering = ("DJANGO_SETTINGS_MODULE", "TOCK_DATA", "ALLOWED_HOSTS", "EMAIL_URL")
    return {name: value for name, value in os.environ.items() if name not in steering}


@contextmanager
def serving(data: Path, *words: str, port: int = 0, seconds: float = 60.0) -> Iterator[Served]:
    """Give a running site; it is ended afterwards, whatever the result of the test."""
    served = Served(data, *(words or ("--no-demo",)), port=port)
    try:
        served.wait_until_up(seconds=seconds)
        yield served
    finally:
        end(served.process, signal_number=signal.SIGKILL)
        served.ended()
