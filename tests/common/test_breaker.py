"""The circuit breaker lets calls through until one fails, and then one call at a time."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tock_league.common import breaker, clock
from tock_league.common.breaker import Breaker


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a monotonic clock that the test controls, in seconds: `hand[0]`."""
    now = [100.0]
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    return now


def test_after_a_failure_nobody_calls_until_the_rest_is_over_and_then_one_does(hand: Any) -> None:
    found = Breaker("a thing", rest=1.0)
    assert found.allows()
    assert found.failed(TimeoutError())
    assert not found.allows()
    hand[0] += 1.0
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(lambda _: found.allows(), range(8))) == [False] * 7 + [True]
    assert not found.failed(TimeoutError())
    hand[0] += 1.0
    assert found.allows()
    assert found.worked()
    assert [found.allows() for _ in range(3)] == [True] * 3
    assert not found.is_open


def test_the_log_has_one_line_for_an_outage_and_one_for_its_end(hand: Any, caplog: pytest.LogCaptureFixture) -> None:
    found = Breaker("a thing", rest=1.0)
    for _ in range(5):
        found.failed(TimeoutError())
    for _ in range(5):
        found.worked()
    assert [record.getMessage() for record in caplog.records] == [
        "a thing does not answer: TimeoutError",
        "a thing answers again",
    ]
    assert {record.name for record in caplog.records} == {breaker.log.name}
