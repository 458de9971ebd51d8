"""Outages: no clock runs while no process could have served the table, and the record says what was given back."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from games import store
from games.fold import Clocks, ClockSettings, Row, fold
from games.fold.clocks import credit
from games.models import Game, Outage, Pulse, Table
from games.selectors import replays
from games.services import clocks, credits, pulse, referee
from games.services.judge import judge
from games.services.pulse import Heart, missed
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.embedded import scheduler

from .conftest import Sat


class Server:
    """One process that serves tables, as far as its heart goes: it beats while time passes, until it is killed."""

    def __init__(self, hand: clock.Frozen) -> None:
        self.hand = hand
        self.heart = pulse.heart
        self.boot()

    def boot(self) -> int:
        """Start (again): a new process with a heart of its own. Return the gap that it found."""
        self.heart.begin()
        return self.heart.beat()

    def serve(self, seconds: float) -> None:
        """Let so much time pass, beating every second."""
        while seconds > 0:
            self.hand.advance(seconds=min(1, seconds))
            self.heart.beat()
            seconds -= 1

    def down(self, seconds: float) -> int:
        """Be killed, and come back after so many seconds."""
        self.hand.advance(seconds=seconds)
        return self.boot()


def begin_with_a_move(sat: Sat) -> int:
    """Deal, and play until a seat has more than cards to burn, which cost no time; return the seat."""
    seat = sat.begin()
    while sat.choose(seat).startswith("burn "):
        sat.play_on(1)
        seat = min(sat.state.to_act)
    return seat


@pytest.fixture
def heart(db: Any) -> Iterator[Heart]:
    """Give this process's heart; afterwards it beats no more."""
    yield pulse.heart
    pulse.heart.stop()


@pytest.fixture
def server(heart: Heart, frozen_clock: clock.Frozen) -> Server:
    return Server(frozen_clock)


def rows(sat: Sat, code: str = "credit") -> list[Row]:
    return [row for row in store.load(sat.game.pk) if row.code == code]


def left(sat: Sat) -> int:
    """Return what the running decision has left (ms)."""
    assert sat.state.clocks is not None
    return sat.state.clocks.due - clock.now_ms()


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

    def test_a_countdown_is_no_part_of_the_decision(self) -> None:
        running = Clocks(bank=(300_000,), run=0, opened=50_000, due=110_000)
        assert credit(running, ms=10_000, back=60_000) == replace(running, opened=60_000, due=120_000)

    def test_where_nothing_runs_nothing_is_given(self) -> None:
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

    def test_that_is_answered_first_thing_after_the_return_is_not_too_late(
        self, timed_table: Sat, server: Server
    ) -> None:
        seat = timed_table.begin()
        server.serve(10)
        server.hand.advance(seconds=80)  # the process was stopped, and has not beaten since
        answer = timed_table.send(seat, "play", play=timed_table.choose(seat))
        assert not answer.code
        codes = [row.code for row in store.load(timed_table.game.pk)]
        assert codes[-2:] == ["credit", "play"]
        assert answer.seq == rows(timed_table)[0].seq + 1
        # The beat that follows keeps the outage as the command saw it: nothing is credited twice.
        server.hand.advance(seconds=1.5)
        assert server.heart.beat() == 80_000
        server.serve(3)
        assert not timed_table.send(min(timed_table.state.to_act), "dispute").code
        assert len(rows(timed_table)) == 1

    def test_is_charged_for_what_was_served_only(self, timed_table: Sat, server: Server) -> None:
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

    def test_that_began_after_the_outage_is_given_nothing(self, timed_table: Sat, server: Server) -> None:
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


