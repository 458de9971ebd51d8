"""A spectator of Tractor sees no hand, is one round late, and finds nothing of the running round at any address."""

import json
import random
import uuid
from typing import Any

import pytest

from games import store
from games.bots import at_table
from games.fold import Viewer, view
from games.models import Table
from games.permissions import Person
from games.services import play
from tests.servers.browser import Visitor

from .evening import four_members, game_of, open_chosen_table
from .seats import until
from .tractor_round import GAME, RULES, SEED, carried_out, written
from .tractor_wire import TractorTruth, read
from .wire import cards_in

pytestmark = pytest.mark.browser


@pytest.fixture
def table(live_site: Any) -> Table:
    """Give a table of two rounds, of which the first has been played."""
    made = open_chosen_table(four_members(), SEED, game=GAME, rules=RULES, rounds=2)
    carried_out(made, written().acts)
    return made


def let_play(table: Table, acts: int) -> None:
    """Play the given number of acts for the table's people, as novices do."""
    roll = random.Random(SEED).randrange
    holders = {seating.seat: Person(player_id=seating.player_id) for seating in table.seatings.all()}
    for _ in range(acts):
        state = store.current(game_of(table))
        seat = min(state.to_act)
        seen = view(state, Viewer(seat))
        laid = state.setup.family.laid(state)
        line = at_table.answer(seen, seen["legal"], level="novice", roll=roll, seat=seat, seen=laid)
        answer = play.submit(
            game_id=game_of(table).pk, seat=seat, command_id=str(uuid.uuid4()), turn=state.decision_id,
            kind="play", args={"play": line}, by=holders[seat],
        )  # fmt: skip
        assert not answer.code, answer


def test_a_visitor_sees_the_round_before_and_nothing_of_this_one(table: Table, watcher: Visitor) -> None:
    began = store.current(game_of(table)).deals[-1][0]
    let_play(table, 30)
    assert store.current(game_of(table)).phase == "play"
    page = watcher.page
    opened = page.goto(f"{watcher.base}/tables/{table.slug}/")
    assert opened is not None
    sent = opened.text()
    until(page, "tockTable.link.state.joined", "the line stands")
    let_play(table, 6)
    until(page, f"tockTable.link.held.seq >= {began}", "the first round is shown, at its own pace", seconds=60)
    until(page, "tockTable.waiting === 0", "all that came in is shown")
    page.wait_for_timeout(2500)  # longer than the hub's polling interval: nothing of the running round has come
    shown, phase, previous = page.evaluate(
        "[tockTable.link.held.seq, tockTable.view.phase, tockTable.view.previous ?? null]"
    )
    assert shown == began
    assert (phase, previous["total"]) == ("draw", written().end.previous.to_json()["total"])
    assert page.locator("#hand button").count() == 0
    assert page.locator("#choices [data-key]").count() == 0
    assert page.locator("#delay").is_visible()
    assert page.locator("#round-end").count() == 1
    truth = TractorTruth.of(game_of(table))
    reading = read(truth, None, pages=[sent], frames=watcher.received())
    assert reading.faults == []
    assert reading.seq == shown


def test_nobody_reads_the_hands_of_a_running_round_by_its_addresses(table: Table, watcher: Visitor) -> None:
    let_play(table, 30)
    game = game_of(table)
    began = store.current(game).deals[-1][0]
    truth, game_path = TractorTruth.of(game), f"/api/games/{game.slug}/"
    asked = watcher.context.request
    for point in ("all", "seat:0", "seat:3"):
        answer = asked.get(f"{watcher.base}{game_path}record?as={point}")
        assert (answer.status, cards_in(answer.text())) == (403, set())
    for path in (f"{game_path}record", f"{game_path}record?as=spectator"):
        frames = asked.get(watcher.base + path).json()["frames"]
        reading = read(truth, None, frames=map(json.dumps, frames))
        assert reading.faults == []
        assert 1 < reading.seq <= began
        assert reading.secrets > 0
    for path in ("snap", "events?epoch=0&since=0&wait=0"):
        answer = asked.get(f"{watcher.base}/api/tables/{table.slug}/{path}")
        assert read(truth, None, frames=[answer.text()]).faults == []
    text = asked.get(f"{watcher.base}/games/{game.slug}/").text()
    assert read(truth, None, pages=[text]).faults == []
