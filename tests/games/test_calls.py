"""The call for the referee: it freezes the table, is limited, and ends automatically when nobody comes."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from games import store
from games.announcements import CallUnanswered, RefereeCalled
from games.fold import SPECTATOR, Viewer, view
from games.fold.view import detail
from games.permissions import Person
from games.selectors import replays
from games.selectors.referee import frozen, log, on_duty
from games.services import bots, clocks, referee, tables
from games.services.tables import SeatPlan
from tests.games.conftest import Sat, appoint_referee
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused

REF = "TL-2026-000001/1/1"


def codes(sat: Sat, count: int) -> list[str]:
    return [row.code for row in store.load(sat.game.pk)[-count:]]


def told(heard: list[Any], kind: type) -> list[Any]:
    return [news for news in heard if isinstance(news, kind)]


class TestACallStopsTheTable:
    def test_the_clocks_stop_and_the_call_is_announced(
        self, refereed_table: Sat, frozen_clock: clock.Frozen, heard: list[Any]
    ) -> None:
        seat = refereed_table.begin()
        other = (seat + 1) % 4
        frozen_clock.advance(seconds=7)
        answer = refereed_table.call(other, kind="talk", text="Elle a dit « garde le roi ».")
        assert not answer.code
        assert codes(refereed_table, 2) == ["dispute", "freeze"]
        (news,) = told(heard, RefereeCalled)
        assert news == RefereeCalled(
            game_id=refereed_table.game.pk,
            table_id=refereed_table.table.pk,
            seat=other,
            player_id=refereed_table.players[other].pk,
            seq=answer.seq,
            kind="talk",
            text="Elle a dit « garde le roi ».",
            frozen=True,
        )
        state = refereed_table.state
        assert state.frozen is not None
        assert (state.frozen.seat, state.frozen.seq, state.frozen.held) == (other, answer.seq, False)
        assert state.frozen.until == clock.now_ms() + 300_000
        assert state.clocks is not None
        assert state.clocks.to_json() == {"bank": [300_000] * 4, "run": seat, "spent": 7000}
        game = refereed_table.game
        assert (game.frozen, game.due_kind, game.due_at) == (True, "referee", clock.now() + timedelta(seconds=300))

    def test_every_command_is_refused_as_frozen_and_may_be_retried(self, refereed_table: Sat) -> None:
        seat = refereed_table.begin()
        line = refereed_table.choose(seat)
        refereed_table.call((seat + 1) % 4)
        before, id = refereed_table.game.last_seq, str(uuid.uuid4())
        for number in range(4):
            for kind, args in (("play", {"play": line}), ("resign", {}), ("dispute", {}), ("touch", {"card": "9C"})):
                answer = refereed_table.send(number, kind, **args)
                assert answer.code in ("frozen", "not_your_turn")
                assert answer.code == "not_your_turn" or (answer.why, answer.retry) == ("referee", True)
        assert refereed_table.send(seat, "play", id=id, play=line).code == "frozen"
        assert refereed_table.game.last_seq == before
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        assert not refereed_table.send(seat, "play", id=id, play=line).code

    def test_the_text_of_a_call_is_not_stored_in_the_game(self, refereed_table: Sat) -> None:
        seat = refereed_table.begin()
        id = str(uuid.uuid4())
        secret = "gardeleroi"
        first = refereed_table.call(seat, id=id, text=secret, kind="talk")
        again = refereed_table.call(seat, id=id, text="autre chose", kind="talk")
        assert (again.dup, again.seq) == (True, first.seq)
        assert refereed_table.call(seat, id=id, kind="clock").code == "id_reused"
        with connection.cursor() as cursor:
            cursor.execute("SELECT body, command_id, body_hash FROM games_gameevent")
            assert secret not in str(cursor.fetchall())

    def test_only_the_caller_and_a_referee_see_the_kind_of_a_call(self, refereed_table: Sat) -> None:
        """A choice of six words could be a signal to the partner."""
        refereed_table.begin()
        refereed_table.call(1, kind="clock")
        row = next(row for row in store.load(refereed_table.game.pk) if row.code == "dispute")
        setup = refereed_table.state.setup
        assert detail(row, Viewer(1), setup) == {"seat": 1, "kind": "clock"}
        assert detail(row, Viewer(referee=True), setup) == {"seat": 1, "kind": "clock"}
        for other in (Viewer(0), Viewer(2), Viewer(3), SPECTATOR):
            assert detail(row, other, setup) == {"seat": 1}

    def test_everybody_sees_the_callers_and_until_when_the_game_waits(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        refereed_table.begin()
        answer = refereed_table.call(2)
        until = clock.now_ms() + 300_000
        for viewer in (Viewer(0), Viewer(2), Viewer(referee=True)):
            seen = view(refereed_table.state, viewer)
            assert seen["calls"] == [0, 0, 1, 0]
            assert seen["frozen"] == {"by": "call", "seat": 2, "seq": answer.seq, "held": False, "until": until}
        later = clock.now() + timedelta(minutes=5)
        referee.hold(game_id=refereed_table.game.pk, until=later)
        assert view(refereed_table.state, SPECTATOR)["frozen"]["held"] is True
        assert view(refereed_table.state, SPECTATOR)["frozen"]["until"] == clock.ms(later)
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        assert "frozen" not in view(refereed_table.state, SPECTATOR)


class TestBounds:
    def test_a_seat_may_call_twice_in_a_game(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        for number in (1, 2):
            assert not refereed_table.call(3).code
            referee.resume(game_id=refereed_table.game.pk, ref=f"{REF}{number}")
        refused = refereed_table.call(3)
        assert (refused.code, refused.why) == ("illegal", "calls_used")
        assert refereed_table.state.frozen is None
        assert not refereed_table.call(1).code

    def test_a_call_before_the_deal_is_refused(self, refereed_table: Sat) -> None:
        assert refereed_table.call(0).why == "not_dealt"

    def test_a_call_after_the_end_is_refused(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        turn = refereed_table.state.decision_id
        refereed_table.send(0, "resign")
        refused = refereed_table.call(1, turn=turn)
        assert (refused.code, refused.why) == ("stale_turn", "over")

    def test_a_call_at_a_practice_table_is_refused(self, players: list[Any]) -> None:
        table = tables.open_practice(player=players[0])
        sat = Sat(table, players)
        sat.send(0, "ready")
        answer = sat.call(0)
        assert (answer.code, answer.why) == ("illegal", "no_referee")

    def test_only_the_holder_of_a_seat_may_call_from_it(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        stranger = refereed_table.players[2]
        assert refereed_table.send(1, "dispute", by=Person(player_id=stranger.pk)).code == "seat_lost"

    def test_a_time_out_that_is_due_comes_before_the_call(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=60.5)
        late = refereed_table.call(seat)
        assert (late.code, late.retry) == ("too_late", True)
        clocks.claim_due()
        assert refereed_table.state.timeouts[seat] == 1
        assert not refereed_table.call(seat).code

    def test_a_call_with_nobody_on_duty_leaves_a_mark_and_play_continues(
        self, timed_table: Sat, heard: list[Any]
    ) -> None:
        seat = timed_table.begin()
        assert not on_duty(timed_table.table.pk)
        answer = timed_table.call(seat, kind="other")
        assert codes(timed_table, 2) == ["dispute", "mark"]
        assert [news.frozen for news in told(heard, RefereeCalled)] == [False]
        (unanswered,) = told(heard, CallUnanswered)
        assert (unanswered.seq, unanswered.why) == (answer.seq, "no_referee")
        assert timed_table.state.frozen is None
        assert not timed_table.send(seat, "play", play=timed_table.choose(seat)).code

    def test_with_a_wait_of_zero_a_call_leaves_a_mark_at_once(self, open_table: Any) -> None:
        sat = open_table(referee_wait_s=0)
        appoint_referee(sat)
        sat.begin()
        sat.call(1)
        assert codes(sat, 2) == ["dispute", "mark"]

    @pytest.mark.parametrize("wait", [-1, 3601])
    def test_a_wait_is_at_most_an_hour(self, open_table: Any, wait: int) -> None:
        with pytest.raises(Refused) as refused:
            open_table(referee_wait_s=wait)
        assert (refused.value.code, refused.value.field) == ("referee_wait", "referee_wait_s")


class TestNobodyComes:
    def test_play_continues_with_a_mark_when_the_wait_is_over(
        self, refereed_table: Sat, frozen_clock: clock.Frozen, heard: list[Any]
    ) -> None:
        seat = refereed_table.begin()
        answer = refereed_table.call(1)
        frozen_clock.advance(seconds=299.9)
        assert clocks.claim_due() == 0
        frozen_clock.advance(seconds=0.2)
        assert clocks.claim_due() == 1
        assert codes(refereed_table, 2) == ["mark", "resume"]
        (unanswered,) = told(heard, CallUnanswered)
        assert (unanswered.seq, unanswered.why) == (answer.seq, "unanswered")
        assert frozen(refereed_table.game) is None
        assert refereed_table.state.timeouts == (0, 0, 0, 0)
        assert not refereed_table.send(seat, "play", play=refereed_table.choose(seat)).code
        assert clocks.claim_due() == 0
        assert replays.faults(refereed_table.game) == []

    def test_a_lease_extends_the_wait_and_lapses_without_a_ruling(
        self, refereed_table: Sat, frozen_clock: clock.Frozen, heard: list[Any]
    ) -> None:
        refereed_table.begin()
        refereed_table.call(1)
        frozen_clock.advance(minutes=4)
        until = clock.now() + timedelta(minutes=5)
        for _ in range(2):
            referee.hold(game_id=refereed_table.game.pk, until=until)
        assert codes(refereed_table, 2) == ["freeze", "hold"]
        frozen_clock.advance(minutes=4)
        assert clocks.claim_due() == 0
        frozen_clock.advance(minutes=1.1)
        assert clocks.claim_due() == 1
        assert [news.why for news in told(heard, CallUnanswered)] == ["lapsed"]

    def test_only_a_frozen_table_can_be_held_or_resumed(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        for attempt in (
            lambda: referee.hold(game_id=refereed_table.game.pk, until=clock.now()),
            lambda: referee.resume(game_id=refereed_table.game.pk, ref=REF),
        ):
            with pytest.raises(Conflict) as refused:
                attempt()
            assert refused.value.code == "not_frozen"

    def test_a_frozen_table_has_no_time_outs(self, refereed_table: Sat, frozen_clock: clock.Frozen) -> None:
        refereed_table.begin()
        refereed_table.call(0)
        frozen_clock.advance(seconds=200)
        assert clocks.claim_due() == 0
        assert refereed_table.state.timeouts == (0, 0, 0, 0)


class TestGoingOn:
    def test_the_clocks_resume_after_a_countdown_with_the_time_left(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=25)
        refereed_table.call(seat)
        frozen_clock.advance(seconds=100)
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        begin = clock.now_ms() + 10_000
        running = refereed_table.state.clocks
        assert running is not None
        assert (running.run, running.opened, running.due, running.spent) == (seat, begin, begin + 35_000, 25_000)
        assert refereed_table.game.due_at == clock.from_ms(begin + 35_000)
        frozen_clock.advance(seconds=14)
        line = refereed_table.choose(seat)
        assert not refereed_table.send(seat, "play", play=line).code
        after = refereed_table.state.clocks
        assert after is not None
        # 25 s before the freeze and 4 s after the countdown; a burn has an allowance of 20 s and brings no increment.
        cost = 29_000 - 20_000 if line.startswith("burn") else 29_000 - 5_000
        assert after.bank[seat] == 300_000 - cost
        assert after.spent == 0

    def test_at_least_twenty_seconds_are_left(self, refereed_table: Sat, frozen_clock: clock.Frozen) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=59)
        refereed_table.call(seat)
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        running = refereed_table.state.clocks
        assert running is not None
        assert running.due - running.opened == 20_000
        frozen_clock.advance(seconds=29.9)
        assert clocks.claim_due() == 0
        frozen_clock.advance(seconds=0.2)
        assert clocks.claim_due() == 1
        assert refereed_table.state.timeouts[seat] == 1

    def test_a_second_call_in_the_countdown_costs_no_time(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=10)
        refereed_table.call(seat)
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        frozen_clock.advance(seconds=5)
        refereed_table.call((seat + 1) % 4)
        state = refereed_table.state
        assert state.frozen is not None
        assert state.clocks is not None
        assert (state.frozen.left, state.clocks.spent) == (50_000, 10_000)

    def test_a_call_freezes_the_exchange_as_well(self, refereed_table: Sat, frozen_clock: clock.Frozen) -> None:
        refereed_table.all_ready()
        frozen_clock.advance(seconds=15)
        refereed_table.send(0, "exchange", card=view(refereed_table.state, Viewer(0))["hand"][0])
        refereed_table.call(1)
        card = view(refereed_table.state, Viewer(1))["hand"][0]
        assert refereed_table.send(1, "exchange", card=card).code == "frozen"
        frozen_clock.advance(seconds=60)
        referee.resume(game_id=refereed_table.game.pk, ref=REF)
        running = refereed_table.state.clocks
        assert running is not None
        assert running.due == clock.now_ms() + 10_000 + 20_000
        assert not refereed_table.send(1, "exchange", card=card).code
        refereed_table.exchange()
        assert refereed_table.state.phase == "play"

    def test_a_table_without_clocks_is_frozen_and_resumed(self, open_table: Any, frozen_clock: clock.Frozen) -> None:
        sat = open_table()
        appoint_referee(sat)
        seat = sat.begin()
        sat.call(seat)
        assert sat.game.due_kind == "referee"
        assert sat.send(seat, "play", play=sat.choose(seat)).code == "frozen"
        frozen_clock.advance(seconds=301)
        assert clocks.claim_due() == 1
        assert (sat.game.due_kind, sat.game.due_at) == ("", None)
        assert not sat.send(seat, "play", play=sat.choose(seat)).code


class TestBots:
    def test_bots_do_not_act_on_a_frozen_table(
        self, players: list[Any], frozen_clock: clock.Frozen, heard: list[Any]
    ) -> None:
        plan = [SeatPlan(0, player_id=players[0].pk)]
        plan += [SeatPlan(seat, player_id=players[seat].pk, bot="novice") for seat in (1, 2, 3)]
        table = tables.open_match_table(rules="shawinigan/1", name="x", seat_plan=plan, bots_allowed=True)
        sat = Sat(table, players)
        appoint_referee(sat)
        sat.send(0, "ready")
        self.bots_play(frozen_clock)
        sat.send(0, "exchange", card=view(sat.state, Viewer(0))["hand"][0])
        self.bots_play(frozen_clock)
        while sat.state.to_act == {0}:
            sat.play_on(1)
        assert sat.game.bot_at is not None
        assert not sat.call(0).code
        frozen_clock.advance(seconds=60)
        before = sat.game.last_seq
        assert sat.game.bot_at is None
        assert bots.act_due() == 0
        assert bots.act(sat.game.pk) == 0  # a sweep that had selected this game before
        assert sat.game.last_seq == before
        referee.resume(game_id=sat.game.pk, ref=REF)
        frozen_clock.advance(seconds=30)
        assert bots.act_due() == 1

    @staticmethod
    def bots_play(hand: clock.Frozen) -> None:
        for _ in range(40):
            hand.advance(seconds=5)
            if not bots.act_due():
                return


def test_the_log_of_a_case_holds_calls_and_touches_and_no_hidden_card(refereed_table: Sat) -> None:
    refereed_table.begin()
    refereed_table.call(1, kind="touch")
    referee.warn(game_id=refereed_table.game.pk, seat=2, ref=REF)
    assert [row.code for row in log(refereed_table.game)] == ["dispute", "freeze", "warning"]
