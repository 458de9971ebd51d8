"""Clients of a production on this machine: a guest's practice table, and many concurrent requests."""

import contextlib
import http.client
import json
import re
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from websockets.sync.client import ClientConnection, connect

from games.live.messages import SUBPROTOCOL

from .production import HOST, Client


@dataclass(frozen=True)
class Answer:
    """An answer, and the seconds that it took."""

    status: int
    headers: dict[str, str]
    body: str
    seconds: float

    def json(self) -> dict[str, Any]:
        """Return the body as JSON."""
        found: dict[str, Any] = json.loads(self.body)
        return found


def ask(client: Client, method: str, path: str, body: Any = None, *, timeout: float = 60.0, **headers: str) -> Answer:
    """Send one request, with a body in JSON if there is one."""
    sent = {"Host": HOST, "X-Forwarded-Proto": "https", "Referer": f"https://{HOST}/", **headers}
    if client.cookies:
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    text = None
    if body is not None:
        text = json.dumps(body)
        sent |= {"Content-Type": "application/json", "X-CSRFToken": client.cookies["__Host-csrf"]}
    begun = time.monotonic()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", client.port, timeout=timeout)) as connection:
        connection.request(method, path, text, sent)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.headers.items()}
        return Answer(answer.status, found, answer.read().decode(), time.monotonic() - begun)


def page(client: Client, path: str = "/", **more: Any) -> Answer:
    """Request a page."""
    return ask(client, "GET", path, Accept="text/html", **more)


def all_at_once(count: int, work: Callable[[], Answer]) -> list[Answer]:
    """Run `work` in `count` threads at the same moment."""
    with ThreadPoolExecutor(count) as threads:
        return [each.result() for each in [threads.submit(work) for _ in range(count)]]


@dataclass
class Guest:
    """A person at a practice table of their own, by HTTP and by socket."""

    client: Client
    table: str

    @classmethod
    def sits_down(cls, port: int) -> "Guest":
        """Open a practice table as the page's form does."""
        client = Client(port)
        status, _, body = client.request("GET", "/practice/")
        assert status == 200, body
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', body)
        assert token
        status, headers, body = client.request("POST", "/practice/", {"csrfmiddlewaretoken": token[1]})
        assert status == 302, body
        return cls(client, headers["location"].strip("/").split("/")[-1])

    def path(self, what: str) -> str:
        """Return the address of one of this table's HTTP equivalents."""
        return f"/api/tables/{self.table}/{what}"

    def view(self) -> dict[str, Any]:
        """Return the seat's view."""
        found = ask(self.client, "GET", self.path("snap"))
        assert found.status == 200, found
        view: dict[str, Any] = found.json()["view"]
        return view

    def command(self, kind: str, turn: str, *, id: str = "", **args: str) -> Answer:
        """Send a command by HTTP."""
        body = {"id": id or str(uuid.uuid4()), "turn": turn, "kind": kind, "args": args}
        return ask(self.client, "POST", self.path("commands"), body)

    @contextlib.contextmanager
    def socket(self) -> Iterator["TableSocket"]:
        """Give an open, joined socket."""
        plain = socket.create_connection(("127.0.0.1", self.client.port), timeout=20)
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        with connect(
            f"ws://{HOST}/ws/table/{self.table}",
            sock=plain,
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            origin=f"https://{HOST}",  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies, "X-Forwarded-Proto": "https"},
            compression=None,
            ping_interval=None,
        ) as inner:
            table = TableSocket(inner)
            table.send(t="join", table=self.table, **{"as": "seat"})
            table.until("snap")
            yield table


class TableSocket:
    """One socket; all received frames are kept."""

    def __init__(self, inner: ClientConnection) -> None:
        self.inner = inner
        self.frames: list[dict[str, Any]] = []

    def send(self, **frame: Any) -> None:
        """Send a frame."""
        self.inner.send(json.dumps(frame))

    def until(self, *kinds: str, seconds: float = 20.0, **wanted: Any) -> dict[str, Any]:
        """Return the next frame of one of these kinds with these values. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while True:
            frame = json.loads(self.inner.recv(timeout=max(0.0, end - time.monotonic())))
            self.frames.append(frame)
            if frame["t"] in kinds and all(frame.get(name) == value for name, value in wanted.items()):
                found: dict[str, Any] = frame
                return found

    def command(self, kind: str, turn: str, *, id: str = "", **args: str) -> tuple[dict[str, Any], float]:
        """Send a command; return its ack or nak, and the seconds until it came."""
        id = id or str(uuid.uuid4())
        begun = time.monotonic()
        self.send(t="cmd", id=id, turn=turn, kind=kind, args=args)
        return self.until("ack", "nak", id=id), time.monotonic() - begun


def slowest(answers: Sequence[Answer]) -> float:
    """Return the time of the slowest, in seconds."""
    return max(answer.seconds for answer in answers)