class TestWhoServes:
    def test_a_table_that_another_process_served_is_given_nothing(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        other = Heart()
        other.beat()
        for _ in range(61):
            server.hand.advance(seconds=1)
            other.beat()
        assert server.boot() == 0
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1
        assert rows(timed_table) == []

    def test_a_deploy_counts_from_its_announcement(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(10.5)
        server.heart.stop()
        assert server.down(2.5) == 2_500
        timed_table.play_on(1)
        assert [row.body["ms"] for row in rows(timed_table)] == [2_500]

    def test_one_of_two_processes_may_be_deployed(self, timed_table: Sat, server: Server) -> None:
        other = Heart()
        other.beat()
        server.heart.stop()
        server.hand.advance(seconds=1.5)
        other.beat()
        assert server.down(1) == 0
        assert not Outage.objects.exists()

    def test_a_sweep_where_nobody_serves_leaves_the_deadlines(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(10)
        sweeper = Heart()
        server.hand.advance(seconds=60)
        assert not sweeper.served(clock.now_ms())
        assert clocks.claim_due() == 0
        assert sum(timed_table.state.timeouts) == 0
        server.boot()
        assert clocks.claim_due() == 1
        assert len(rows(timed_table)) == 1

    def test_a_database_that_was_stopped_is_an_outage(
        self, timed_table: Sat, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        timed_table.begin()
        server.serve(10)
        with monkeypatch.context() as broken:
            broken.setattr(pulse, "writing", _refuses)
            server.hand.advance(seconds=2)
            with pytest.raises(OperationalError):
                server.heart.beat()
        assert server.heart.beat_due(clock.now_ms())
        server.hand.advance(seconds=2)
        assert server.heart.beat() == 4_000

    def test_screens_do_not_count_down_while_the_beats_fail(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server.serve(2)
        last = clock.now_ms()
        with monkeypatch.context() as broken:
            broken.setattr(pulse, "writing", _refuses)
            for seconds, shown in ((4, last + 4_000), (4, last), (60, last)):
                server.hand.advance(seconds=seconds)
                with pytest.raises(OperationalError):
                    server.heart.beat()
                assert server.heart.counted(clock.now_ms()) == shown
        server.heart.beat()
        assert server.heart.counted(clock.now_ms()) == clock.now_ms()

    def test_a_busy_machine_is_none(self, server: Server) -> None:
        server.hand.advance(seconds=4.5)
        assert server.heart.beat() == 0
        assert not Outage.objects.exists()

    def test_rows_of_processes_long_gone_are_forgotten(self, server: Server) -> None:
        Pulse.objects.create(process="gone", at=clock.now_ms() - 2 * 24 * 3600 * 1000)
        Pulse.objects.create(process="from a wrong clock", at=clock.now_ms() + 10**10)
        server.boot()
        assert set(Pulse.objects.values_list("process", flat=True)).isdisjoint({"gone", "from a wrong clock"})

    def test_a_regular_beat_is_one_statement(self, server: Server, django_assert_num_queries: Any) -> None:
        server.hand.advance(seconds=2)
        with django_assert_num_queries(3):  # savepoint, update, release: the test's own transaction is around it
            server.heart.beat()
        with django_assert_num_queries(0):
            assert server.heart.outages(clock.now_ms()) == ()
            assert server.heart.served(clock.now_ms())


def _refuses() -> Any:
    raise OperationalError("the database is gone")


class TestALateDeadline:
    def test_is_ours_once(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(64)
        assert clocks.claim_due() == 1
        assert [row.body["why"] for row in rows(timed_table)] == ["late"]
        assert left(timed_table) == 20_000
        server.serve(24)
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1

    def test_is_the_players_where_it_is_claimed_in_time(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(62)
        assert clocks.claim_due() == 1
        assert sum(timed_table.state.timeouts) == 1


class TestOtherDeadlines:
    @pytest.fixture
    def waiting_table(self, open_table: Any, server: Server) -> Any:
        return open_table(clocks=ClockSettings(), starts_at=clock.now() + timedelta(minutes=1))

    def test_who_could_not_sit_down_has_the_whole_time_and_two_minutes_at_least(
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

    def test_a_referee_is_waited_for_as_long_as_was_said(self, refereed_table: Sat, server: Server) -> None:
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

    def test_a_referees_order_comes_behind_the_credit(self, refereed_table: Sat, server: Server) -> None:
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

    def test_cards_are_drawn_on_after_a_countdown(self, open_tractor: Any, server: Server, settings: Any) -> None:
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

    def test_folds_to_the_same_table_and_is_taken_by_the_judge(self, interrupted: Sat) -> None:
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
    def test_no_credit_can_be_forged_into_it(self, interrupted: Sat, change: dict[str, Any], code: str) -> None:
        game = interrupted.table.games.get(number=1)
        record = store.load(game.pk)
        place = next(number for number, row in enumerate(record) if row.code == "credit")
        body = {**record[place].body, **change.get("body", {})}
        record[place] = replace(record[place], **({**change, "body": body}))
        with pytest.raises(Refused) as refused:
            judge(table=game.table, setup=store.setup_of(game), rows=record, now=clock.now_ms())
        assert refused.value.code == code


class Machine:
    """The clocks of a computer under a test's hand, in seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.mono = time.time(), time.monotonic()
        monkeypatch.setattr(clock, "_base_wall", self.wall)
        monkeypatch.setattr(clock, "_base_mono", self.mono)
        monkeypatch.setattr(clock.time, "time", lambda: self.wall)
        monkeypatch.setattr(clock.time, "monotonic", lambda: self.mono)

    def run(self, seconds: float) -> None:
        """Let time pass, beating every second."""
        for _ in range(int(seconds)):
            self.wall += 1
            self.mono += 1
            pulse.heart.beat()

    def reboot(self, monkeypatch: pytest.MonkeyPatch) -> int:
        """Start a new process, which reads the wall clock anew."""
        monkeypatch.setattr(clock, "_base_wall", self.wall)
        monkeypatch.setattr(clock, "_base_mono", self.mono)
        pulse.heart.begin()
        return pulse.heart.beat()


class TestClocksThatJump:
    @pytest.fixture
    def machine(self, monkeypatch: pytest.MonkeyPatch, heart: Heart) -> Machine:
        machine = Machine(monkeypatch)
        machine.reboot(monkeypatch)
        return machine

    @pytest.fixture
    def table(self, machine: Machine, open_table: Any) -> Sat:
        found: Sat = open_table(clocks=ClockSettings())
        found.begin()
        return found

    @pytest.mark.parametrize("step", [3600, -3600])
    def test_a_step_of_the_wall_clock_times_nobody_out(self, table: Sat, machine: Machine, step: int) -> None:
        machine.run(10)
        machine.wall += step
        machine.run(5)
        assert clocks.claim_due() == 0
        assert abs(left(table) - 45_000) < 1_000
        assert rows(table) == []

    def test_a_machine_that_slept_while_its_clocks_ran_on_times_nobody_out(self, table: Sat, machine: Machine) -> None:
        machine.run(10)
        machine.wall += 600
        machine.mono += 600
        seat = min(table.state.to_act)
        assert not table.send(seat, "play", play=table.choose(seat)).code
        assert pulse.heart.beat() == 600_000
        assert sum(table.state.timeouts) == 0

    def test_a_machine_that_slept_while_its_clocks_stood_goes_on(self, table: Sat, machine: Machine) -> None:
        machine.run(10)
        machine.wall += 600
        machine.run(2)
        assert clocks.claim_due() == 0
        assert abs(left(table) - 48_000) < 1_000

    def test_a_restart_on_a_clock_that_was_set_forward_times_nobody_out(
        self, table: Sat, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine.run(10)
        machine.wall += 3600
        assert machine.reboot(monkeypatch) == 3_600_000
        assert clocks.claim_due() == 1
        assert left(table) == 50_000

    def test_a_restart_on_a_clock_that_was_set_back_goes_on_from_where_it_was(
        self, table: Sat, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine.run(10)
        before = clock.now_ms()
        machine.wall -= 1800
        assert machine.reboot(monkeypatch) == pytest.approx(3_000, abs=5)
        assert clock.now_ms() >= before
        assert clocks.claim_due() == 0
        machine.run(45)
        assert clocks.claim_due() == 0
        assert sum(table.state.timeouts) == 0
        machine.run(10)
        assert clocks.claim_due() == 1
        assert [row.body["why"] for row in rows(table)] == ["outage"]


@pytest.mark.django_db(transaction=True)
class TestTheScheduler:
    def test_credits_what_was_interrupted_before_any_deadline_passes(self, timed_table: Sat, server: Server) -> None:
        timed_table.begin()
        server.serve(10)
        thread = scheduler.Scheduler()
        server.hand.advance(seconds=20)
        thread.round()
        assert [row.body["ms"] for row in rows(timed_table)] == [20_000]
        assert left(timed_table) == 50_000

    def test_announces_its_end(self, timed_table: Sat, server: Server) -> None:
        server.serve(2)
        scheduler.Scheduler()._last_beat()
        assert list(Pulse.objects.values_list("stopped", flat=True)) == [True]
        assert credits.due(timed_table.state, clock.now_ms()) is None
