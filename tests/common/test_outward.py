"""Which numeric addresses are public, and requests to them: the head of the answer, and the end of what takes too long."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.every import every
from tock_league.common import outward
from tock_league.common.outward import Limits, Target

from .receiver import Receiver, receiving

BRIEF = Limits(connect_s=5, read_s=5, total_s=0.4, bytes=10)
USUAL = Limits(connect_s=5, read_s=5, total_s=5, bytes=10)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def at(port: int, scheme: str = "http") -> Target:
    return Target(scheme, "shop.example", port, "/hook?x=1")


@every(
    "numeric, public",
    [
        ("8.8.8.8", True),
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("224.0.0.1", False),
        ("233.252.1.1", False),
        ("::", False),
        ("::1", False),
        ("::7f00:1", False),
        ("fe80::1%eth0", False),
        ("fec0::1", False),
        ("fd00::1", False),
        ("fd00:ec2::254", False),
        ("ff0e::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:192.168.0.1", False),
        ("::ffff:8.8.8.8", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::808:808", False),
        ("2002:7f00:1::", False),
        ("2002:808:808::1", False),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False),
        ("no address", False),
        ("", False),
    ],
)
def test_which_addresses_are_public(numeric: str, public: bool) -> None:
    assert outward.is_public(numeric) is public


def test_one_address_inside_is_enough_for_a_name_to_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_n: [(2, 1, 6, "", (each, 443)) for each in found])
    with pytest.raises(outward.Unknown):
        outward.resolved("shop.example", 443)
    found[:] = ["8.8.8.8", "8.8.8.8", "2606:4700::1111"]
    assert outward.resolved("shop.example", 443) == ["8.8.8.8", "2606:4700::1111"]
    found.append("10.1.2.3")
    with pytest.raises(outward.NotPublic):
        outward.resolved("shop.example", 443)
    assert outward.resolved("shop.example", 443, inside=True) == ["8.8.8.8", "2606:4700::1111", "10.1.2.3"]


def test_the_head_and_the_first_bytes_of_an_answer_are_read_and_no_redirect_is_followed(receiver: Receiver) -> None:
    receiver.answers = [(302, {"Location": "/other", "Retry-After": "7"}, b"0123456789more")] * 2
    answer = outward.post(at(receiver.port), ["127.0.0.1"], b"{}", {"X-Own": "1"}, USUAL)
    assert (answer.status, answer.error, answer.retry_after, answer.start) == (302, "", "7", b"0123456789")
    unread = outward.post(at(receiver.port), ["127.0.0.1"], b"{}", {}, Limits(5, 5, 5))
    assert (unread.status, unread.retry_after, unread.start) == (302, "7", b"")
    [(path, headers, body), _second] = receiver.got
    assert (path, body) == ("/hook?x=1", b"{}")
    assert headers == {
        "host": f"shop.example:{receiver.port}",
        "accept-encoding": "identity",
        "content-length": "2",
        "x-own": "1",
    }


def test_the_second_address_of_a_name_is_tried_where_the_first_takes_no_connection(receiver: Receiver) -> None:
    assert outward.post(at(receiver.port), ["::1", "127.0.0.1"], b"{}", {}, USUAL).status == 200
    refused = outward.post(at(receiver.port), ["::1", "::1", "127.0.0.1"], b"{}", {}, USUAL)
    assert (refused.status, refused.error) == (None, "connect")
    assert len(receiver.got) == 1


def test_a_head_that_never_ends_is_no_answer(receiver: Receiver) -> None:
    receiver.drips = True
    answer = outward.post(at(receiver.port), ["127.0.0.1"], b"{}", {}, BRIEF)
    assert (answer.status, answer.error) == (None, "timeout")
    assert 300 < answer.took_ms < 3_000


def test_a_handshake_that_never_ends_is_ended_for_all_addresses_together() -> None:
    """The server sends the head of a long TLS record, and then a byte now and then: no read of the socket times out."""
    ends = threading.Event()

    def drip(sock: socket.socket) -> None:
        with sock:
            try:
                sock.sendall(b"\x16\x03\x03\x40\x00")
                while not ends.wait(0.05):
                    sock.sendall(b"\x02")
            except OSError:
                pass

    def serve(listener: socket.socket) -> None:
        while not ends.is_set():
            try:
                sock, _where = listener.accept()
            except OSError:
                return
            threading.Thread(target=drip, args=(sock,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        port: Any = listener.getsockname()[1]
        answer = outward.post(at(port, "https"), ["127.0.0.1", "127.0.0.1"], b"{}", {}, BRIEF)
        ends.set()
    assert (answer.status, answer.error) == (None, "timeout")
    assert 300 < answer.took_ms < 3_000
