"""At which addresses others in a room reach the site."""

from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from tock_league.common import room


@pytest.fixture(autouse=True)
def two_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["192.168.1.20", "127.0.0.1", "10.42.0.1", "169.254.7.7", "192.168.1.20"]
    monkeypatch.setattr(room, "_of_interfaces", lambda: found)
    monkeypatch.setattr(room, "_of_the_way_out", lambda: [])
    monkeypatch.setattr(room, "_of_the_name", lambda: found)
    monkeypatch.setattr(room, "_listening", {"host": "127.0.0.1"})


def asked(host: str, port: str = "8000") -> HttpRequest:
    return RequestFactory().get("/", SERVER_NAME=host, SERVER_PORT=port)


def test_a_site_that_listens_for_its_computer_alone_has_no_address_in_the_room() -> None:
    assert room.addresses(asked("127.0.0.1")) == []
    assert room.url_for_phones(asked("127.0.0.1")) == "http://127.0.0.1:8000"


def test_a_site_that_listens_everywhere_has_those_of_its_networks() -> None:
    room.listen_on("0.0.0.0")
    both = ["http://192.168.1.20:8000", "http://10.42.0.1:8000"]
    assert room.addresses(asked("127.0.0.1")) == both
    assert room.addresses(asked("10.42.0.1")) == both[::-1]  # first the one that somebody has just used
    assert room.url_for_phones(asked("localhost")) == both[0]
    assert room.url_for_phones(asked("10.42.0.1")) == both[1]
    assert room.reached_at("10.42.0.1", 80) == ["http://10.42.0.1"]
    assert room.reached_at("::1", 8000) == []


def test_the_address_in_the_settings_comes_before_all(settings: Any) -> None:
    settings.SITE_URL = "https://tock.example.org"
    room.listen_on("0.0.0.0")
    assert room.addresses(asked("127.0.0.1")) == ["https://tock.example.org"]
    assert room.url_for_phones(asked("127.0.0.1")) == "https://tock.example.org"
