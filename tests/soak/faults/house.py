"""The processes and servers that the faults hit."""

import json
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

from tests.plant.production import Client, Production
from tests.servers.postgres import Cluster
from tests.servers.redis import Redis
from tests.servers.site import eventually

UP_S = 60.0  # seconds within which a process that was started must answer; the machine may be busy


@dataclass
class House:
    """A running production. `webs`: port of each web process by name; `commands`: what starts each process."""

    production: Production
    database: Cluster
    redis: Redis
    webs: dict[str, int]
    commands: dict[str, list[str]]
    name: str = "postgres"  # of the database
    step_file: Path | None = None  # where the processes read how far their clock is ahead
    ballast: Path | None = None  # a file on the small disk that holds the tables
    _read: dict[str, int] = field(default_factory=dict)  # how much of each log was read
    _kept: list[str] = field(default_factory=list)  # lines of processes that were killed

    @property
    def ports(self) -> list[int]:
        return list(self.webs.values())

    def start(self, name: str) -> None:
        """Start a process."""
        self.production.start(name, *self.commands[name])
        self._read[name] = 0

    def kill(self, name: str) -> None:
        """`kill -9` of a process and its children. Its log is read before: the next process overwrites it."""
        self.production.stop(name, signal.SIGKILL)
        self._kept += self._unread(name)

    def signal(self, name: str, number: int) -> None:
        """Send a signal to a process and its children."""
        os.killpg(self.production.processes[name].pid, number)

    def is_up(self, port: int) -> bool:
        """Return whether the process behind the port is ready."""
        try:
            return Client(port).request("GET", "/health/ready")[0] == 200
        except OSError:
            return False

    def wait_until_up(self) -> None:
        """Wait until all web processes are ready."""
        for port in self.ports:
            eventually(lambda port=port: self.is_up(port), seconds=UP_S, every=0.1)  # type: ignore[misc]

    def ready(self, port: int) -> tuple[int, dict[str, object]]:
        """Return status and body of the readiness page; (0, {}) when the process does not answer."""
        try:
            status, _, body = Client(port).request("GET", "/health/ready")
        except OSError:
            return 0, {}
        return status, json.loads(body)

    def new_lines(self) -> list[str]:
        """Return the lines that the processes have logged since the last call, each with the process's name."""
        found, self._kept = self._kept, []
        for name in self.production.logs:
            found += self._unread(name)
        return found

    def _unread(self, name: str) -> list[str]:
        text = self.production.logs[name].read_text(errors="replace")
        new = text[self._read.get(name, 0) :]
        self._read[name] = len(text)
        return [f"{name}: {line}" for line in new.splitlines()]

    def stop_database(self) -> None:
        """Stop PostgreSQL at once, as `pg_ctl stop -m immediate` does."""
        self.database.stop(signal.SIGQUIT)

    def ended(self) -> list[str]:
        """Return the processes that have ended by themselves."""
        return [name for name, process in self.production.processes.items() if process.poll() is not None]
