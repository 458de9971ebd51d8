"""A spectator sees no hand, is one deal late, and can replay the whole game afterwards from its link."""

import json
from typing import Any

import pytest

from games import store
from games.models import Table
from tests.servers.browser import PHONE, Visitor, overflow
from tests.servers.site import eventually

from .evening import four_members, game_of, let_play, open_chosen_table
from .seats import until
from .wire import Truth, cards_in, read

pytestmark = pytest.mark.browser

SEED = 1034
MARBLES = (
    "[...document.querySelectorAll('#board [data-layer=marbles] > g')].map(n => n.getAttribute('transform')).sort()"
)


@pytest.fixture
def table(live_site: Any) -> Table:
    """Give a table of four people outside a competition, with the same cards on every run."""
    return open_chosen_table(four_members(), SEED, game="evening4")


def play_into_deal(table: Table, deals: int) -> int:
    """Play until the given number of deals have begun; return the seq at which the last of them began."""
    for _ in range(500):
        began = store.current(let_play(table, plays=1, seed=store.current(game_of(table)).seq + 2)).deals
        if len(began) >= deals:
            return began[-1][0]
    raise AssertionError("the deal does not end")


def test_a_visitor_sees_no_hand_and_one_deal_late(table: Table, watcher: Visitor) -> None:
    page = watcher.page
    opened = page.goto(f"{watcher.base}/tables/{table.slug}/")
    assert opened is not None
    sent = opened.text()
    until(page, "tockTable.link.state.joined", "the line stands")
    empty = page.evaluate(MARBLES)
    play_into_deal(table, 1)
    let_play(table, plays=8, seed=7)
    until(page, "tockTable.view.phase === 'deck'", "sees that the first dealer is drawn")
    page.wait_for_timeout(2500)  # longer than the hub's polling interval: nothing of the running deal has come
    assert page.evaluate("tockTable.view.phase") == "deck"
    assert page.evaluate(MARBLES) == empty

    bound = play_into_deal(table, 2)
    let_play(table, plays=5, seed=8)
    until(page, f"tockTable.link.held.seq >= {bound}", "the first deal is shown, at its own pace", seconds=60)
    page.wait_for_timeout(500)
    assert page.evaluate("tockTable.link.held.seq") == bound
    assert page.evaluate(MARBLES) != empty
    assert page.locator("#hand li").count() == 0
    assert page.locator("#choices [data-key]").count() == 0
    assert page.locator("#delay").is_visible()
    reading = read(Truth.of(game_of(table)), None, pages=[sent], frames=watcher.received())
    assert reading.faults == []
    assert (reading.seq, reading.secrets > 10) == (bound, True)


def test_nobody_reads_the_hands_of_a_running_game_by_its_addresses(table: Table, watcher: Visitor) -> None:
    play_into_deal(table, 2)
    game = game_of(table)
    truth, game_path = Truth.of(game), f"/api/games/{game.slug}/"
    asked = watcher.context.request
    for point in ("all", "seat:0", "seat:3"):
        answer = asked.get(f"{watcher.base}{game_path}record?as={point}")
        assert (answer.status, cards_in(answer.text())) == (403, set())
    for path in (f"{game_path}record", f"{game_path}record?as=spectator"):
        frames = asked.get(watcher.base + path).json()["frames"]
        reading = read(truth, None, frames=map(json.dumps, frames))
        assert reading.faults == []
        assert reading.seq <= store.current(game).deals[-1][0]
    for path in ("snap", "events?epoch=0&since=0&wait=0"):
        answer = asked.get(f"{watcher.base}/api/tables/{table.slug}/{path}")
        assert read(truth, None, frames=[answer.text()]).faults == []
    text = asked.get(f"{watcher.base}/games/{game.slug}/").text()
    assert read(truth, None, pages=[text]).faults == []


@pytest.mark.parametrize("screen", [None, PHONE], ids=["desktop", "phone"])
def test_a_replay_opens_at_any_play_and_steps(table: Table, visitors: Any, screen: Any) -> None:
    game = let_play(table)
    plays = [
        row.seq
        for row in store.load(game.pk)
        if row.kind == "play" and row.body["play"].split()[0] not in ("deck", "give")
    ]
    wanted, after = plays[40], plays[41]
    guest = visitors.enter("guest", screen=screen, reduced_motion="reduce")
    page = guest.open(f"/games/{game.slug}/#{wanted}")
    current = "document.querySelector('#plays .current')"
    until(page, current, "the play of the link is marked")
    assert page.url.endswith(f"#{wanted}")
    here = page.evaluate(MARBLES)
    heading = page.locator("#heading").inner_text()
    page.locator("#next").click()
    eventually(lambda: page.url.endswith(f"#{after}"))
    page.locator("#prev").click()
    eventually(lambda: page.url.endswith(f"#{wanted}"))
    assert page.evaluate(MARBLES) == here
    assert page.locator("#heading").inner_text() == heading
    page.locator("#first").click()
    eventually(lambda: page.evaluate(MARBLES) != here)
    page.goto(f"{guest.base}/games/{game.slug}/?as=seat:1#{wanted}")
    until(
        page, "document.querySelectorAll('#hands .hand li, #hands li svg').length > 0", "the hand of seat 1 lies open"
    )
    assert page.evaluate(MARBLES) == here
    assert overflow(page) <= 0
