"""The thread that claims deadlines: it survives every error of a round, and sleeps until something is due."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from games.models import Game
from games.services import alarm as alarms
from games.services import bots, tables
from games.services.alarm import NEVER, Alarm, look
from games.services.tables import SeatPlan
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.embedded import scheduler


class Rounds:
    """Counts calls; the first one fails."""

    def __init__(self) -> None:
        self.calls = 0
        self.enough = threading.Event()

    def __call__(self, due: Any = None) -> int:
        self.calls += 1
        if self.calls == 1:
            raise ValueError("a game that cannot be read")
        if self.calls >= 3:
            self.enough.set()
        return 1


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    """Count the rounds of a scheduler that finds no bot to play."""
    found = Rounds()
    monkeypatch.setattr(scheduler.clocks, "claim_due", found)
    monkeypatch.setattr(scheduler.bots, "act_due", lambda due, until: 0)
    monkeypatch.setattr(scheduler, "LOOK_MS", 50)
    return found


@pytest.fixture
def thread() -> Iterator[scheduler.Scheduler]:
    found = scheduler.Scheduler()
    yield found
    found.stop()


@pytest.mark.django_db(transaction=True)
def test_a_failing_round_does_not_stop_the_next_ones(rounds: Rounds, thread: Any, caplog: Any) -> None:
    with caplog.at_level(logging.ERROR):
        thread.start()
        assert rounds.enough.wait(10)
        thread.stop()
    assert not thread.is_alive()
    assert "cannot be read" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_stopped_thread_makes_no_more_rounds(rounds: Rounds, thread: Any) -> None:
    rounds.calls = 1
    thread.start()
    assert rounds.enough.wait(10)
    thread.stop()
    made = rounds.calls
    threading.Event().wait(0.1)
    assert rounds.calls == made


class TestAlarm:
    def test_wakes_at_an_earlier_moment_that_is_set_meanwhile(self) -> None:
        alarm, woken = Alarm(), threading.Event()
        now = clock.now_ms()

        def sleep() -> None:
            alarm.wait(now + 60_000)
            woken.set()

        sleeper = threading.Thread(target=sleep)
        sleeper.start()
        alarm.set(now + 90_000)
        assert not woken.is_set()
        alarm.set(now)
        assert woken.wait(10)
        sleeper.join()

    def test_keeps_what_was_set_before_the_sleep_and_forgets_it_after(self) -> None:
        alarm = Alarm()
        alarm.set(clock.now_ms())
        alarm.wait(clock.now_ms() + 60_000)
        began = time.monotonic()
        alarm.wait(clock.now_ms() + 30)
        assert time.monotonic() - began >= 0.02


def sit_down(level: str, count: int) -> list[Any]:
    """Open tables of four bots, without clocks."""
    return [
        tables.open_match_table(
            rules="shawinigan/1",
            name=f"{level} {number}",
            seat_plan=[SeatPlan(seat, bot=level) for seat in range(4)],
            team_names=["A", "B"],
            bots_allowed=True,
            rated=False,
        )
        for number in range(count)
    ]


@pytest.mark.django_db(transaction=True)
class TestLook:
    def test_one_query_finds_deadlines_and_bots_the_longest_due_first(
        self, frozen_clock: clock.Frozen, django_assert_num_queries: Callable[..., Any]
    ) -> None:
        with django_assert_num_queries(1):
            assert look() == alarms.Due()
        a, b, c, d = (table.games.get().pk for table in sit_down("random", 4))
        now = clock.now()
        Game.objects.update(bot_at=None)
        for game, due, bot in ((a, -1, None), (b, -5, None), (c, None, -2), (d, 7, 9)):
            times = {
                name: now + timedelta(seconds=at) for name, at in (("due_at", due), ("bot_at", bot)) if at is not None
            }
            Game.objects.filter(pk=game).update(**times)
        with django_assert_num_queries(1):
            due = look()
        assert due == alarms.Due(deadlines=(b, a), bots=(c,), next_at=clock.ms(now) + 7_000)

    def test_one_poll_reports_at_most_a_fixed_number_of_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sit_down("random", 4)
        monkeypatch.setattr(alarms, "MOST", 3)
        assert len(look().bots) == 3

    def test_a_write_sets_the_alarm_after_its_commit_and_not_before(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rung: list[int] = []
        monkeypatch.setattr(alarms.alarm, "set", rung.append)
        with writing():
            (table,) = sit_down("random", 1)
            assert rung == []
        game = Game.objects.get(table=table)
        assert game.bot_at is not None
        assert rung == [clock.ms(game.bot_at)]
        with transaction.atomic():
            sit_down("random", 1)
            transaction.set_rollback(True)
        assert len(rung) == 1


@pytest.mark.django_db(transaction=True)
class TestSleep:
    def test_a_round_in_which_nothing_is_due_is_one_query(
        self, thread: scheduler.Scheduler, django_assert_num_queries: Callable[..., Any]
    ) -> None:
        assert scheduler.LOOK_MS == 2_000
        assert scheduler.heart.beat() == 0
        with django_assert_num_queries(1):
            assert thread.round() == NEVER
        scheduler.heart.stop()

    def test_a_bots_turn_is_played_when_it_comes_and_not_at_the_next_look(
        self, thread: scheduler.Scheduler, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        settings.TOCK_BOT_PACE_MS = 300
        monkeypatch.setattr(scheduler, "LOOK_MS", 60_000)
        (table,) = sit_down("random", 1)
        game = table.games.get()
        thread.start()
        until = time.monotonic() + 20
        while Game.objects.get(pk=game.pk).phase == "seating" and time.monotonic() < until:
            threading.Event().wait(0.05)
        assert Game.objects.get(pk=game.pk).phase != "seating", (
            "four bots got ready, 300 ms apart, without a look between"
        )


@pytest.mark.django_db(transaction=True)
class TestFairTurns:
    def test_bots_of_many_tables_play_in_turn_and_stop_in_time(self, settings: Any) -> None:
        opened = [table.games.get().pk for table in sit_down("club", 9)]
        moved = bots.act_due(until=clock.monotonic() - 1)
        assert moved == 0, "the time was over before the first"
        while (seqs := [Game.objects.get(pk=pk).last_seq for pk in opened]) and max(seqs) < 12:
            due = look().bots
            bots.act_due(due[:4])
            after = [Game.objects.get(pk=pk).last_seq for pk in opened]
            assert sum(now > then for now, then in zip(after, seqs, strict=True)) == 4
        begun = [seq for seq in after if seq >= 6]
        assert len(begun) == 9, "nobody waits while others go on"

    def test_a_table_of_masters_does_not_delay_other_tables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        thinking, go = threading.Event(), threading.Event()

        def think(*args: Any) -> None:
            thinking.set()
            go.wait(20)

        monkeypatch.setattr(bots, "_think", think)
        (slow,) = sit_down("master", 1)
        quick = [table.games.get().pk for table in sit_down("club", 3)]
        try:
            while not thinking.is_set():
                bots.act_due()
            before = [Game.objects.get(pk=pk).last_seq for pk in quick]
            for _ in range(3):
                bots.act_due()
            after = [Game.objects.get(pk=pk).last_seq for pk in quick]
            assert all(now >= then + 3 for now, then in zip(after, before, strict=True))
            assert bots.thinkers.matters() == {slow.games.get().pk}
        finally:
            go.set()
            bots.thinkers.stop()


@pytest.mark.django_db(transaction=True)
def test_a_deadline_is_claimed_when_it_comes_and_not_at_the_next_look(
    thread: scheduler.Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "LOOK_MS", 60_000)
    people: list[Player] = []
    with writing():
        people = [create_player(display_name=name) for name in ("Martine", "Gilles", "Sylvie", "Réal")]
    table = tables.open_match_table(
        rules="shawinigan/1",
        name="Draveurs - Pieux",
        seat_plan=[SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(people)],
        team_names=["A", "B"],
        clocks=tables.ClockSettings(),
    )
    game = table.games.get()
    thread.start()
    due = clock.now() + timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(due_at=due, due_kind="decision")
    alarms.alarm.set(clock.ms(due))
    until = time.monotonic() + 20
    while Game.objects.get(pk=game.pk).due_at is not None and time.monotonic() < until:
        threading.Event().wait(0.01)
    assert Game.objects.get(pk=game.pk).due_at is None
    assert clock.now() >= due
