"""What counts as an outage: no process had a heartbeat, whichever process should have."""

from typing import Any

import pytest
from django.db import OperationalError

from games.models import Outage, Pulse
from games.services import clocks, credits, pulse
from games.services.pulse import Heart
from tock_league.common import clock
from tock_league.embedded import scheduler

from ..conftest import Sat
from .conftest import Server, left, rows

pytestmark = pytest.mark.both_databases


class TestWhoServes:
    def test_a_table_that_another_process_served_gets_no_credit(self, timed_table: Sat, server: Server) -> None:
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

    def test_an_announced_stop_counts_as_an_outage_from_its_announcement(
        self, timed_table: Sat, server: Server
    ) -> None:
        timed_table.begin()
        server.serve(10.5)
        server.heart.stop()
        assert server.down(2.5) == 2_500
        timed_table.play_on(1)
        assert [row.body["ms"] for row in rows(timed_table)] == [2_500]

    def test_deploying_one_of_two_processes_is_no_outage(self, timed_table: Sat, server: Server) -> None:
        other = Heart()
        other.beat()
        server.heart.stop()
        server.hand.advance(seconds=1.5)
        other.beat()
        assert server.down(1) == 0
        assert not Outage.objects.exists()

    @pytest.mark.parametrize(("age", "gap"), [(4_400, 0), (4_600, 4_600)])
    def test_the_clock_of_another_machine_may_be_a_second_behind(
        self, server: Server, monkeypatch: pytest.MonkeyPatch, age: int, gap: int
    ) -> None:
        # Its heartbeats come every two seconds, and what is left of 4.5 s after them is the difference of the clocks.
        server.hand.advance(seconds=20)
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(pulse.socket, "gethostname", lambda: "web2")
            process = Heart()._process
        Pulse.objects.create(process=process, at=clock.now_ms() - age)
        assert server.boot() == gap

    def test_a_process_that_starts_credits_nothing_while_another_one_is_late(self, server: Server) -> None:
        server.hand.advance(seconds=4)
        starts = Heart()
        assert starts.outages(clock.now_ms()) == ()
        server.hand.advance(seconds=2)
        assert [until - since for since, until in starts.outages(clock.now_ms())] == [6_000]

    def test_a_sweep_expires_no_deadline_while_no_process_serves(self, timed_table: Sat, server: Server) -> None:
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

    def test_a_busy_machine_is_no_outage(self, server: Server) -> None:
        server.hand.advance(seconds=4.5)
        assert server.heart.beat() == 0
        assert not Outage.objects.exists()

    def test_rows_of_old_processes_are_deleted(self, server: Server) -> None:
        Pulse.objects.create(process="gone", at=clock.now_ms() - 2 * 24 * 3600 * 1000)
        Pulse.objects.create(process="from a wrong clock", at=clock.now_ms() + 10**10)
        server.boot()
        assert set(Pulse.objects.values_list("process", flat=True)).isdisjoint({"gone", "from a wrong clock"})

    def test_a_regular_beat_is_one_statement(self, server: Server, django_assert_num_queries: Any) -> None:
        server.hand.advance(seconds=2)
        with django_assert_num_queries(3):  # savepoint, update, release: the test's own transaction is outside
            server.heart.beat()
        with django_assert_num_queries(0):
            assert server.heart.outages(clock.now_ms()) == ()
            assert server.heart.served(clock.now_ms())


def _refuses() -> Any:
    raise OperationalError("the database is gone")


@pytest.mark.django_db(transaction=True)
class TestTheScheduler:
    def test_credits_an_interrupted_decision_before_it_expires_deadlines(
        self, timed_table: Sat, server: Server
    ) -> None:
        timed_table.begin()
        server.serve(10)
        thread = scheduler.Scheduler()
        server.hand.advance(seconds=20)
        thread.round()
        assert [row.body["ms"] for row in rows(timed_table)] == [20_000]
        assert left(timed_table) == 50_000

    def test_records_that_its_process_stopped(self, timed_table: Sat, server: Server) -> None:
        server.serve(2)
        scheduler.Scheduler()._last_beat()
        assert list(Pulse.objects.values_list("stopped", flat=True)) == [True]
        assert credits.due(timed_table.state, clock.now_ms()) is None
