"""Real sockets and requests for the clients of the simulation."""

import asyncio
import contextlib
import http.client
import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from games.live.messages import SUBPROTOCOL
from tests.plant.production import HOST

from .house import Door

if TYPE_CHECKING:
    from tests.simulation.client import Client

    from .run import Run

PATIENCE_S = 12.0  # for the answer to one request; longer than a long poll
REFUSED = {4001, 4003}  # codes that say that session or seat is gone; no fault takes them away


class Network:
    """Timers, sockets and requests. `trouble`: how often a client misbehaves or reconnects."""

    def __init__(self, run: "Run", trouble: float) -> None:
        self.run, self.trouble = run, trouble
        self.roll = run.stream("network")
        self.threads = ThreadPoolExecutor(12)
        self.statuses: Counter[int] = Counter()  # of all requests that were answered
        self.tasks: set[asyncio.Task[None]] = set()

    def later(self, seconds: float, work: Callable[..., object], *args: Any) -> None:
        """Call `work` after so many seconds, unless the run is closed by then."""
        self.run.aio.call_later(seconds, lambda: self.run.closed or work(*args))

    def connect(self, client: "Client") -> "Wire":
        """Return a socket to one of the web processes; it connects in the background."""
        return Wire(self, client, self.roll.choice(self.run.house.doors))

    def keep(self, work: Any) -> "asyncio.Task[None]":
        """Run a coroutine as a task that is closed with the run."""
        task = self.run.aio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def request(
        self,
        client: "Client",
        method: str,
        what: str,
        body: str,
        answer: Callable[[int, dict[str, Any]], None],
    ) -> None:
        """Send a request to one of the web processes. Without an answer `answer` is never called, as in the simulation."""
        door = self.roll.choice(self.run.house.doors)
        path = f"/api/tables/{client.table}/{what}"
        self.keep(self._request(door, method, path, body, self.headers(client), answer))

    async def _request(self, door: Door, *args: Any) -> None:
        *asked, answer = args
        try:
            status, frame = await self.run.aio.run_in_executor(self.threads, _ask, door, *asked)
        except (OSError, http.client.HTTPException):
            return
        self.statuses[status] += 1
        if not self.run.closed:
            answer(status, frame)

    def headers(self, client: "Client") -> dict[str, str]:
        """Return the headers of a client's requests: the session's cookie, as it comes from a proxy with TLS."""
        cookies = f"__Host-csrf={CSRF}"
        if client.key:
            cookies += f"; __Host-session={client.key}"
        return {"Cookie": cookies, "X-Forwarded-Proto": "https", "X-Forwarded-For": client.address}

    async def close(self) -> None:
        """End all sockets and requests."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.threads.shutdown(wait=False, cancel_futures=True)


CSRF = "abcdefghijklmnopqrstuvwxyz012345"


def _ask(door: Door, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
    headers = {**headers, "Host": HOST, "Referer": f"https://{HOST}/", "Origin": f"https://{HOST}"}
    if body:
        headers |= {"Content-Type": "application/json", "X-CSRFToken": CSRF}
    with contextlib.closing(http.client.HTTPConnection(*door, timeout=PATIENCE_S)) as connection:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    try:
        found = json.loads(text)
    except ValueError:
        found = {"text": text[:200]}
    return answer.status, found


class Wire:
    """One socket of a client. `cut`: it is closed, or its client has left it."""

    def __init__(self, net: Network, client: "Client", door: Door) -> None:
        self.net, self.client, self.door = net, client, door
        self.number = net.run.next_link()
        self.cut = False
        self._unsent: asyncio.Queue[str] = asyncio.Queue()
        self._task = net.keep(self._live())

    def send_up(self, text: str) -> None:
        """Send a frame; it waits until the socket is open."""
        self._unsent.put_nowait(text)

    def leave(self) -> None:
        """Close the client's end."""
        self.cut = True
        self._task.cancel()

    async def _live(self) -> None:
        code = 1006
        try:
            code = await self._talk()
        except (OSError, WebSocketException, TimeoutError) as error:
            if isinstance(error, InvalidStatus) and error.response.status_code not in (429, 502, 503):
                self.net.run.wrong(f"{self.client.name} connects and gets {error.response.status_code}")
        if not self.cut and not self.net.run.closed:
            self.cut = True
            if code in REFUSED:
                self.net.run.wrong(f"{self.client.name} was closed with {code}")
            self.client.lost(self, code)  # type: ignore[arg-type]

    async def _talk(self) -> int:
        async with connect(
            f"ws://{HOST}/ws/table/{self.client.table}",
            host=self.door[0],
            port=self.door[1],
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            origin=f"https://{HOST}",  # type: ignore[arg-type]
            additional_headers=self.net.headers(self.client),
            compression=None,
            ping_interval=None,
            open_timeout=5,
            close_timeout=1,
            proxy=None,
        ) as socket:
            sending = self.net.keep(self._send(socket))
            try:
                async for text in socket:
                    if not self.cut and not self.net.run.closed:
                        self.client.frame(self, text)  # type: ignore[arg-type]
            finally:
                sending.cancel()
            return socket.close_code or 1006

    async def _send(self, socket: Any) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.send(await self._unsent.get())
