"""A replay fits its window: board and controls in sight, every open hand whole, the list of plays beside the board."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from games.engine.tock.game import GAME
from games.fold.patch import diff

from . import tock_positions as tock
from .harness import NOW, boot, snap, until
from .test_tractor_replay import TEMPLATE, game
from .tractor_table import NAMES

pytestmark = pytest.mark.browser

SCREENS = [(1280, 720), (1366, 650), (768, 1024), (360, 640), (740, 360)]
TABLES = {"shawinigan-4": ("shawinigan/1", 4, 2), "tock-6": ("tock/1", 6, 2), "tock-8": ("tock/1", 8, 2)}
BOXES = """() => {
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  };
  const all = (which) => [...document.querySelectorAll(which)].filter((node) => node.getClientRects().length);
  const cut = (node) => {
    const own = node.getBoundingClientRect();
    for (let box = node.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const { left, top, right, bottom } = box.getBoundingClientRect();
      if (own.left < left - 1 || own.right > right + 1 || own.top < top - 1 || own.bottom > bottom + 1) return true;
    }
    return false;
  };
  const hands = all("#hands .cardlet, .seat-cards .cardlet");
  const kinds = { s: ".mark-dot", x: ".mark-cross", b: ".mark-square", r: ".mark-flag", deal: ".deal" };
  const drawn = Object.entries(kinds).filter(([, which]) => document.querySelector(`#timeline ${which}`));
  return {
    window: [innerWidth, innerHeight, document.documentElement.scrollWidth],
    board: all("#board svg, #trick").map(box)[0], line: all("#timeline").map(box)[0],
    heading: all("#heading").map(box)[0], plays: all("#plays").map(box)[0],
    buttons: all("#first, #prev, #play, #next, #deal").map(box),
    cards: hands.map(box), cut: hands.filter(cut).length, rows: all("#hands > li, .seat").map(box),
    key: all("[data-mark]").map((node) => node.dataset.mark).sort(),
    drawn: drawn.map(([kind]) => kind).sort(),
    keyOfBoard: [all("#key-last").length, all("#key-other").length],
    board_drawn: [".board-last", ".board-other"].map((which) => +Boolean(document.querySelector(`#board ${which}`))),
  };
}"""
COMMENTS = {
    "comments": [
        {"id": 3, "seq": 7, "name": "Océane Trudel", "seat": 2, "text": "I should have kept it.", "line": "KS out",
         "at": "2026-11-25T10:00:00Z", "removable": True},
    ],
    "may_write": True,
}  # fmt: skip
CHOICES = [
    {"seq": seq, "seat": seq % 4, "line": "AD out", "best": "9C t0-t9", "chance": 480, "best_chance": 530, "plays": 3,
     "by_clock": False}
    for seq in range(4, 16)
]  # fmt: skip


def everything(p: Any) -> dict[str, Any]:
    return tock.seen(p, None) | {"hands": {str(seat): GAME.view(p, seat)["hand"] for seat in range(p.seats)}}


@cache
def plays_of(name: str) -> tuple[dict[str, Any], list[dict[str, Any]], Any]:
    """Return the view before and the events of a dozen plays from a position with full hands."""
    p = tock.found(*TABLES[name], lambda p: p.phase == "play" and all(len(hand) == 5 for hand in p.hands), seed=3)
    first, events, dice = everything(p), [], random.Random(5)
    for seq in range(4, 16):
        seat = min(GAME.to_act(p))
        line = dice.choice([GAME.play_text(play) for play in GAME.legal_plays(p)])
        play = GAME.parse_play(p, line, seat)
        after = GAME.apply(p, play, seat)
        item = {
            "seq": seq,
            "k": "play",
            "d": {"seat": seat, "play": line},
            "set": diff(everything(p), everything(after)),
        }
        events.append(item | {"fx": GAME.fx(p, play, seat)})
        p = after
    return first, events, p


@pytest.fixture
def replay(opened: Any, js_site: Any) -> Any:
    def show(name: str, **options: Any) -> Any:
        if name == "tractor":
            first, events, last = game()
            data = boot(first, seat=None, replay=True, touch=False, family="tractor", names=NAMES)
            template = TEMPLATE
        else:
            first, events, p = plays_of(name)
            last = everything(p) | {"phase": "over", "result": {"ranks": [0, 1], "reason": "resigned"}}
            data = boot(first, seat=None, replay=True, names=tock.PEOPLE[: p.seats])
            template = "games/replay.html"
        data |= {"as": "all", "record": "/api/record", "analysis": "/api/analysis", "snap": snap(last, seat=None)}
        data |= {"comments": "/api/comments", "alternatives": "/api/alternatives", "other_plays": name != "tractor"}
        if name != "tractor":
            data["play_on"] = "/games/g/play-on/"
        page = opened(data, template=template, visit=False, **options)
        frames = [snap(first, seq=events[0]["seq"] - 1, seat=None, clocks={})]
        frames += [
            {"t": "ev", "epoch": 0, "from": one["seq"], "list": [one], "clocks": {}, "now": NOW, "hash": ""}
            for one in events
        ]
        page.route("**/api/record*", lambda route: route.fulfill(json={"frames": frames}))
        page.route("**/api/comments*", lambda route: route.fulfill(json=COMMENTS))
        page.route("**/api/alternatives*", lambda route: route.fulfill(json={"seq": 6, "plays": ["KS out", "AD out"]}))
        page.route("**/api/analysis*", lambda route: route.fulfill(json={"state": "done", "choices": CHOICES}))
        page.goto(f"{js_site.url}/table")
        until(page, "window.tockReplay && tockReplay.steps")
        return page

    return show


def measured(page: Any, screen: tuple[int, int]) -> dict[str, Any]:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.evaluate("() => scrollTo(0, 0)")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    return dict(page.evaluate(BOXES))


def faults(seen: dict[str, Any], cards: int) -> Iterator[str]:
    """Yield what is not in sight, cut off, or covered."""
    width, height, wide = seen["window"]
    if wide > width:
        yield f"the page is {wide} wide"
    for name in ("heading", "line"):
        if seen[name][3] > height:
            yield f"{name} is below the window: {seen[name]}"
    if any(box[3] > height for box in seen["buttons"]) or len(seen["buttons"]) != 5:
        yield f"the buttons are not in the window: {seen['buttons']}"
    if len(seen["cards"]) != cards or seen["cut"]:
        yield f"{len(seen['cards'])} open cards instead of {cards}, {seen['cut']} of them are cut off"
    for card in seen["cards"]:
        if card[0] < 0 or card[2] > width:
            yield f"a card is outside: {card}"
        if any(overlap(card, box) for box in (seen["board"], seen["line"], *seen["buttons"])):
            yield f"a card lies under something: {card}"
    if any(overlap(one, other) for i, one in enumerate(seen["cards"]) for other in seen["cards"][:i]):
        yield "cards lie over each other"
    if (seen["key"], seen["keyOfBoard"]) != (seen["drawn"], seen["board_drawn"]):
        yield f"the key has {seen['key']} {seen['keyOfBoard']}, drawn is {seen['drawn']} {seen['board_drawn']}"


def overlap(one: list[int], other: list[int]) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1


@pytest.mark.parametrize("name", [*TABLES, "tractor"])
def test_a_replay_fits_its_window(replay: Any, name: str) -> None:
    page = replay(name, reduced_motion="reduce")
    if name == "tractor":
        page.evaluate("() => tockReplay.go(tockReplay.at.findIndex((i) => tockReplay.steps[i].view.phase === 'bury'))")
        cards = 25 * 4 + 8
    else:
        page.get_by_role("button", name="Next play").click()
        until(page, "document.querySelectorAll('#board .board-other').length > 0")
        cards = 5 * TABLES[name][1] - 1
    for screen in SCREENS:
        seen = measured(page, screen)
        assert list(faults(seen, cards)) == [], (name, screen)
        left, top, right, bottom = seen["board"]
        if name != "tractor" or screen != (740, 360):  # Tractor's oval is higher than the lowest window
            assert (top >= 0, bottom <= screen[1], left >= -20, right <= screen[0] + 20) == (True,) * 4, (
                screen,
                seen["board"],
            )
        if screen[0] > 1100:  # the list beside the board, and its end in the window
            assert seen["plays"][0] >= right, screen
            assert seen["plays"][3] <= screen[1], screen
            assert seen["plays"][3] - seen["plays"][1] >= 180, screen
