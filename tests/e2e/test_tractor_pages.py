"""Tractor's table in each of its phases and its replay, wide and narrow: free of errors, accessible, every card within
reach."""

from typing import Any

import pytest

from games.models import Table
from tests.servers.browser import DESKTOP, PHONE, Visitors
from tests.servers.site import eventually

from .evening import four_members, game_of, open_chosen_table
from .seats import until
from .test_pages import look_at
from .tractor_round import GAME, RULES, SEED, Round, carried_out, written
from .tractor_seats import TractorSeat

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]

PHASES = ("seating", "draw", "show", "bury", "lead", "play", "over")
WATCHED = ("seating", "play", "over")  # a spectator sees the same in all phases of the running round
LEAST = 24  # minimum width and height of controls in pixels (WCAG 2.2, 2.5.8)
HALF_DRAWN = 12
# The cards of the hand with a reachable area smaller than `LEAST` pixels in one direction, as "card: width x height".
OUT_OF_REACH = """(least) => [...document.querySelectorAll('#hand button')].map((node) => {
  node.scrollIntoView({block: 'center'});
  const r = node.getBoundingClientRect(), meets = (x, y) => node.contains(document.elementFromPoint(x, y));
  let wide = 0, high = 0;
  for (let x = 0; x < r.width; x += 1) wide += meets(r.x + x, r.y + r.height / 2);
  for (let y = 0; y < r.height; y += 1) high += meets(r.x + 6, r.y + y);
  return wide >= least && high >= least ? '' : `${node.dataset.card}: ${wide} x ${high}`;
}).filter(Boolean)"""


@pytest.fixture(scope="module")
def whole() -> Round:
    return written()


@pytest.fixture
def brought_to(live_site: Any, settings: Any, whole: Round) -> Any:
    """Give `brought_to(phase)`: a table in that phase, and the seat that must act there."""

    def bring(phase: str) -> tuple[Table, int]:
        settings.TOCK_DRAW_MS = 60 if phase == "draw" else 0
        table = open_chosen_table(four_members(), SEED, game=GAME, rules=RULES, rounds=1)
        acts = whole.acts
        counts = {
            "draw": 0,
            "show": 2,
            "bury": next(n for n, act in enumerate(acts) if act.kind == "bury"),
            "lead": next(n for n, act in enumerate(acts) if act.kind == "play"),
            "play": next(n for n, act in enumerate(acts) if act.kind == "play") + 3,
            "over": len(acts),
        }
        if phase != "seating":
            carried_out(table, acts[: counts[phase]])
        if phase == "draw":
            eventually(lambda: half_drawn(table))
            settings.TOCK_DRAW_MS = 3_600_000  # here it stays
            carried_out(table, acts[:1], ready=False)
        left = acts[counts.get(phase, 0) :]
        return table, left[0].seat if left else 0

    return bring


def half_drawn(table: Table) -> bool:
    """Return whether each seat has drawn a dozen cards."""
    from games import store

    position = store.current(game_of(table)).position
    return position is not None and position.count(0) >= HALF_DRAWN


def sit(visitors: Visitors, table: Table, number: int) -> TractorSeat:
    """Let the player of a seat come to the page."""
    player = table.seatings.select_related("player__user").get(seat=number).player
    assert player is not None
    visitor = visitors.enter(f"seat {number}", user=player.user, reduced_motion="reduce")
    seat = TractorSeat(visitor, number, None)
    seat.enter(f"/tables/{table.slug}/")
    seat.settled()
    return seat


@pytest.mark.parametrize("phase", PHASES)
def test_the_table_is_sound_in_every_phase(visitors: Visitors, brought_to: Any, phase: str) -> None:
    table, acting = brought_to(phase)
    wanted = "play" if phase == "lead" else phase
    pages = {}
    for who, number in (("acting", acting), ("waiting", (acting + 1) % 4)):
        seat = sit(visitors, table, number)
        assert seat.view()["phase"] == wanted
        pages[who] = seat.page
    if phase in WATCHED:
        watcher = visitors.enter("watcher", reduced_motion="reduce", color_scheme="dark")
        pages["watching"] = watcher.open(f"/tables/{table.slug}/")
        until(watcher.page, "tockTable.link.state.joined", "the spectator's line stands")
    faults = []
    for who, page in pages.items():
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            # Axe takes a second; live_js/test_tractor_page.py runs it on the wide page.
            faults += [f"{who} at {size['width']}: {fault}" for fault in look_at(page, axe=size == PHONE)]
            faults += [f"{who} at {size['width']}: {card}" for card in page.evaluate(OUT_OF_REACH, LEAST)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_replay_is_sound_from_its_first_card_to_its_last(
    visitors: Visitors, brought_to: Any, whole: Round, screen: dict[str, int]
) -> None:
    table, _ = brought_to("over")
    guest = visitors.enter("guest", screen=screen, reduced_motion="reduce")
    page = guest.open(f"/games/{game_of(table).slug}/")
    until(page, "globalThis.tockReplay?.steps?.length > 0", "the record is read")
    faults, stops = [], page.evaluate("tockReplay.at.length")
    assert stops > len(whole.acts)
    seen = set()
    for number, stop in enumerate((0, 8, len(whole.acts) // 2, stops - 1)):
        page.evaluate(f"tockReplay.go({stop}, {{still: true}})")
        view = page.evaluate("tockReplay.steps[tockReplay.at[tockReplay.index]].view")
        seen.add(view["phase"])
        faults += [
            f"stop {stop} ({view['phase']}): {fault}" for fault in look_at(page, axe=number % 2 == (screen is PHONE))
        ]
    assert seen >= {"play", "over"}
    page.goto(f"{guest.base}/games/{game_of(table).slug}/?as=seat:1#{page.evaluate('tockReplay.steps.at(-9).seq')}")
    until(page, "tockReplay.steps?.length > 0 && tockReplay.as === 'seat:1'", "the record of seat 1 is read")
    assert page.evaluate("tockReplay.steps.every((step) => !step.view.hands)")
    faults += [f"seat 1: {fault}" for fault in look_at(page)]
    assert not faults, "\n".join(faults)
