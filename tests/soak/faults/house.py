"""The processes and servers that the faults hit."""

import contextlib
import json
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.plant.production import Client, Production
from tests.servers.postgres import Cluster
from tests.servers.redis import Redis
from tests.servers.site import eventually

Door = tuple[str, int]  # address and port
UP_S = 60.0  # seconds within which a process that was started must answer; the machine may be busy


def swapped(words: Sequence[str], address: str, port: int) -> list[str]:
    """Return a web process's command with another address and port, and one worker."""
    others = {"0.0.0.0": address, "8000": str(port), "2": "1"}
    return [others.get(word, word) for word in words]


@dataclass
class House:
    """A running production. `webs`: port of each web process by name; `commands`: what starts each process.

    `addresses`: of each process that does not listen on 127.0.0.1, by name. `front`: of a proxy before the web processes, if
    people come through one. `place`: the network in which a process is started. `more`: variables of one process.
    """

    production: Production
    database: Cluster
    redis: Redis
    webs: dict[str, int]
    commands: dict[str, list[str]]
    name: str = "postgres"  # of the database
    step_file: Path | None = None  # where the processes read how far their clock is ahead
    ballast: Path | None = None  # a file on the small disk that holds the tables
    addresses: dict[str, str] = field(default_factory=dict)
    front: Door | None = None
    place: Callable[[str], contextlib.AbstractContextManager[None]] = lambda _name: contextlib.nullcontext()
    more: dict[str, dict[str, str]] = field(default_factory=dict)
    _read: dict[str, int] = field(default_factory=dict)  # how much of each log was read
    _kept: list[str] = field(default_factory=list)  # lines of processes that were killed

    @property
    def doors(self) -> list[Door]:
        """Where people come in: at the proxy, or at each web process."""
        return [self.front] if self.front else [self.door(name) for name in self.webs]

    def door(self, name: str) -> Door:
        """Return where a web process listens."""
        return self.addresses.get(name, "127.0.0.1"), self.webs[name]

    def client(self) -> Client:
        """Return a browser at the first door."""
        address, port = self.doors[0]
        return Client(port, address=address)

    def asked(self, sql: str, *params: object) -> list[tuple[object, ...]]:
        """Return the rows of a query, asked by the database's Unix socket; [] for what gives none."""
        with psycopg.connect(host=str(self.database.folder), user="tock", dbname=self.name, autocommit=True) as asked:
            found = asked.execute(sql.encode(), params or None)
            return found.fetchall() if found.description else []

    def start(self, name: str) -> None:
        """Start a process."""
        more = {"PGAPPNAME": name, **self.more.get(name, {})}
        with self.place(name):
            self.production.start(name, *self.commands[name], **more)
        self._read[name] = 0

    def stop(self, name: str) -> int:
        """Stop a process by SIGTERM; return its exit code. Its log is read before: the next process overwrites it."""
        code = self.production.stop(name)
        self._kept += self._unread(name)
        return code

    def kill(self, name: str) -> None:
        """`kill -9` of a process and its children. Its log is read before: the next process overwrites it."""
        self.production.stop(name, signal.SIGKILL)
        self._kept += self._unread(name)

    def signal(self, name: str, number: int) -> None:
        """Send a signal to a process and its children."""
        os.killpg(self.production.processes[name].pid, number)

    def is_up(self, name: str) -> bool:
        """Return whether a web process is ready."""
        return self.ready(name)[0] == 200

    def wait_until_up(self) -> None:
        """Wait until all web processes are ready."""
        for name in self.webs:
            eventually(lambda name=name: self.is_up(name), seconds=UP_S, every=0.1)  # type: ignore[misc]

    def ready(self, name: str) -> tuple[int, dict[str, object]]:
        """Return status and body of a web process's readiness page; (0, {}) when it does not answer."""
        address, port = self.door(name)
        try:
            status, _, body = Client(port, address=address).request("GET", "/health/ready")
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
