"""A game that four people play at another table meanwhile, by sockets of their own. They must not notice the attack."""

import json
import random
import threading
import time
import traceback
import uuid
from typing import Any

from django.conf import settings
from websockets.sync.client import ClientConnection, connect

from games.fold import merge, view_hash
from games.live.messages import SUBPROTOCOL

from .cast import Cast
from .house import House

PATIENCE_S = 30.0
PACE_S = 0.25  # between two plays


class Chair:
    """A seat's socket with the view that its page would hold."""

    def __init__(self, house: House, table: str, key: str) -> None:
        self.view: dict[str, Any] = {}
        self.seq = 0
        self._socket = connected(house, table, key, origin=house.origin)
        self._send(t="join", table=table, **{"as": "seat"})
        while not self.view:
            self._take()

    def _send(self, **frame: Any) -> None:
        self._socket.send(json.dumps(frame))

    def _take(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE_S))
        if frame["t"] == "snap":
            self.view, self.seq = frame["view"], frame["seq"]
            assert view_hash(self.view) == frame["hash"], "a snapshot with another hash"
        elif frame["t"] == "ev":
            for event in frame["list"]:
                if event["seq"] > self.seq:
                    assert event["seq"] == self.seq + 1, "a gap"
                    self.view, self.seq = merge(self.view, event["set"]), event["seq"]
            if frame["list"][-1]["seq"] == self.seq:
                assert view_hash(self.view) == frame["hash"], "a view with another hash"
        return frame

    def command(self, kind: str, **args: str) -> int:
        """Send a command, wait for its acknowledgement; return the seq after it."""
        id = str(uuid.uuid4())
        self._send(t="cmd", id=id, turn=self.view["decision"], kind=kind, args=args)
        while (frame := self._take()).get("id") != id:
            pass
        assert frame["t"] == "ack", f"refused: {frame}"
        return int(frame["seq"])

    def reach(self, seq: int) -> None:
        """Take frames until the view is at `seq`."""
        while self.seq < seq:
            self._take()

    def close(self) -> None:
        self._socket.close()


def connected(house: House, table: str, key: str, **more: Any) -> ClientConnection:
    import socket

    plain = socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE_S)
    headers = dict(house.headers)
    if key:
        headers["Cookie"] = f"{settings.SESSION_COOKIE_NAME}={key}"
    return connect(
        f"ws://{house.host}/ws/table/{table}",
        sock=plain,
        subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
        additional_headers=headers,
        compression=None,
        ping_interval=None,
        close_timeout=1,
        proxy=None,
        **more,
    )


class Beside:
    """Four people in a thread, who play one game after the other."""

    def __init__(self, house: House, cast: Cast) -> None:
        self.house, self.cast = house, cast
        self.seconds: list[float] = []  # from each play to its acknowledgement
        self.games = 0
        self.failed = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="beside", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let the present play end."""
        self._over.set()
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        roll = random.Random("beside")
        try:
            for slug in self.cast.quiet:
                if self._over.is_set():
                    return
                self._game(slug, roll)
        except Exception:  # told as a fault of the run
            self.failed = traceback.format_exc()

    def _game(self, slug: str, roll: random.Random) -> None:
        chairs = [Chair(self.house, slug, key) for key in self.cast.quiet_keys]
        for chair in chairs:
            chair.reach(max(each.seq for each in chairs))
            chair.command("ready")
        while not self._over.wait(PACE_S):
            latest = max(chair.seq for chair in chairs)
            for chair in chairs:
                chair.reach(latest)
            if chairs[0].view["phase"] == "over":
                self.games += 1
                break
            due = [chair for chair in chairs if chair.view.get("legal")]
            if not due:  # the table draws or deals
                chairs[0].reach(chairs[0].seq + 1)
                continue
            chair = due[0]
            since = time.monotonic()
            seq = chair.command("play", play=roll.choice(chair.view["legal"]))
            self.seconds.append(time.monotonic() - since)
            for each in chairs:
                each.reach(seq)
        for chair in chairs:
            chair.close()
