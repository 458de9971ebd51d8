"""A player at a table while the site stops: the socket is closed with 1012, and after the restart the table is the
same."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from games.services import tables
from tests.servers.site import LiveSite


@contextmanager
def joined(site: LiveSite, table: str) -> Iterator[ClientConnection]:
    """Give a spectator's socket that has received the table."""
    address = site.socket_url(f"/ws/table/{table}")
    with connect(address, subprotocols=["tock.table.v1"], origin=site.url) as socket:  # type: ignore[arg-type,list-item]
        frame = {"t": "join", "table": table, "as": "spectator", "epoch": 0, "since": 0, "hash": "", "tab": "a1"}
        socket.send(json.dumps(frame))
        until(socket, "snap")
        yield socket


def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the first frame of that kind."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=10))
        if frame["t"] == kind:
            return frame


def test_a_stop_says_so_and_closes_sockets_with_1012(live_site: LiveSite) -> None:
    table = tables.open_practice(guest_key="somebody")
    with joined(live_site, table.slug) as socket:
        live_site.stop_web()
        assert until(socket, "note")["code"] == "deploy"
        with pytest.raises(ConnectionClosed) as closed:
            until(socket, "nothing more")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    live_site.start_web()
    with joined(live_site, table.slug):
        pass
