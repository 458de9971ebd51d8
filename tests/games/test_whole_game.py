"""Whole games through `play.submit`: records, folds, views and the end."""

from typing import Any

import pytest

from games import store
from games.fold import EVERYTHING, SPECTATOR, Viewer, events, fold, merge, opening, steps, view
from games.models import Game, GameEvent, Table
from games.selectors import replays


@pytest.mark.django_db(transaction=True)
def test_a_random_game_ends_and_every_view_follows_from_its_events(sat_table: Any) -> None:
    sat_table.all_ready()
    sat_table.play_on()
    game = Game.objects.get(table=sat_table.table)
    assert game.state == Game.State.OVER
    assert sorted(game.ranks) == [0, 1]
    assert game.reason == "played"
    assert sat_table.table.games.count() == 1
    assert Table.objects.get(pk=sat_table.table.pk).state == Table.State.FINISHED

    rows = store.load(game.pk)
    assert [row.seq for row in rows] == list(range(1, game.last_seq + 1))
    assert replays.faults(Game.objects.select_related("table").get(pk=game.pk)) == []

    setup = store.setup_of(game)
    for viewer in (*map(Viewer, range(4)), SPECTATOR, EVERYTHING):
        held = view(opening(setup), viewer)
        for event, fresh in events(steps(opening(setup), rows), viewer):
            held = merge(held, event["set"])
            assert held == fresh, event
    assert fold(setup, rows).result == store.current(game).result


def test_rows_are_numbered_without_gaps_and_chained(sat_table: Any) -> None:
    sat_table.all_ready()
    sat_table.exchange()
    game = sat_table.game
    chain = list(GameEvent.objects.filter(game=game).values_list("seq", "chain"))
    assert [seq for seq, _ in chain] == list(range(1, len(chain) + 1))
    assert chain[-1][1] == game.chain
    GameEvent.objects.filter(game=game, seq=3).update(actor="seat:0" if chain else "")
    game.refresh_from_db()
    assert replays.faults(game) == ["chain differs at row 3"]
