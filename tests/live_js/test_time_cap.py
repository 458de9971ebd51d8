"""The time cap at the table: what is left, the warnings, the call at every seat and to whoever comes later."""

from typing import Any

import pytest

from .harness import NOW, VIEW, FakeTable, until
from .test_referee import seated

pytestmark = pytest.mark.browser
CAP = {"call": "deal", "counts": "marbles", "tie": "allowed"}


def view(**cap: Any) -> dict[str, Any]:
    return {**VIEW, "cap": CAP | cap}


def test_the_last_minute_is_said_and_the_call_is_shown(opened: Any) -> None:
    table = FakeTable(view(due=NOW + 59_000))
    page = opened(seated(table.view), table)
    until(page, "document.getElementById('time-cap').textContent.includes('left, then the last deal.')")
    until(page, "document.getElementById('said').textContent === '1 minute left, then the last deal.'")
    table.say(table.event("cap", {"call": "deal"}, view(called=True)))
    said = "Last deal: at its end the marbles home decide."
    until(page, f"document.getElementById('called').textContent === '{said}'")
    assert page.locator("#time-cap").inner_text() == said
    page.locator("#plays").get_by_text("The time is up.").wait_for()


def test_nothing_is_shown_long_before_the_cap_and_without_one(opened: Any) -> None:
    page = opened(seated(view(due=NOW + 1_800_000)), FakeTable(view(due=NOW + 1_800_000)))
    until(page, "tockTable.timeCap !== undefined")
    page.wait_for_timeout(300)
    assert page.locator("#time-cap").is_hidden()


def test_what_is_left_and_what_the_call_means(js: Any) -> None:
    def left(**cap: Any) -> Any:
        return js("time_cap.js", "m.leftOf(a[0], a[1]) ?? null", CAP | cap, NOW)

    assert left(due=NOW + 500) == 500
    assert left(due=NOW - 500) == 0
    assert left(left=700) == 700  # the clocks are stopped
    assert left(seconds=600) is None  # not dealt yet
    assert left(due=NOW + 500, called=True) is None

    def words(**cap: Any) -> str:
        return str(js("time_cap.js", "m.calledWords(a[0])", CAP | {"called": True} | cap))

    assert "steps walked" in words(counts="steps")
    assert words(call="turn").startswith("Time is up: one more turn each")
    assert "next marble home decides" in words(extra=True, tie="next_home")
    assert "one more deal" in words(extra=True, tie="one_deal")
