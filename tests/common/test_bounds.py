"""Counts and rates in memory are exact, and empty ones are removed."""

import pytest

from tock_league.common import clock
from tock_league.common.bounds import Calls, Places, address_of


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("unix", "unix"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(host: str, counted: str) -> None:
    assert address_of({"client": (host, 40000)}) == counted


def test_without_a_peer_all_requests_count_as_one_address() -> None:
    assert address_of({"client": None}) == address_of({}) == ""


def test_a_place_is_taken_for_every_key_or_for_none() -> None:
    places = Places()
    assert places.take({"address": 2, "login": 1})
    assert not places.take({"address": 2, "login": 1})
    assert (places.taken("address"), places.taken("login")) == (1, 1)
    assert places.take({"address": 2, "other": 1})
    assert not places.take({"address": 2})
    places.give_back({"address": 2, "login": 1})
    places.give_back({"address": 2, "other": 1})
    assert len(places) == 0


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    return now


def test_calls_beyond_the_rate_are_told_when_to_come_back(hand: list[float]) -> None:
    calls = Calls()
    assert [calls.wait_for({"a": 4}, 10) for _ in range(4)] == [0, 0, 0, 0]
    pause = calls.wait_for({"a": 4}, 10)
    assert pause == pytest.approx(2.5)
    assert calls.wait_for({"b": 4}, 10) == 0
    hand[0] += pause
    assert calls.wait_for({"a": 4}, 10) == 0
    assert calls.wait_for({"a": 4}, 10) > 0


def test_a_refused_call_is_not_counted(hand: list[float]) -> None:
    calls = Calls()
    assert calls.wait_for({"address": 2, "login": 1}, 10) == 0
    assert calls.wait_for({"address": 2, "login": 1}, 10) > 0
    assert calls.wait_for({"address": 2}, 10) == 0


def test_idle_addresses_are_forgotten(hand: list[float]) -> None:
    calls = Calls()
    for n in range(500):
        calls.wait_for({n: 4}, 10)
    hand[0] += 11
    calls.wait_for({"a": 4}, 10)
    assert len(calls) == 1
