"""A table fits its window: turn, clock, board, choices and the whole hand, on six screens, for every game and phase."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import tock_positions as tock
from . import tractor_table as tractor
from .harness import FakeTable

pytestmark = pytest.mark.browser

SCREENS = [(1366, 650), (1280, 720), (1024, 768), (768, 1024), (740, 360), (360, 640), (1920, 950), (360, 740)]
TABLES = {
    "shawinigan-4": ("shawinigan/1", 4, 2),
    "tock-6": ("tock/1", 6, 2),
    "tock-8": ("tock/1", 8, 2),
    "alone-6": ("tock/1", 6, 6),
}
BOXES = """() => {
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  };
  const all = (which) => [...document.querySelectorAll(which)].filter((node) => node.getClientRects().length);
  const named = { turn: "#heading", cap: "#cap", hand: "#hand", choices: "#choices", board: "#board, #trick",
    clock: ".seat.viewer .clock" };
  return {
    window: [innerWidth, innerHeight, scrollY, document.documentElement.scrollWidth],
    parts: Object.fromEntries(Object.entries(named).flatMap(([name, which]) => all(which).map((n) => [name, box(n)]))),
    cards: all("#hand .card").map(box),
    sizes: [...new Set(all("#hand .card").map((node) => node.getBoundingClientRect().width.toFixed(1)))],
    seats: all(".seat").map(box),
    buttons: all("#choices button").map(box),
    plays: all(".table-plays").map(box),
  };
}"""
# A list of plays as long as that of a game.
FULL = """() => { for (let i = 0; i < 40; i += 1)
  document.getElementById("plays").append(Object.assign(document.createElement("li"), { textContent: "9C t12-t21" })); }"""
Boxes = dict[str, Any]


def faults(seen: Boxes) -> Iterator[str]:
    """Yield what is not inside the window, or lies over something else."""
    width, height, scrolled, wide = seen["window"]
    if scrolled:
        yield f"the page has scrolled by {scrolled}"
    if wide > width:
        yield f"the page is {wide} wide"
    boxes = [
        *seen["parts"].items(),
        *(("card", box) for box in seen["cards"]),
        *(("seat", box) for box in seen["seats"]),
    ]
    for name, (left, top, right, bottom) in boxes:
        if left < 0 or top < 0 or right > width or bottom > height:
            yield f"{name} is outside: {left}, {top}, {right}, {bottom}"
    hand, board = seen["parts"].get("hand"), seen["parts"]["board"]
    for name, other in (("turn", seen["parts"]["turn"]), ("board", board), ("choices", seen["parts"]["choices"])):
        if hand and any(overlap(card, other) for card in seen["cards"]):
            yield f"{name} lies over a card: {other}"
    if any(overlap(box, board) for box in seen["buttons"]):
        yield "a button lies over the board"
    for plays in seen["plays"]:
        if any(overlap(plays, box) for box in (seen["parts"]["choices"], *seen["cards"])):
            yield f"the list of plays lies over choices or cards: {plays}"


def overlap(one: list[int], other: list[int]) -> bool:
    """Return whether two boxes share more than a line; a raised card may stand into the row above."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 1 and down > 16


def measured(page: Any, screen: tuple[int, int]) -> Boxes:
    """Return the boxes of the page on a screen of that size."""
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.evaluate("() => scrollTo(0, 0)")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    return dict(page.evaluate(BOXES))


def my_turn(p: Any) -> bool:
    if p.phase != "play" or p.turn != 0:
        return False
    seen = tock.seen(p, 0)
    return len(seen["hand"]) == 5 and len(seen["legal"]) > 8


PHASES: dict[str, Callable[[Any], bool]] = {
    "play": my_turn,
    "wait": lambda p: p.phase == "play" and p.turn != 0 and len(tock.seen(p, 0)["hand"]) > 2,
    "give": lambda p: p.phase == "give" and bool(tock.seen(p, 0).get("legal")),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_tock_fits_through_a_turn(opened: Any, name: str) -> None:
    """Nothing moves or shrinks from the first card to the release."""
    p = tock.found(*TABLES[name], my_turn)
    page = opened(tock.page_boot(p), FakeTable(tock.seen(p, 0), seat=0))
    page.evaluate(FULL)
    steps = [measured_on_all(page)]
    for which in ("#hand li:not(.off) button", "#hand .raised button", "#board .marble[role=button]"):
        if not page.locator(which).count():
            break
        page.locator(which).first.click()
        page.wait_for_timeout(150)
        steps.append(measured_on_all(page))
    assert len(steps) > 2
    for screen in SCREENS:
        boards = {tuple(step[screen]["parts"]["board"]) for step in steps}
        hands = {tuple(step[screen]["parts"]["hand"]) for step in steps}
        sizes = {size for step in steps for size in step[screen]["sizes"]}
        assert (len(boards), len(hands), len(sizes)) == (1, 1, 1), f"{screen}: {boards} {hands} {sizes}"


def measured_on_all(page: Any) -> dict[tuple[int, int], Boxes]:
    """Return the boxes on every screen. Raises AssertionError with all that is wrong."""
    seen = {screen: measured(page, screen) for screen in SCREENS}
    wrong = [f"{screen}: {fault}" for screen, boxes in seen.items() for fault in faults(boxes)]
    assert wrong == [], "\n".join(wrong)
    page.set_viewport_size({"width": 1280, "height": 720})
    return seen


@pytest.mark.parametrize("phase", ["wait", "give"])
def test_a_table_of_tock_fits_in_other_phases(opened: Any, phase: str) -> None:
    p = tock.found("tock/1", 8, 2, PHASES[phase])
    page = opened(tock.page_boot(p), FakeTable(tock.seen(p, 0), seat=0))
    measured_on_all(page)


def test_a_table_fits_for_who_watches(opened: Any) -> None:
    p = tock.found("shawinigan/1", 4, 2, PHASES["wait"])
    page = opened(tock.page_boot(p, seat=None), FakeTable(tock.seen(p, None), seat=None))
    watched = measured_on_all(page)
    played = opened(tock.page_boot(p), FakeTable(tock.seen(p, 0), seat=0))
    phone = (360, 640)
    assert height(watched[phone]) > height(measured(played, phone)) + 50  # the hand's room is the board's


def height(seen: Boxes) -> int:
    """Return the height of the board's row."""
    _, top, _, bottom = seen["parts"]["board"]
    return int(bottom - top)


@pytest.mark.parametrize("name", ["draw", "show", "bury", "lead", "pair", "last"])
def test_a_table_of_tractor_fits(opened: Any, name: str) -> None:
    p = tractor.situation(name)
    page = opened(tractor.page_boot(p), tractor.EngineTable(p), template=tractor.TEMPLATE)
    measured_on_all(page)
    if name in ("bury", "pair"):
        page.locator("#hand button").first.click()
        measured_on_all(page)
