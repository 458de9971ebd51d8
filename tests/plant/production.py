"""The real production on this machine: web, worker and beat as processes, with their own PostgreSQL and Redis."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import yaml
from websockets.sync.client import ClientConnection, connect

from tests.servers.programs import end
from tock_league.embedded.server import bound_socket

ROOT = Path(__file__).resolve().parent.parent.parent
HOST = "tock.test"


def environment(database_url: str, redis_url: str, folder: Path) -> dict[str, str]:
    """Return the environment of every process: the variables of .env.example, and no others that affect Django."""
    steering = ("DJANGO_SETTINGS_MODULE", "TOCK_DATA", "EMAIL_URL", "SENTRY_DSN")
    return {name: value for name, value in os.environ.items() if name not in steering} | {
        "DJANGO_SETTINGS_MODULE": "tock_league.settings.production",
        "SECRET_KEY": "a key for one test, longer than fifty characters, of which no one has any use",
        "SITE_URL": f"https://{HOST}",
        "ALLOWED_HOSTS": HOST,
        "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "STATIC_ROOT": str(folder / "static"),
        "MAIL_DIR": str(folder / "mail"),
    }


@dataclass
class Production:
    """A running production; requests arrive as from a proxy that terminates TLS."""

    environment: dict[str, str]
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    logs: dict[str, Path] = field(default_factory=dict)

    def manage(self, *words: str, text: str | None = None) -> str:
        """Run a management command, return its output. Raises AssertionError with its error output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=self.environment, input=text, capture_output=True, text=True, timeout=180,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, *command: str, **more: str) -> None:
        """Start a process by module and arguments; its output goes to a log. `more`: variables of its environment."""
        self.logs[name] = Path(self.environment["STATIC_ROOT"]).parent / f"{name}.log"
        with open(self.logs[name], "wb") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=self.environment | more,
                stdout=log,
                stderr=log,
                start_new_session=True,  # its own process group, so that its children can be ended with it
            )

    def stop(self, name: str, number: int = signal.SIGTERM) -> int:
        """Send a signal to a process, wait, return its exit code."""
        process = self.processes.pop(name)
        end(process, signal_number=number, seconds=20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # children that a clean exit would have ended itself
        return process.returncode


@dataclass
class Client:
    """A minimal browser: keeps cookies, claims to come by https, follows no redirects.

    `context`: for a server that itself speaks https; `name`: the name of its certificate.
    """

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"
    context: ssl.SSLContext | None = None
    name: str = "localhost"

    def connection(self) -> http.client.HTTPConnection:
        """Return a new connection, with TLS if there is a context."""
        made = http.client.HTTPConnection(self.address, self.port, timeout=20)
        if self.context is not None:
            made.sock = self.context.wrap_socket(self.opened(), server_hostname=self.name)
        return made

    def opened(self) -> socket.socket:
        """Return a new connection without TLS."""
        return socket.create_connection((self.address, self.port), timeout=20)

    def request(
        self, method: str, path: str, form: dict[str, str] | None = None, *, scheme: str = "https", **more: str
    ) -> tuple[int, dict[str, str], str]:
        """Return status, headers (names in lower case) and body. `more`: headers of the request, with _ for -."""
        headers = {"Host": HOST, "X-Forwarded-Proto": scheme, "Referer": f"https://{HOST}/"}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(form)
        with contextlib.closing(self.connection()) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or []:
                for name, morsel in SimpleCookie(line).items():
                    self.cookies[name] = morsel.value
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read().decode()

    def practise(self) -> tuple[int, dict[str, str], str]:
        """Open a practice table as a guest; the answer redirects there."""
        page = self.request("GET", "/practice/")[2]
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token, page
        return self.request("POST", "/practice/", {"csrfmiddlewaretoken": token[1]})

    @contextlib.contextmanager
    def at_table(self, table: str) -> Iterator[ClientConnection]:
        """Give a socket that has joined this visitor's seat at a table."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        tls = {"ssl": self.context, "server_hostname": self.name} if self.context else {}
        with connect(
            f"{'wss' if tls else 'ws'}://{HOST if tls else '127.0.0.1'}:{self.port}/ws/table/{table}",
            sock=self.opened(),
            **tls,  # type: ignore[arg-type]
            subprotocols=["tock.table.v1"],  # type: ignore[list-item]
            origin=f"https://{HOST}",  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies, "X-Forwarded-Proto": "https"},
        ) as opened:
            opened.send(json.dumps({"t": "join", "table": table, "as": "seat"}))
            yield opened


def commands() -> dict[str, list[str]]:
    """Return what the image and the compose file start: service -> command line."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    image = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    default = json.loads(re.findall(r"^CMD (\[.*\])", image, re.MULTILINE)[-1])
    return {name: compose[name].get("command", default) for name in ("web", "worker", "beat", "migrate")}


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with contextlib.closing(bound_socket("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextlib.contextmanager
def production(database_url: str, redis_url: str, folder: Path) -> Iterator[Production]:
    """Give a production that has its tables and static files and runs no process yet."""
    made = Production(environment(database_url, redis_url, folder), free_port())
    try:
        made.manage("migrate", "--noinput", "--verbosity", "0")
        # Most files belong to other packages' pages, and compressing them takes twenty seconds.
        made.manage("collectstatic", "--noinput", "--verbosity", "0", "--ignore", "admin", "--ignore", "*sidecar*",
                    "--ignore", "rest_framework")  # fmt: skip
        yield made
    finally:
        for name in list(made.processes):
            made.stop(name, signal.SIGKILL)
