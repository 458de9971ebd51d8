"""An outage takes no time of a game with a time cap, whether or not the players have clocks."""

from collections.abc import Callable

import pytest

from games.fold import ClockSettings, TimeCap
from games.services import clocks

from ..conftest import Sat
from .conftest import Server

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("timed", [True, False])
def test_an_outage_takes_no_time_of_the_game(timed: bool, open_table: Callable[..., Sat], server: Server) -> None:
    sat = open_table(cap=TimeCap(600, "stop"), clocks=ClockSettings() if timed else None)
    sat.begin()
    sat.play_on(2)
    assert sat.state.cap is not None
    due = sat.state.cap.due
    server.serve(5)
    server.down(90)
    assert clocks.give_back(sat.game.pk)
    assert sat.state.cap.due == due + 90_000
    assert sat.game.due_kind == ("decision" if timed else "cap")
