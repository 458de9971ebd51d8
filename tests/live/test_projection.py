"""A frame that is serialised for all viewers at once equals the frame serialised for each viewer alone."""

import json
import random
from typing import Any

import pytest

from games import store
from games.fold import EVERYTHING, SPECTATOR, Viewer, merge, steps, told, view, view_hash
from games.live import projection
from games.live.messages import encode
from games.services import referee

VIEWERS = [SPECTATOR, EVERYTHING, *map(Viewer, range(4)), Viewer(referee=True), Viewer(referee=True, sees=2)]


@pytest.mark.parametrize("batch", [1, 3, 40])
def test_the_shared_text_is_the_frame_of_each_viewer(sat_table: Any, batch: int) -> None:
    sat_table.all_ready()
    sat_table.exchange()
    sat_table.play_on(60)
    referee.freeze(game_id=sat_table.game.pk, ref="a/1")
    referee.resume(game_id=sat_table.game.pk, ref="a/2")
    sat_table.play_on(10)
    found = list(steps(store.opening_of(sat_table.game), store.load(sat_table.game.pk)))
    held = {viewer: view(found[0].before, viewer) for viewer in VIEWERS}
    sight = None
    for begin in range(0, len(found), batch):
        shown = list(told(found[begin : begin + batch], sight))
        sight = shown[-1].after
        for viewer in random.Random(begin).sample(VIEWERS, len(VIEWERS)):
            frame = projection.ev_of(shown, viewer, now=7)
            text = projection.ev_text(shown, viewer, now=7)
            assert json.loads(text) == json.loads(encode(frame))
            for event in json.loads(text)["list"]:
                held[viewer] = merge(held[viewer], event["set"])
            assert held[viewer] == view(sight.state, viewer)
            assert frame.hash == view_hash(held[viewer])
