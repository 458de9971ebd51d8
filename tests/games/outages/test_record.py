"""Credits in a game's record: folded, judged, and impossible to forge."""

from dataclasses import replace
from typing import Any

import pytest

from games import store
from games.fold import fold
from games.models import Game
from games.selectors import replays
from games.services import clocks
from games.services.judge import judge
from tock_league.common import clock
from tock_league.common.errors import Refused

from ..conftest import Sat
from .conftest import Server


class TestTheRecord:
    @pytest.fixture
    def interrupted(self, refereed_table: Sat, server: Server) -> Sat:
        refereed_table.all_ready()
        server.serve(5)
        server.down(30)
        clocks.claim_due()
        refereed_table.exchange()
        server.serve(50)
        server.down(300)
        clocks.claim_due()
        refereed_table.play_on(2)
        refereed_table.call(1)
        server.serve(5)
        server.down(400)
        clocks.claim_due()
        server.serve(310)
        clocks.claim_due()
        refereed_table.play_on(1)
        refereed_table.send(0, "resign")
        return refereed_table

    def test_folds_to_the_same_table_and_passes_the_validator(self, interrupted: Sat) -> None:
        game = interrupted.table.games.get(number=1)
        record, setup = store.load(game.pk), store.setup_of(game)
        assert len([row for row in record if row.code == "credit"]) == 3
        folded = fold(setup, record)
        assert folded == store.current(Game.objects.select_related("table").get(pk=game.pk))
        assert folded.timeouts == (0, 0, 0, 0)
        assert judge(table=game.table, setup=setup, rows=record, now=clock.now_ms()) == folded
        assert replays.faults(game) == []

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"actor": "seat:1"}, "record_actor"),
            ({"body": {"ms": 10**9}}, "record_act"),
            ({"body": {"ms": 0}}, "record_act"),
            ({"body": {"ms": "long"}}, "record_row"),
            ({"body": {"why": "because"}}, "record_row"),
            ({"body": {"seat": 3}}, "record_row"),
            ({"body": {"back": 2**60}}, "record_act"),
            ({"body": {"more": 1}}, "record_row"),
        ],
    )
    def test_a_forged_credit_is_refused(self, interrupted: Sat, change: dict[str, Any], code: str) -> None:
        game = interrupted.table.games.get(number=1)
        record = store.load(game.pk)
        place = next(number for number, row in enumerate(record) if row.code == "credit")
        body = {**record[place].body, **change.get("body", {})}
        record[place] = replace(record[place], **({**change, "body": body}))
        with pytest.raises(Refused) as refused:
            judge(table=game.table, setup=store.setup_of(game), rows=record, now=clock.now_ms())
        assert refused.value.code == code
