"""Tractor at the live table: whole games of bots, and what every viewer gets of them."""

import pytest

from games import store
from games.fold import EVERYTHING, SPECTATOR, Viewer, events, merge, opening, steps, view
from games.models import Game
from games.selectors import replays
from games.services import bots, tables
from games.services.tables import SeatPlan

pytestmark = pytest.mark.django_db


def test_bots_play_a_round() -> None:
    plan = [SeatPlan(seat, bot="club" if seat % 2 else "novice") for seat in range(4)]
    table = tables.open_match_table(
        rules="tractor/1", name="T", seat_plan=plan, bots_allowed=True, rated=False, rounds=1
    )
    game = Game.objects.get(table=table)
    for _ in range(2000):
        if not bots.act_due():
            break
    game.refresh_from_db()
    assert game.state == Game.State.OVER, (game.phase, game.last_seq)
    assert replays.faults(game) == []
    rows, setup = store.load(game.pk), store.setup_of(game)
    for viewer in (*map(Viewer, range(4)), SPECTATOR, EVERYTHING, Viewer(referee=True), Viewer(referee=True, sees=2)):
        held = view(opening(setup), viewer)
        for event, fresh in events(steps(opening(setup), rows), viewer):
            held = merge(held, event["set"])
            assert held == fresh
