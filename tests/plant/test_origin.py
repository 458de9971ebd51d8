"""The origins of pages that may open a socket."""

import pytest
from asgiref.testing import ApplicationCommunicator

from tock_league.embedded.origin import allowed

HOST = "tock.example.org:8000"


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({"host": HOST, "cookie": "sessionid=x", "origin": f"https://{HOST}"}, True),
        ({"host": HOST, "cookie": "sessionid=x", "origin": f"http://{HOST}"}, True),
        ({"host": HOST, "cookie": "sessionid=x"}, False),
        ({"host": HOST}, True),
        ({"host": HOST, "cookie": "sessionid=x", "origin": "https://evil.example"}, False),
        ({"host": HOST, "origin": "https://evil.example"}, False),
        ({"host": HOST, "cookie": "sessionid=x", "origin": "https://tock.example.org"}, False),
        ({"host": HOST, "cookie": "sessionid=x", "origin": "null"}, False),
        ({"host": HOST, "cookie": "sessionid=x", "origin": ""}, False),
        ({"cookie": "sessionid=x", "origin": "https://"}, False),
    ],
)
def test_only_our_own_pages_and_programs_without_cookies_come_in(headers: dict[str, str], answer: bool) -> None:
    assert allowed(headers) is answer


def test_a_trusted_origin_may_differ_from_the_host(settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://tock.example.org"]
    assert allowed({"host": "10.0.0.3:8000", "cookie": "x=y", "origin": "https://tock.example.org"})


async def handshake(path: str, headers: dict[str, str]) -> str:
    """Return the type of the site's first message after a handshake."""
    from tock_league.asgi import application

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "websocket", "path": path, "headers": raw, "query_string": b"", "subprotocols": []}
    visitor = ApplicationCommunicator(application, scope)
    await visitor.send_input({"type": "websocket.connect"})
    answer = await visitor.receive_output(5)
    return str(answer["type"])


async def test_a_cross_site_handshake_is_denied_before_any_consumer() -> None:
    headers = {"host": "tock.test", "origin": "https://evil.example", "cookie": "sessionid=x"}
    assert await handshake("/ws/table/abcd2345", headers) == "websocket.close"


async def test_an_unknown_socket_address_is_denied() -> None:
    assert await handshake("/ws/nowhere", {"host": "tock.test", "origin": "http://tock.test"}) == "websocket.close"
