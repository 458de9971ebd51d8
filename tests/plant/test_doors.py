"""The web server's limits, tested with raw sockets: bodies, slow requests, many connections, aborted sockets."""

import asyncio
import contextlib
import http.client
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.sync.client import connect

from games.models import Game, Table
from games.services import tables
from tests.servers.site import LiveSite, eventually
from tock_league.embedded import crowds, patience, server

WAIT = "/api/tables/{}/events?epoch=0&since=4&wait=20"


def quiet_table() -> Table:
    """Return a table at which nothing happens until the player is ready: its three bots are."""
    table = tables.open_practice(guest_key="somebody")
    eventually(lambda: Game.objects.get(table=table).last_seq == 4)
    return table


def knock(site: LiveSite) -> socket.socket:
    found = socket.create_connection((site.host, site.port), timeout=10)
    found.settimeout(10)
    return found


def answer(knocked: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the server's answer."""
    response = http.client.HTTPResponse(knocked)
    response.begin()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


def closed(knocked: socket.socket) -> bool:
    """Return whether the server has closed the connection; data sent before is read and dropped."""
    with contextlib.suppress(ConnectionResetError):
        while knocked.recv(65536):
            pass
    return True


def trickled(site: LiveSite, begun: bytes, drop: bytes) -> float:
    """Send a request in small parts for two seconds; return the seconds until the server closes the connection."""
    since = time.monotonic()
    with knock(site) as knocked:
        knocked.sendall(begun)
        with contextlib.suppress(OSError):
            while time.monotonic() - since < 2:
                knocked.sendall(drop)
                time.sleep(0.1)
        assert closed(knocked)
    return time.monotonic() - since


class TestBodies:
    @pytest.mark.parametrize("path", ["/no-such-address/", "/accounts/login/", "/api/tables/none/commands"])
    def test_a_large_body_is_refused_by_its_announced_length(self, live_site: LiveSite, path: str) -> None:
        with knock(live_site) as knocked:
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000000\r\n\r\n"
            knocked.sendall(head.encode() + b"x" * 1000)
            status, headers, body = answer(knocked)
            assert (status, headers["connection"]) == (413, "close")
            if path.startswith("/api/"):
                error = json.loads(body)["error"]
                assert (error["code"], error["message"]) == ("too_large", "Envoyez au plus 65536 octets.")
            else:
                assert headers["content-type"] == "text/html; charset=utf-8"
                assert '<html lang="fr' in body.decode()
                assert 'class="button" href="/"' in body.decode()
            assert closed(knocked)

    @pytest.mark.parametrize(
        ("headers", "language", "heading"),
        [
            ("Accept-Language: en-CA,en;q=0.9,fr;q=0.5", "en", "Too large"),
            ("Accept-Language: en\r\nCookie: a=b; {cookie}=fr-ca", "fr-ca", ""),
            ("Accept-Language: xx,\xff\r\nCookie: {cookie}=../..", "fr-ca", ""),
        ],
    )
    def test_the_page_of_a_large_body_is_the_sites_own_in_the_language_of_its_reader(
        self, live_site: LiveSite, headers: str, language: str, heading: str
    ) -> None:
        with knock(live_site) as knocked:
            told = headers.format(cookie=settings.LANGUAGE_COOKIE_NAME)
            head = f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{told}\r\nContent-Length: 200000000\r\n\r\n"
            knocked.sendall(head.encode("latin-1"))
            status, _headers, body = answer(knocked)
            page = body.decode()
            assert status == 413
            assert f'<html lang="{language}">' in page
            assert heading in page
            assert 'class="button" href="/"' in page

    @pytest.mark.parametrize(("path", "most"), [("/no-such-address/", 1 << 20), ("/api/tables/none/commands", 1 << 16)])
    def test_a_body_without_length_is_refused_when_it_has_become_too_large(
        self, live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, path: str, most: int
    ) -> None:
        import tempfile

        files: list[object] = []
        real = tempfile.SpooledTemporaryFile.rollover
        monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", lambda self: (files.append(self), real(self))[1])
        piece = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
        with knock(live_site) as knocked:
            knocked.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            for _ in range(most // 0x8000 + 1):
                knocked.sendall(piece)
            assert answer(knocked)[0] == 413
        assert files == []

    def test_what_the_site_itself_sends_is_small_enough(self, live_site: LiveSite) -> None:
        with knock(live_site) as knocked:
            body = b"text=" + b"x" * 900_000
            head = f"POST /no-such-address/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
            knocked.sendall(head.encode() + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body)
            assert answer(knocked)[0] in (403, 404)


class TestPatience:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "REQUEST_S", 1.0)

    def test_a_request_that_trickles_is_closed(self, live_site: LiveSite) -> None:
        post = b"POST /no/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        begun_and_drop = [
            (b"", b""),
            (b"\r\n", b"\r\n"),
            (b"GET /", b"x"),
            (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"x"),
            (post + b"Content-Length: 100\r\n\r\n", b"x"),
            (post + b"Transfer-Encoding: chunked\r\n\r\n99\r\n", b"x"),
            (b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /", b"x"),
        ]
        with ThreadPoolExecutor(len(begun_and_drop)) as pool:
            lasted = list(pool.map(lambda pair: trickled(live_site, *pair), begun_and_drop))
        assert all(0.9 < seconds < 6 for seconds in lasted), lasted

    def test_a_whole_request_is_waited_for_no_longer(self, live_site: LiveSite) -> None:
        """A poll that waits longer than the time limit of a request, and a second request on the same connection."""
        table = quiet_table()
        with knock(live_site) as knocked:
            path = WAIT.format(table.slug).replace("wait=20", "wait=2")
            since = time.monotonic()
            knocked.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert answer(knocked)[0] == 200
            assert time.monotonic() - since > 1.5
            knocked.sendall(b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert answer(knocked)[0] == 200

    def test_a_head_of_any_length_is_refused(self, live_site: LiveSite) -> None:
        with knock(live_site) as knocked, contextlib.suppress(ConnectionError):
            knocked.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ")
            sent = 0
            while sent < 4_000_000:
                sent += knocked.send(b"x" * 10_000)
            raise AssertionError("four megabytes of header were taken")

    def test_connections_beyond_the_bound_of_an_address_are_not_kept(
        self, live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(patience, "REQUEST_S", 20.0)
        monkeypatch.setattr(patience, "PER_ADDRESS", 5)
        monkeypatch.setattr(patience.PatientProtocol, "_is_proxy", lambda self: False)
        kept = [knock(live_site) for _ in range(5)]
        eventually(lambda: patience.peers.taken("127.0.0.1") == 5)
        with knock(live_site) as knocked:
            assert closed(knocked)
        for one in kept:
            one.close()
        eventually(lambda: len(patience.peers) == 0)
        with knock(live_site) as knocked:
            knocked.sendall(b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert answer(knocked)[0] == 200


class TestGoodbye:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "GOODBYE_S", 0.5)

    def test_a_socket_that_is_closed_ends_though_the_peer_says_nothing(self, live_site: LiveSite) -> None:
        table = tables.open_practice(guest_key="somebody")
        with knock(live_site) as knocked:
            knocked.sendall(handshake(table.slug))
            accepted(knocked)
            knocked.sendall(masked(b"no json"))
            since = time.monotonic()
            assert closed(knocked)
            assert time.monotonic() - since < 3

    async def test_a_close_does_not_wait_for_unread_data(self) -> None:
        stuck = patience.PatientSocket.__new__(patience.PatientSocket)
        stuck.writable, stuck.transport = asyncio.Event(), Transport()  # type: ignore[assignment]
        async with asyncio.timeout(1):
            await stuck.send({"type": "websocket.close", "code": 4013})
        assert stuck.transport.aborted.is_set()  # type: ignore[attr-defined]

    def test_a_stop_passes_over_a_socket_that_its_peer_is_closing(self) -> None:
        left = patience.PatientSocket.__new__(patience.PatientSocket)
        left.transport, left.conn = Transport(closing=True), ServerProtocol()  # type: ignore[assignment]
        left.ping_timer = left.pong_timer = None
        left.queue, left.close_sent, left.handshake_complete = asyncio.Queue(), False, True
        left.conn.state = State.CLOSING
        with pytest.raises(InvalidState):
            WebSocketsSansIOProtocol.shutdown(left)  # uvicorn's own error would end the stop of the whole server
        left.shutdown()

    def test_a_stop_ends_half_requests_at_once_and_without_an_error(
        self, live_site: LiveSite, caplog: pytest.LogCaptureFixture
    ) -> None:
        with knock(live_site) as body, knock(live_site) as head:
            body.sendall(b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\nx")
            head.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            assert_answers(live_site)
            live_site.stop_web()
            assert closed(body)
            assert closed(head)
        live_site.start_web()
        assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []

    async def test_an_answer_that_nobody_reads_is_abandoned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "READ_S", 0.2)
        stuck, slow = answering(), answering()
        stuck.pause_writing()
        slow.pause_writing()
        slow.resume_writing()  # it reads on
        async with asyncio.timeout(5):
            await stuck.transport.aborted.wait()  # type: ignore[attr-defined]
        assert not slow.transport.aborted.is_set()  # type: ignore[attr-defined]


def assert_answers(site: LiveSite) -> None:
    with knock(site) as knocked:
        knocked.sendall(b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert answer(knocked)[0] == 200


class Transport:
    """A connection whose client reads nothing."""

    def __init__(self, *, closing: bool = False) -> None:
        self.aborted = asyncio.Event()
        self.closing = closing

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.aborted.set()

    def pause_reading(self) -> None:
        """No data comes."""


def answering() -> patience.PatientProtocol:
    found = patience.PatientProtocol.__new__(patience.PatientProtocol)
    found.loop, found.transport = asyncio.get_running_loop(), Transport()  # type: ignore[assignment]
    found.flow = FlowControl(found.transport)
    return found


class TestCrowds:
    @pytest.fixture(autouse=True)
    def nobody_left_behind(self, live_site: LiveSite) -> Iterator[None]:
        yield
        eventually(lambda: len(crowds.places) == 0)

    def test_idle_sockets_of_one_address_are_bounded_and_the_refused_cost_nothing(
        self, live_site: LiveSite, settings: Any
    ) -> None:
        settings.LIVE_SOCKETS_PER_ADDRESS = 3
        table = tables.open_practice(guest_key="somebody")
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socket_at(live_site, table.slug))
            with knock(live_site) as knocked:
                knocked.sendall(handshake(table.slug))
                status, headers, _ = answer(knocked)
                assert (status, headers["retry-after"]) == (429, "5")
        eventually(lambda: len(crowds.places) == 0)
        with socket_at(live_site, table.slug):
            pass

    def test_polls_without_a_login_leave_room_for_those_with_one(self, live_site: LiveSite, settings: Any) -> None:
        settings.LIVE_POLLS_WITHOUT_LOGIN = 2
        settings.LIVE_POLLS_PER_PERSON = 1
        settings.LIVE_POLLS_PER_ADDRESS = 4
        table = quiet_table()
        with contextlib.ExitStack() as stack:

            def poll(cookie: str = "") -> socket.socket:
                knocked = stack.enter_context(knock(live_site))
                lines = f"GET {WAIT.format(table.slug)} HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}\r\n"
                knocked.sendall(lines.encode())
                return knocked

            def waiting(count: int) -> None:
                eventually(lambda: crowds.places.taken(("polls", "127.0.0.1")) == count)

            poll(), poll()
            waiting(2)
            status, headers, body = answer(poll())
            assert (status, headers["retry-after"], json.loads(body)["error"]["code"]) == (429, "5", "rate")
            poll("Cookie: other=1; sessionid=aaaa\r\n")
            waiting(3)
            assert answer(poll("Cookie: sessionid=aaaa\r\n"))[0] == 429
            poll("Cookie: sessionid=bbbb\r\n")
            waiting(4)
            assert answer(poll("Cookie: sessionid=cccc\r\n"))[0] == 429
            with knock(live_site) as knocked:
                knocked.sendall(b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert answer(knocked)[0] == 200

    def test_a_token_counts_as_a_login_and_polls_of_the_api_as_polls(self) -> None:
        def known(**headers: str) -> bytes:
            sent = [(name.encode(), value.encode()) for name, value in headers.items()]
            return crowds.login_of({"headers": sent})

        assert known() == b""
        assert known(authorization="Bearer tock_a") == known(authorization="Bearer tock_a", cookie="sessionid=x")
        assert known(authorization="Bearer tock_a") != known(authorization="Bearer tock_b")
        assert crowds.POLL.fullmatch("/api/v1/play/abcd2345/events")
        assert not crowds.POLL.fullmatch("/api/v1/play/abcd2345/commands")

    def test_calls_are_bounded_and_told_when_to_come_back(self, live_site: LiveSite, settings: Any) -> None:
        settings.API_CALLS_WITHOUT_LOGIN = 3
        settings.API_CALLS_PER_PERSON = 4
        crowds.calls.__init__()  # type: ignore[misc]
        with knock(live_site) as knocked:

            def call(cookie: str = "") -> tuple[int, dict[str, str], bytes]:
                knocked.sendall(f"GET /api/tables/none/snap HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}\r\n".encode())
                return answer(knocked)

            assert [call()[0] for _ in range(3)] == [404] * 3
            status, headers, body = call()
            assert (status, json.loads(body)["error"]["code"]) == (429, "rate")
            assert 1 <= int(headers["retry-after"]) <= 4
            assert call("Cookie: sessionid=aaaa\r\n")[0] == 404
        crowds.calls.__init__()  # type: ignore[misc]

    def test_sockets_dropped_in_any_way_release_their_places(self, live_site: LiveSite) -> None:
        table = tables.open_practice(guest_key="somebody")
        for leave in UGLY:
            knocked = knock(live_site)
            knocked.sendall(handshake(table.slug))
            leave(knocked)
            knocked.close()
        eventually(lambda: len(crowds.places) == 0)

    def test_a_process_takes_no_more_connections_than_it_has_files_for(self) -> None:
        import resource

        assert server.connections() < resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def handshake(table: str) -> bytes:
    lines = [
        f"GET /ws/table/{table} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: tock.table.v1", "", "",
    ]  # fmt: skip
    return "\r\n".join(lines).encode()


def reset(knocked: socket.socket) -> None:
    knocked.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def accepted(knocked: socket.socket) -> None:
    assert knocked.recv(1000).startswith(b"HTTP/1.1 101")


def masked(payload: bytes, opcode: int = 1) -> bytes:
    """Return a client's frame, masked with zeros."""
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


def half_a_frame(knocked: socket.socket) -> None:
    accepted(knocked)
    knocked.sendall(masked(b'{"t":"hb"}')[:7])


def no_utf8(knocked: socket.socket) -> None:
    accepted(knocked)
    knocked.sendall(masked(b"\xff\xfe"))
    closed(knocked)


def wrong_frame(knocked: socket.socket) -> None:
    accepted(knocked)
    knocked.sendall(masked(b'{"t":"fly"}'))
    knocked.recv(1000)
    reset(knocked)


def reserved_bits(knocked: socket.socket) -> None:
    accepted(knocked)
    knocked.sendall(b"\xff\xff\xff\xff")
    closed(knocked)


def close_frame(knocked: socket.socket) -> None:
    accepted(knocked)
    knocked.sendall(masked(b"\x03\xe8", opcode=8))
    closed(knocked)


UGLY: list[Callable[[socket.socket], None]] = [
    reset,
    lambda knocked: None,
    lambda knocked: knocked.shutdown(socket.SHUT_WR),
    half_a_frame,
    no_utf8,
    wrong_frame,
    reserved_bits,
    close_frame,
]


def socket_at(site: LiveSite, table: str) -> Any:
    return connect(site.socket_url(f"/ws/table/{table}"), subprotocols=["tock.table.v1"], origin=site.url)  # type: ignore[arg-type,list-item]
