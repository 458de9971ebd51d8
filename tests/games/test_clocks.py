"""Deadlines: the server makes default plays, forfeits, and closes tables to which nobody comes."""

from datetime import timedelta
from typing import Any

import pytest

from games import bots, store
from games.announcements import GameFinished
from games.fold import Clocks, ClockSettings, Viewer, view
from games.fold.clocks import charge, charge_burn, charge_timeout, open_decision
from games.models import Game, Table
from games.services import clocks, tables
from tock_league.common import clock

SETTINGS = ClockSettings()


class TestArithmetic:
    def test_a_decision_costs_its_time_and_brings_the_increment(self) -> None:
        running = Clocks(bank=(291_000, 300_000), run=0, opened=1_000, due=61_000)
        assert charge(running, SETTINGS, seat=0, at=9_000).bank == (288_000, 300_000)

    def test_a_bank_never_exceeds_its_limit(self) -> None:
        running = Clocks(bank=(300_000, 300_000), run=0, opened=1_000, due=61_000)
        assert charge(running, SETTINGS, seat=0, at=2_000).bank == (300_000, 300_000)

    def test_a_time_bank_is_never_negative(self) -> None:
        late = Clocks(bank=(5_000, 300_000), run=0, opened=0, due=60_000)
        assert charge(late, SETTINGS, seat=0, at=9_000).bank == (5_000, 300_000)  # only the increment
        assert charge_burn(late, SETTINGS, seat=0, at=40_000).bank == (0, 300_000)

    def test_a_decision_may_last_as_long_as_cap_and_bank_allow(self) -> None:
        clocks_ = Clocks(bank=(30_000, 300_000))
        assert open_decision(clocks_, SETTINGS, run=0, at=5, short=False).due == 30_005
        assert open_decision(clocks_, SETTINGS, run=1, at=5, short=False).due == 60_005
        assert open_decision(clocks_, SETTINGS, run=1, at=5, short=True).due == 20_005
        assert open_decision(clocks_, SETTINGS, run=None, at=5, short=False).due == 20_005

    def test_a_burn_costs_only_what_exceeds_its_allowance(self) -> None:
        running = Clocks(bank=(100_000,), run=0, opened=0, due=60_000)
        assert charge_burn(running, SETTINGS, seat=0, at=20_000).bank == (100_000,)
        assert charge_burn(running, SETTINGS, seat=0, at=25_000).bank == (95_000,)

    def test_a_time_out_leaves_twenty_seconds(self) -> None:
        running = Clocks(bank=(30_000,), run=0, opened=0, due=30_000)
        assert charge_timeout(running, seat=0, at=30_100, short=False).bank == (20_000,)
        assert charge_timeout(running, seat=0, at=30_100, short=True).bank == (30_000,)

    @pytest.mark.parametrize("wrong", [{"bank_s": 0}, {"cap_s": -1}, {"timeouts": 1.5}, {"short_s": True}])
    def test_a_value_out_of_range_is_named(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ClockSettings(**wrong)

    def test_an_unknown_field_is_named(self) -> None:
        with pytest.raises(ValueError, match="pauses"):
            ClockSettings.from_json({"pauses": 2})


@pytest.mark.both_databases
def test_nothing_is_due_before_its_time(timed_table: Any, frozen_clock: clock.Frozen) -> None:
    timed_table.all_ready()
    frozen_clock.advance(seconds=19.9)
    assert clocks.claim_due() == 0


@pytest.mark.both_databases
def test_a_late_exchange_is_made_by_the_clock(timed_table: Any, frozen_clock: clock.Frozen) -> None:
    timed_table.all_ready()
    hand = view(timed_table.state, Viewer(1))["hand"]
    expected = bots.default_play(view(timed_table.state, Viewer(1))["legal"])
    for seat in (0, 2, 3):
        timed_table.send(seat, "exchange", card=view(timed_table.state, Viewer(seat))["hand"][0])
    frozen_clock.advance(seconds=20.5)
    assert clocks.claim_due() == 1
    state = timed_table.state
    assert state.phase == "play"
    assert state.timeouts == (0, 1, 0, 0)
    rows = store.load(timed_table.game.pk)
    assert [row.code for row in rows[-6:]] == ["timeout", "give_sealed", "play", "play", "play", "play"]
    assert f"give {rows[-5].body['card']}" == expected
    assert rows[-5].body["card"] in hand
    assert clocks.claim_due() == 0


@pytest.mark.both_databases
def test_a_late_turn_is_played_by_the_clock_and_the_third_one_forfeits(
    timed_table: Any, frozen_clock: clock.Frozen, finished: list[GameFinished]
) -> None:
    timed_table.all_ready()
    timed_table.exchange()
    sleeper = next(iter(timed_table.state.to_act))
    for count in (1, 2):
        while timed_table.state.to_act != {sleeper}:
            timed_table.play_on(1)
        expected = bots.default_play(view(timed_table.state, Viewer(sleeper))["legal"])
        frozen_clock.advance(seconds=60.5)
        assert clocks.claim_due() == 1
        plays = [row for row in store.load(timed_table.game.pk) if row.actor == "clock" and row.code == "play"]
        assert plays[-1].body["play"] == expected
        assert timed_table.state.timeouts[sleeper] == count
    while timed_table.state.to_act != {sleeper}:
        timed_table.play_on(1)
    frozen_clock.advance(seconds=60.5)
    assert clocks.claim_due() == 1
    game = Game.objects.get(table=timed_table.table)
    assert (game.state, game.reason) == ("over", "forfeit_timeouts")
    assert game.ranks[sleeper % 2] == 1
    assert not game.rated
    assert [news.reason for news in finished] == ["forfeit_timeouts"]
    assert finished[0].sides == tuple(
        tuple(timed_table.players[seat].pk for seat in (team, team + 2)) for team in (0, 1)
    )


def test_a_command_after_an_unclaimed_deadline_is_too_late(timed_table: Any, frozen_clock: clock.Frozen) -> None:
    timed_table.all_ready()
    timed_table.exchange()
    (seat,) = timed_table.state.to_act
    line = view(timed_table.state, Viewer(seat))["legal"][0]
    frozen_clock.advance(seconds=60.001)
    assert timed_table.send(seat, "play", play=line).code == "too_late"


@pytest.mark.both_databases
def test_a_command_in_time_moves_the_deadline(timed_table: Any, frozen_clock: clock.Frozen) -> None:
    timed_table.all_ready()
    timed_table.exchange()
    frozen_clock.advance(seconds=59)
    timed_table.play_on(1)
    frozen_clock.advance(seconds=2)
    assert clocks.claim_due() == 0
    assert timed_table.state.timeouts == (0, 0, 0, 0)


class TestNoShow:
    @pytest.fixture
    def waiting_table(self, open_table: Any, frozen_clock: clock.Frozen) -> Any:
        return open_table(clocks=SETTINGS, starts_at=clock.now() + timedelta(minutes=15))

    def test_an_absent_team_forfeits_an_unrated_game(
        self, waiting_table: Any, frozen_clock: clock.Frozen, finished: list[GameFinished]
    ) -> None:
        for seat in (0, 2, 3):
            waiting_table.send(seat, "ready")
        frozen_clock.advance(minutes=24, seconds=59)
        assert clocks.claim_due() == 0
        frozen_clock.advance(seconds=2)
        assert clocks.claim_due() == 1
        game = Game.objects.get(table=waiting_table.table)
        assert (game.state, game.reason, game.ranks, game.rated) == ("over", "no_show", [0, 1], False)
        assert game.unrated_reason == "no_show"
        assert len(finished) == 1

    @pytest.mark.both_databases
    def test_a_table_where_no_team_is_complete_is_closed_without_a_result(
        self, waiting_table: Any, frozen_clock: clock.Frozen, finished: list[GameFinished]
    ) -> None:
        waiting_table.send(0, "ready")
        waiting_table.send(1, "ready")
        frozen_clock.advance(minutes=26)
        assert clocks.claim_due() == 1
        assert Table.objects.get(pk=waiting_table.table.pk).state == Table.State.CLOSED
        assert waiting_table.game.state == Game.State.SEATING
        assert not finished
        assert clocks.claim_due() == 0
        assert waiting_table.send(2, "ready").why == "closed"
        tables.reschedule(waiting_table.table, clock.now() + timedelta(days=1))
        assert not waiting_table.send(2, "ready").code

    @pytest.mark.both_databases
    def test_rescheduling_a_match_moves_its_deadline(self, waiting_table: Any, frozen_clock: clock.Frozen) -> None:
        tables.reschedule(waiting_table.table, clock.now() + timedelta(hours=2))
        frozen_clock.advance(minutes=30)
        assert clocks.claim_due() == 0

    def test_a_table_without_clocks_waits_for_ever(self, open_table: Any, frozen_clock: clock.Frozen) -> None:
        open_table(starts_at=clock.now())
        frozen_clock.advance(hours=20)
        assert clocks.claim_due() == 0


def test_best_of_three_goes_on_until_two_are_won(open_table: Any, finished: list[GameFinished]) -> None:
    sat = open_table(best_of=3)
    for number, loser in ((1, 0), (2, 1), (3, 3)):
        game = sat.game
        assert game.number == number
        assert view(sat.state, Viewer(0))["games"] == {
            "number": number,
            "best_of": 3,
            "wins": [[0, 0], [0, 1], [1, 1]][number - 1],
        }
        assert store.load(game.pk)[0].seq == 1
        sat.all_ready()
        sat.exchange()
        assert not sat.send(loser, "resign").code
    assert Table.objects.get(pk=sat.table.pk).state == Table.State.FINISHED
    assert sat.game.number == 3
    assert [news.ranks for news in finished] == [(1, 0), (0, 1), (0, 1)]
