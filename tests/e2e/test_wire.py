"""Tests of the wire reader: it accepts true frames, and finds forbidden cards."""

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

from .evening import four_members, game_of, let_play, open_chosen_table
from .wire import Truth, read

pytestmark = pytest.mark.django_db(transaction=True)

SEAT = 1


@pytest.fixture
def table() -> Table:
    made = open_chosen_table(four_members(), 1034, game="evening6")
    let_play(made, plays=14)
    return made


def frames(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """Return the frames for a viewer: the first snap, then an `ev` for each row."""
    game, truth = game_of(table), Truth.of(game_of(table))
    first = json.loads(json.dumps(reader.snap(game, Viewer(seat), now=0)))
    begin = projection.snap(store.state_at(game, 1), Viewer(seat), release="deal", now=0)
    evs = [projection.ev([truth.steps[seq]], Viewer(seat), now=0) for seq in range(2, game.last_seq + 1)]
    return [body(begin), *map(body, evs), first]


def faults(table: Table, sent: list[dict[str, Any]], seat: int | None = SEAT) -> list[str]:
    """Return the reader's findings in these frames."""
    return read(Truth.of(game_of(table)), seat, frames=map(json.dumps, sent)).faults


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_what_the_server_sends_passes(table: Table, seat: int | None) -> None:
    assert faults(table, frames(table, seat), seat) == []


def test_another_seats_frames_do_not(table: Table) -> None:
    assert faults(table, frames(table, 0))
    assert faults(table, frames(table, 0), None)


@pytest.mark.parametrize("place", ["set", "clocks", "d", "hb", "text"])
def test_a_card_of_another_hand_is_found_wherever_it_stands(table: Table, place: str) -> None:
    sent = copy.deepcopy(frames(table, SEAT))
    truth = Truth.of(game_of(table))
    last = game_of(table).last_seq
    hidden = sorted(truth.hands(last)[0] - truth.open_in(last, SEAT))[0]
    frame = sent[-2]
    if place == "set":
        frame["list"][0].setdefault("set", {})["hint"] = hidden
    elif place == "d":
        frame["list"][0]["d"]["kept"] = [hidden]
    elif place == "clocks":
        frame["clocks"] = {"next": hidden}
    elif place == "hb":
        sent.append({"t": "hb", "n": 1, "seq": last, "hash": hidden})
    else:
        sent.append({"t": "nak", "id": "x", "code": "illegal", "why": f"seat 0 holds {hidden}"})
    assert any(hidden in fault for fault in faults(table, sent))


def test_a_view_that_differs_from_its_hash_is_found(table: Table) -> None:
    sent = copy.deepcopy(frames(table, SEAT))
    sent[-2]["hash"] = "0" * 16
    assert any("another hash" in fault for fault in faults(table, sent))
