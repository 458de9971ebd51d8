"""Deadlines that are carried out late, and those that are not decisions: sitting down, a referee, cards that are drawn."""

from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.fold import ClockSettings
from games.models import Table
from games.services import clocks, referee
from tock_league.common import clock

from ..conftest import Sat
from .conftest import Server, left, rows


class TestALateDeadline:
    def test_is_credited_once_per_decision(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(64)
        assert clocks.claim_due() == 1
        assert [row.body["why"] for row in rows(timed_table)] == ["late"]
        assert left(timed_table) == 20_000
        server.serve(24)
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1

    def test_is_a_time_out_when_it_is_claimed_in_time(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(62)
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1


class TestOtherDeadlines:
    @pytest.fixture
    def waiting_table(self, open_table: Any, server: Server) -> Any:
        return open_table(clocks=ClockSettings(), starts_at=clock.now() + timedelta(minutes=1))

    def test_the_time_to_sit_down_excludes_outages_and_is_two_minutes_at_least(
        self, waiting_table: Sat, server: Server
    ) -> None:
        waiting_table.send(0, "ready")
        server.serve(5)
        server.down(60 + 500)  # 505 of the 600 seconds are gone
        server.serve(96)
        assert clocks.claim_due() == 1
        assert Table.objects.get(pk=waiting_table.table.pk).state == Table.State.OPEN
        due = waiting_table.game.due_at
        # 600 s from the start, and the 505 s in which nobody could sit down.
        assert due == waiting_table.table.starts_at + timedelta(seconds=600 + 505)
        server.hand.set(due - timedelta(seconds=20))
        server.boot()
        server.serve(21)
        assert clocks.claim_due() == 1
        due = waiting_table.game.due_at
        assert due - clock.now() > timedelta(seconds=90), "the second outage ended twenty seconds before"
        server.serve((due - clock.now()).total_seconds() + 1)
        assert clocks.claim_due() == 1
        assert Table.objects.get(pk=waiting_table.table.pk).state == Table.State.CLOSED

    def test_the_wait_for_a_referee_is_extended_by_the_outage(self, refereed_table: Sat, server: Server) -> None:
        refereed_table.begin()
        server.serve(1)
        refereed_table.call(0)
        frozen = refereed_table.state.frozen
        assert frozen is not None
        server.serve(50)
        server.down(280)
        assert clocks.claim_due() == 1
        after = refereed_table.state.frozen
        assert after is not None
        assert after.until == frozen.until + 280_000
        assert after.left == frozen.left
        assert clocks.claim_due() == 0

    def test_a_referees_act_is_recorded_after_the_credit(self, refereed_table: Sat, server: Server) -> None:
        seat = refereed_table.begin()
        server.serve(10)
        server.down(80)
        done = referee.freeze(game_id=refereed_table.game.pk, ref="r1")
        assert done.seq == rows(refereed_table)[0].seq + 1
        frozen = refereed_table.state.frozen
        assert frozen is not None
        assert frozen.left == 50_000
        assert refereed_table.state.clocks is not None
        assert refereed_table.state.clocks.spent == 10_000
        assert refereed_table.state.clocks.run == seat

    def test_drawing_continues_after_a_countdown(self, open_tractor: Any, server: Server, settings: Any) -> None:
        settings.TOCK_DRAW_MS = 600
        table = open_tractor(clocks=ClockSettings())
        table.all_ready()
        for _ in range(4):
            server.serve(0.6)
            clocks.claim_due()
        assert table.state.chance == "draw"
        seen = table.state.seq
        server.down(30)
        assert clocks.claim_due() == 1
        assert [row.code for row in store.load(table.game.pk, after=seen)] == ["credit"]
        server.serve(9)
        assert clocks.claim_due() == 0
        server.serve(2)
        assert clocks.claim_due() == 1
        assert store.load(table.game.pk)[-1].body["play"] == "draw 4"
