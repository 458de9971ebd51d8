"""Tests of Tractor's wire reader: it accepts a whole round, and finds forbidden cards."""

import copy
import json
from typing import Any

import pytest

from games import store
from games.fold import Viewer
from games.live import projection
from games.live.messages import body
from games.models import Table
from games.selectors import tables as reader

from .evening import four_members, game_of, open_chosen_table
from .tractor_round import GAME, RULES, SEED, Act, carried_out, written
from .tractor_wire import TractorTruth, read

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def acts() -> list[Act]:
    return written().acts


@pytest.fixture
def table(acts: list[Act]) -> Table:
    """Give a table in the middle of a round: a throw has failed, and the last trick is on the table."""
    made = open_chosen_table(four_members(), SEED, game=GAME, rules=RULES, rounds=1)
    carried_out(made, acts[:22])
    return made


def frames(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """Return the frames for a viewer: the first snap, then an `ev` for each row."""
    game, truth = game_of(table), TractorTruth.of(game_of(table))
    first = json.loads(json.dumps(reader.snap(game, Viewer(seat), now=0)))
    begin = projection.snap(store.state_at(game, 1), Viewer(seat), release="deal", now=0)
    evs = [projection.ev([truth.steps[seq]], Viewer(seat), now=0) for seq in range(2, game.last_seq + 1)]
    return [body(begin), *map(body, evs), first]


def faults(table: Table, sent: list[dict[str, Any]], seat: int | None) -> list[str]:
    """Return the reader's findings in these frames."""
    return read(TractorTruth.of(game_of(table)), seat, frames=map(json.dumps, sent)).faults


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_what_the_server_sends_passes(table: Table, seat: int | None) -> None:
    assert faults(table, frames(table, seat), seat) == []


def test_another_seats_frames_do_not(table: Table) -> None:
    assert faults(table, frames(table, 0), 1)
    assert faults(table, frames(table, 0), None)


def test_a_round_that_is_over_is_open_and_the_buried_cards_with_it(acts: list[Act]) -> None:
    made = open_chosen_table(four_members(), SEED, game=GAME, rules=RULES, rounds=1)
    carried_out(made, acts)
    assert game_of(made).state == "over"
    for seat in (0, 1, 2, 3, None):
        assert faults(made, frames(made, seat), seat) == []


@pytest.mark.parametrize("place", ["set", "clocks", "d", "hb", "text"])
@pytest.mark.parametrize("where", ["hands", "buried", "talon", "stock"])
def test_a_card_that_is_hidden_is_found_wherever_it_stands(
    table: Table, acts: list[Act], where: str, place: str
) -> None:
    truth = TractorTruth.of(game_of(table))
    last, seat = game_of(table).last_seq, 1
    starter = next(act.seat for act in acts if act.kind == "bury")
    assert seat != starter
    at = next(seq for seq in range(last, 1, -1) if truth.position(seq).get(where))
    cards = truth.position(at)[where]
    kept = set(cards if where != "hands" else cards[starter])
    hidden = sorted(kept - truth.open_in(at, seat))[0]
    sent = copy.deepcopy(frames(table, seat))[:at]
    frame = sent[-1]
    assert frame["list"][0]["seq"] == at
    if place == "set":
        frame["list"][0].setdefault("set", {})["hint"] = hidden
    elif place == "d":
        frame["list"][0]["d"]["kept"] = [hidden]
    elif place == "clocks":
        frame["clocks"] = {"next": hidden}
    elif place == "hb":
        sent.append({"t": "hb", "n": 1, "seq": at, "hash": hidden})
    else:
        sent.append({"t": "nak", "id": "x", "code": "illegal", "why": f"somebody holds {hidden}"})
    assert any(hidden in fault for fault in faults(table, sent, seat))


def test_a_card_held_once_and_shown_twice_is_found(table: Table) -> None:
    sent = copy.deepcopy(frames(table, 0))
    snap = sent[-1]
    assert snap["t"] == "snap"
    snap["view"]["hand"].append(snap["view"]["hand"][0])
    assert any("holds" in fault for fault in faults(table, sent, 0))
