"""What an outage credits to a running decision, once."""

from dataclasses import replace

from games import store
from games.fold import Clocks
from games.fold.clocks import credit, thaw
from games.services import clocks
from games.services.pulse import missed
from tock_league.common import clock

from ..conftest import Sat
from .conftest import Server, begin_with_a_move, left, rows


class TestArithmetic:
    def test_a_decision_keeps_what_it_had_left_and_its_bank_pays_nothing(self) -> None:
        running = Clocks(bank=(300_000, 300_000), run=0, opened=1_000, due=61_000)
        assert credit(running, ms=80_000, back=91_000) == Clocks(
            bank=(300_000, 300_000), run=0, opened=81_000, due=141_000
        )

    def test_at_least_twenty_seconds_are_left_and_the_bank_covers_them(self) -> None:
        running = Clocks(bank=(45_000, 300_000), run=0, opened=0, due=45_000)
        after = credit(running, ms=80_000, back=120_000)
        assert (after.opened, after.due, after.bank) == (80_000, 140_000, (60_000, 300_000))

    def test_an_outage_in_a_countdown_moves_the_whole_decision(self) -> None:
        running = Clocks(bank=(300_000,), run=0, opened=50_000, due=110_000)
        assert credit(running, ms=10_000, back=60_000) == replace(running, opened=60_000, due=120_000)

    def test_after_a_freeze_the_clocks_run_again_in_ten_seconds(self) -> None:
        frozen = Clocks(bank=(300_000,), run=0, spent=5_000)
        after = thaw(frozen, at=60_000, left=40_000)
        assert (after.opened, after.due, after.bank) == (70_000, 110_000, (300_000,))

    def test_without_running_time_there_is_no_credit(self) -> None:
        assert credit(Clocks(bank=(1,)), ms=5_000, back=9_000) == Clocks(bank=(1,))

    def test_outages_that_overlap_count_once_and_only_in_the_decision(self) -> None:
        assert missed([(0, 10), (5, 20), (30, 40), (90, 99)], 8, 35) == (17, 35)
        assert missed([(0, 8)], 8, 35) == (0, 0)
        assert missed([], 8, 35) == (0, 0)


class TestADecision:
    def test_is_not_timed_out_after_an_outage_longer_than_itself(self, timed_table: Sat, server: Server) -> None:
        seat = timed_table.begin()
        server.serve(10)
        assert server.down(80) == 80_000
        assert clocks.claim_due() == 1
        assert timed_table.state.timeouts == (0, 0, 0, 0)
        assert left(timed_table) == 50_000
        (row,) = rows(timed_table)
        assert row.body == {"seat": seat, "ms": 80_000, "back": clock.now_ms(), "why": "outage"}
        assert row.actor == "clock"
        assert clocks.claim_due() == 0

    def test_has_at_least_twenty_seconds_after_the_return_and_then_its_time_is_up(
        self, timed_table: Sat, server: Server
    ) -> None:
        timed_table.begin()
        server.serve(58)
        server.down(80)
        assert clocks.claim_due() == 1
        assert left(timed_table) == 20_000
        server.serve(20.1)
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1

    def test_answered_by_the_first_command_after_an_outage_is_not_too_late(
        self, timed_table: Sat, server: Server
    ) -> None:
        seat = timed_table.begin()
        server.serve(10)
        server.hand.advance(seconds=80)  # the process was stopped and has not beaten since
        answer = timed_table.send(seat, "play", play=timed_table.choose(seat))
        assert not answer.code
        codes = [row.code for row in store.load(timed_table.game.pk)]
        assert codes[-2:] == ["credit", "play"]
        assert answer.seq == rows(timed_table)[0].seq + 1
        # The next heartbeat stores the outage as the command saw it: nothing is credited twice.
        server.hand.advance(seconds=1.5)
        assert server.heart.beat() == 80_000
        server.serve(3)
        assert not timed_table.send(min(timed_table.state.to_act), "dispute").code
        assert len(rows(timed_table)) == 1

    def test_is_charged_only_for_the_time_that_was_served(self, timed_table: Sat, server: Server) -> None:
        seat = begin_with_a_move(timed_table)
        server.serve(10)
        server.down(80)
        server.serve(5)
        assert not timed_table.send(seat, "play", play=timed_table.choose(seat)).code
        assert timed_table.state.clocks is not None
        assert timed_table.state.clocks.bank[seat] == 300_000 - 15_000 + 5_000

    def test_of_several_seats_is_credited_for_all(self, timed_table: Sat, server: Server) -> None:
        timed_table.all_ready()
        server.serve(15)
        server.down(60)
        assert clocks.claim_due() == 1
        assert rows(timed_table)[0].body.keys() == {"ms", "back", "why"}
        assert left(timed_table) == 20_000
        timed_table.exchange()
        assert timed_table.state.timeouts == (0, 0, 0, 0)

    def test_that_began_after_the_outage_gets_no_credit(self, timed_table: Sat, server: Server) -> None:
        server.serve(5)
        server.down(60)
        timed_table.begin()
        server.serve(5)
        timed_table.play_on(1)
        assert rows(timed_table) == []

    def test_survives_two_outages(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(10)
        server.down(30)
        server.serve(10)
        server.down(70)
        assert clocks.claim_due() == 1
        assert left(timed_table) == 40_000
        assert [row.body["ms"] for row in rows(timed_table)] == [100_000]
