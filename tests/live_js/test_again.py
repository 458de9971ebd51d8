"""The last turn shown once more, and the slow pace at which bots are shown."""

from typing import Any

import pytest

from .harness import VIEW, FakeTable, boot, until
from .test_settings import chosen

pytestmark = pytest.mark.browser

MINE = VIEW | {"decision": "0.500"}
BEFORE = {key: value for key, value in VIEW.items() if key != "legal"} | {
    "turn": 1,
    "marbles": VIEW["marbles"]
    | {"2": ["r", "r", "t36", "t54"], "3": ["r", "r", "r", "t50"], "0": ["h4", "r", "t16", "t65"]},
    "pile": "10S",
}
PLAYS = [  # the own play, and what the others answer
    (1, "2H t28-t30", {}, 2),
    (2, "3D t36-t39", {"2": ["r", "r", "t39", "t54"]}, 3),
    (3, "AC t50-t51", {"3": ["r", "r", "r", "t51"]}, 0),
    (0, "5S t65-t70", {"0": ["h4", "r", "t16", "t70"]}, 1),
]


# What the heading said, one after the other, and how the table stood then.
WATCHED = """() => { window.told = []; const node = document.getElementById("heading");
  new MutationObserver(() => setTimeout(() => told.push([node.textContent,
    ["t50", "t51"].find((place) => tockTable.board.nodeAt(3, place)), tockTable.mayChoose,
    document.getElementById("see-again").getAttribute("aria-pressed")]))).observe(node,
      {childList: true, characterData: true, subtree: true}); }"""


def tell(table: FakeTable) -> None:
    """Let the four seats play, one after the other; then it is the own turn."""
    for seat, line, moved, turn in PLAYS:
        after = table.view | {"marbles": table.view["marbles"] | moved, "turn": turn, "pile": line.split(" ")[0]}
        if turn == 1:
            after = MINE | {"marbles": after["marbles"], "pile": after["pile"]}
        leg = line.split(" ")[1].split("-")
        table.say(table.event("play", {"seat": seat, "play": line}, after, fx=[["move", seat, *leg]]))  # type: ignore[dict-item]


def test_what_the_last_turn_is(js: Any) -> None:
    def steps(*seats: int | None) -> list[dict[str, Any]]:
        told = [{} if seat is None else {"seat": seat, "play": "9C"} for seat in seats]
        return [{"k": "play", "seq": i, "d": d} for i, d in enumerate(told)]

    ask = "m.lastTurn(a[0], a[1] ?? undefined, 4).map((step) => step.seq)"
    assert js("again.js", ask, steps(0, 1, 2, 3, 0), 1) == [2, 3, 4]
    assert js("again.js", ask, steps(1, 2, None, 3, 0, 1), 1) == [
        1,
        3,
        4,
        5,
    ]  # right after the own play: the turn before it
    assert js("again.js", ask, steps(0, 3), 1) == [0, 1]
    assert js("again.js", ask, steps(0, 1, 2, 3, 0), None) == [1, 2, 3, 4]
    assert js("again.js", ask, [{"k": "touch", "seq": 1, "d": {"seat": 2}}], 1) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_last_turn_is_shown_again_by_key_and_then_the_turn_goes_on(opened: Any, js_site: Any, motion: str) -> None:
    table = FakeTable(BEFORE)
    page = opened(boot(BEFORE), table, visit=False, reduced_motion=motion)
    chosen(page, speed="fast")
    page.goto(f"{js_site.url}/table")
    page.locator("#settings-button:not([hidden])").wait_for()
    tell(table)
    until(page, "tockTable.waiting === 0 && tockTable.view.legal?.length > 0")
    pile = page.evaluate("tockTable.pile")
    title = page.locator("#heading").inner_text()
    page.evaluate(WATCHED)
    page.locator("#see-again").press("Enter")
    until(page, "told.length > 3")
    told = page.evaluate("told")
    assert told == [
        # the heading, where Yvon's marble stands, whether the player may choose, whether the button is pressed
        ["Océane moves forward 3.", "t50", False, "true"],
        ["Yvon moves forward 1.", "t51", False, "true"],
        ["Martine moves forward 5.", "t51", False, "true"],
        [title, "t51", True, "false"],
    ]
    assert page.evaluate("tockTable.pile") == pile
    assert page.locator("#plays li").count() == 4  # nothing is listed twice
    # pressed again while it runs, it stops
    page.locator("#see-again").press("Enter")
    until(page, "told.length === 5")
    page.locator("#see-again").press("Enter")
    until(page, "told.length === 6 && tockTable.mayChoose")
    assert [one[0] for one in page.evaluate("told")[4:]] == ["Océane moves forward 3.", title]


def test_a_page_that_has_seen_nothing_says_so(opened: Any) -> None:
    page = opened(boot(), FakeTable())
    page.locator("#settings-button:not([hidden])").wait_for()
    page.get_by_role("button", name="See the last turn again").click()
    page.get_by_text("This page has not shown a play yet").wait_for()
    until(page, "tockTable.mayChoose")


def test_at_the_slow_pace_what_a_bot_plays_stays_and_where_a_clock_runs_it_does_not(opened: Any, js_site: Any) -> None:
    took = []
    for clocks in ({}, None):
        table = FakeTable(BEFORE)
        data = boot(BEFORE, bots=["club", "", "club", "club"])
        if clocks is not None:
            data["snap"] |= {"clocks": clocks}
        page = opened(data, table, visit=False)
        chosen(page, speed="slow")
        page.goto(f"{js_site.url}/table")
        until(page, "Boolean(tockTable.rest)")
        page.evaluate("void (window.began = performance.now())")
        tell(table)
        until(page, "tockTable.waiting === 0 && tockTable.view.legal?.length > 0", 12)
        took.append(page.evaluate("performance.now() - began"))
    assert took[0] > 3000  # two bots' plays stay, the third one is followed by the own turn
    assert took[1] < took[0] - 1500
