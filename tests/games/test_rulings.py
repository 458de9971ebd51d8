"""Rulings at the table: a turn taken back, touched marbles, warnings, clocks, a lost game, a hand shown."""

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.announcements import GameFinished
from games.engine import registry
from games.fold import (
    SPECTATOR,
    BadRecord,
    Row,
    TableState,
    Viewer,
    apply_row,
    events,
    fold,
    merge,
    opening,
    steps,
    view,
)
from games.fold.view import detail
from games.models import Game, SeatView, TableRole
from games.permissions import Person
from games.selectors import replays
from games.selectors import tables as table_reader
from games.selectors.referee import referees, rewindable, seat_views
from games.services import clocks, referee
from games.services.judge import judge
from games.services.records import import_record, read_lines
from tests.games.conftest import Sat, appoint_referee
from tests.games.test_example_frames import POSITION, SETUP, at_412, play
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.errors import Broken, Refused
from tock_league.common.transactions import writing


def ref() -> str:
    return f"TL-{uuid.uuid4().hex[:12]}/1/1"


def refusal(code: str, attempt: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        attempt()
    assert refused.value.code == code
    assert str(refused.value.sentence)
    return refused.value


def sound(sat: Sat) -> None:
    """The index equals the fold, and each view follows from its events."""
    game = sat.game
    assert replays.faults(game) == []
    setup, rows = store.setup_of(game), store.load(game.pk)
    for viewer in (*map(Viewer, range(4)), SPECTATOR, Viewer(referee=True)):
        held = view(opening(setup), viewer)
        for event, fresh in events(steps(opening(setup), rows), viewer):
            held = merge(held, event["set"])
            assert held == fresh, event


def played(state: TableState) -> tuple[Any, ...]:
    """What a rewind restores: the whole position, and the pile."""
    return state.setup.engine.to_json(state.position), state.pile, state.touch, state.decks, state.blinds, state.sealed


def rewind(sat: Sat, to: int) -> referee.Done:
    return referee.rewind(game_id=sat.game.pk, to=to, ref=ref())


class TestRewind:
    def test_the_last_turn_is_taken_back_with_its_cards_and_time(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=12)
        before, turn = refereed_table.state, refereed_table.state.decision_id
        line = refereed_table.choose(seat)
        refereed_table.send(seat, "play", play=line)
        frozen_clock.advance(seconds=4)
        refereed_table.call(seat)
        done = rewind(refereed_table, before.decision)
        state = refereed_table.state
        assert played(state) == played(before)
        assert (state.epoch, state.decision_id) == (1, f"1.{done.seq}")
        assert state.clocks is not None
        assert before.clocks is not None
        assert (state.clocks.bank, state.clocks.run, state.clocks.spent) == (before.clocks.bank, seat, 0)
        assert state.calls[seat] == 1
        assert state.frozen is not None
        assert state.frozen.left == 60_000
        assert refereed_table.send(seat, "play", turn=turn, play=line).code == "stale_turn"
        referee.resume(game_id=refereed_table.game.pk, ref=ref())
        assert refereed_table.send(seat, "play", turn=turn, play=line).code == "stale_turn"
        assert not refereed_table.send(seat, "play", play=line).code
        assert [row.epoch for row in store.load(refereed_table.game.pk)[-3:]] == [1, 1, 1]
        sound(refereed_table)

    def test_a_play_older_than_one_turn_cannot_be_taken_back(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        decisions = []
        while len(decisions) < 4:
            decisions.append(refereed_table.state.decision)
            refereed_table.play_on(1)
        refereed_table.call(0)
        found = rewindable(refereed_table.game)
        assert found[0] == refereed_table.state.decision
        assert decisions[-1] in found
        for to in (decisions[0], 0, 10_000):
            assert to not in found
            refused = refusal("rewind_too_far", lambda to=to: rewind(refereed_table, to))
            assert refused.field == "to"
        assert refereed_table.state.epoch == 0

    def test_only_at_a_frozen_table_a_turn_is_taken_back(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        to = refereed_table.state.decision
        refereed_table.play_on(1)
        refusal("not_frozen", lambda: rewind(refereed_table, to))

    def test_a_play_before_a_new_deal_cannot_be_taken_back(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        hands, before = len(refereed_table.state.deals), 0
        while len(refereed_table.state.deals) == hands:
            before = refereed_table.state.decision
            refereed_table.play_on(1)
        refereed_table.call(0)
        assert before not in rewindable(refereed_table.game)
        refusal("rewind_too_far", lambda: rewind(refereed_table, before))

    def test_the_exchange_cannot_be_taken_back(self, refereed_table: Sat) -> None:
        refereed_table.all_ready()
        given = refereed_table.state.decision
        card = view(refereed_table.state, Viewer(2))["hand"][0]
        refereed_table.send(2, "exchange", card=card)
        refereed_table.call(0)
        assert rewindable(refereed_table.game) == []
        refusal("rewind_too_far", lambda: rewind(refereed_table, given))

    def test_touches_of_the_running_turn_can_be_taken_back_alone(self, refereed_table: Sat) -> None:
        seat, card = touching(refereed_table)
        before = refereed_table.state
        assert not refereed_table.send(seat, "touch", card=card).code
        refereed_table.call(seat)
        rewind(refereed_table, before.decision)
        assert played(refereed_table.state) == played(before)
        assert view(refereed_table.state, Viewer(seat))["legal"] == view(before, Viewer(seat))["legal"]
        sound(refereed_table)

    def test_a_rewind_goes_to_a_joker_or_to_its_replay(self) -> None:
        """A joker and its replay are one turn: a rewind may go to either decision, and not to the turn before."""
        hands = [["7D"], ["JK", "4D"], ["2C"], ["3D"]]
        position = registry.game(SETUP.rules).from_json(
            POSITION | {"hands": hands, "stock": [*POSITION["stock"], "QC"]}
        )
        first = replace(at_412(), position=position)
        line = next(line for line in view(first, Viewer(1))["legal"] if line.startswith("JK"))
        second = apply_row(first, play(413, 1790000421000, 1, line))
        assert second.phase == "joker"
        third = apply_row(second, play(414, 1790000422000, 1, view(second, Viewer(1))["legal"][0]))
        frozen = apply_row(third, ruling(415, "freeze", by="referee", until=1790000722000))
        for to in (first, second):
            back = apply_row(frozen, ruling(416, "rewind", epoch=1, to=to.decision, by="referee"))
            assert played(back) == played(to)
            assert back.to_act == {1}
            with pytest.raises(BadRecord):
                apply_row(back, ruling(417, "rewind", epoch=2, to=411, by="referee"))

    def test_a_penalty_imposed_since_is_still_due(self, refereed_table: Sat) -> None:
        seat = refereed_table.begin()
        before = refereed_table.state
        refereed_table.play_on(1)
        game = refereed_table.game.pk
        other = (refereed_table.state.position.turn + 2) % 4
        refereed_table.call(other)
        referee.penalise(game_id=game, seat=other, at=before.seq + 1, ref=ref())
        rewind(refereed_table, before.decision)
        referee.penalise(game_id=game, seat=seat, at=before.seq + 1, ref=ref())
        owed = view(refereed_table.state, SPECTATOR)["owed"]
        assert (owed[other], owed[seat], sum(owed)) == (1 + (seat == other), 1 + (seat == other), 2)
        assert refereed_table.state.to_act == {seat}, "the turn that runs is not touched"
        sound(refereed_table)

    def test_a_blind_burn_taken_back_is_owed_again_and_burns_the_same_card(self, refereed_table: Sat) -> None:
        """Nobody can get another card by asking for a rewind."""
        refereed_table.begin()
        game = refereed_table.game.pk
        for _ in range(80):
            (seat,) = refereed_table.state.to_act
            before, line = refereed_table.state, refereed_table.choose(seat)
            if refereed_table.state.position.penalties[(seat + 1) % 4] == 0:
                referee.penalise(game_id=game, seat=(seat + 1) % 4, at=1, ref=ref())
                before = refereed_table.state
            refereed_table.send(seat, "play", play=line)
            last = store.load(game)[-1]
            if last.body["play"].startswith("blind ") and len(refereed_table.state.deals) == len(before.deals):
                break
        refereed_table.call(seat)
        rewind(refereed_table, before.decision)
        assert played(refereed_table.state) == played(before)
        referee.resume(game_id=game, ref=ref())
        assert not refereed_table.send(seat, "play", play=line).code
        assert store.load(game)[-1].body == last.body
        sound(refereed_table)

    def test_a_game_with_a_rewind_continues_and_its_record_is_valid(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        to = refereed_table.state.decision
        refereed_table.play_on(1)
        refereed_table.call(1)
        rewind(refereed_table, to)
        referee.resume(game_id=refereed_table.game.pk, ref=ref())
        refereed_table.play_on(6)
        refereed_table.send(0, "resign")
        sound(refereed_table)


def ruling(seq: int, code: str, *, epoch: int = 0, **body: Any) -> Row:
    return Row(seq, "act", code, body, "referee", 1790000423000, epoch=epoch)


def touching(sat: Sat) -> tuple[int, str]:
    """Play until a seat may lay one of two or more cards; return the seat and a playable card."""
    sat.begin()
    for _ in range(300):
        (seat,) = sat.state.to_act
        lines = view(sat.state, Viewer(seat))["legal"]
        cards = sorted({line.split()[0] for line in lines if not line.startswith("burn")})
        if len(cards) >= 2:
            return seat, cards[0]
        sat.play_on(1)
    raise AssertionError("no choice in 300 plays")


class TestTouch:
    def test_the_seat_is_bound_as_by_its_own_touch(self, refereed_table: Sat) -> None:
        seat, card = touching(refereed_table)
        lines = view(refereed_table.state, Viewer(seat))["legal"]
        name = ref()
        done = referee.touch(game_id=refereed_table.game.pk, seat=seat, card=card, ref=name)
        assert referee.touch(game_id=refereed_table.game.pk, seat=seat, card=card, ref=name).dup
        seen = view(refereed_table.state, Viewer(seat))
        assert seen["touched"] == {"card": card}
        assert seen["legal"] == [line for line in lines if line.startswith(f"{card} ")]
        other = next(line for line in lines if not line.startswith(f"{card} "))
        assert refereed_table.send(seat, "play", play=other).why == "touched_card"
        row = store.load(refereed_table.game.pk)[done.seq - 1]
        assert detail(row, SPECTATOR, refereed_table.state.setup) == {"seat": seat, "card": card, "by": "referee"}

    def test_a_touch_that_no_legal_play_uses_is_refused(self, refereed_table: Sat) -> None:
        seat, card = touching(refereed_table)
        game = refereed_table.game
        hand = view(refereed_table.state, Viewer(seat))["hand"]
        absent = next(card for card in ("AS", "2S", "3S", "4S", "5S", "6S") if card not in hand)
        for args in ({"card": absent}, {"marble": "x1"}, {"marble": "nowhere"}, {"card": card, "marble": "t999"}, {}):
            refusal("no_touch", lambda args=args: referee.touch(game_id=game.pk, seat=seat, ref=ref(), **args))
        refusal("no_touch", lambda: referee.touch(game_id=game.pk, seat=(seat + 1) % 4, card=card, ref=ref()))
        refusal("bad_seat", lambda: referee.touch(game_id=game.pk, seat=7, card=card, ref=ref()))
        assert refereed_table.game.last_seq == game.last_seq
        assert not refereed_table.state.touch

    def test_card_and_marble_are_two_acts_of_one_ruling(self, refereed_table: Sat) -> None:
        seat, _ = touching(refereed_table)
        for _ in range(300):
            (seat,) = refereed_table.state.to_act
            lines = view(refereed_table.state, Viewer(seat))["legal"]
            moves = [line for line in lines if line.split()[1][:1] == "t" and "-" in line.split()[1]]
            if moves:
                break
            refereed_table.play_on(1)
        card, marble = moves[0].split()[0], moves[0].split()[1].split("-")[0]
        done = referee.touch(game_id=refereed_table.game.pk, seat=seat, card=card, marble=marble, ref=ref())
        rows = store.load(refereed_table.game.pk)[done.seq - 1 :]
        assert [row.body for row in rows] == [
            {"seat": seat, "card": card, "by": "referee"},
            {"seat": seat, "marble": marble, "by": "referee"},
        ]
        assert refereed_table.state.touch.marbles == (marble,)


class TestWarningsAndClocks:
    def test_a_warning_is_seen_by_all_and_changes_nothing(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        before = refereed_table.state
        done = referee.warn(game_id=refereed_table.game.pk, seat=2, ref=ref())
        ((event, _),) = events(steps(before, store.load(refereed_table.game.pk)[done.seq - 1 :]), Viewer(0))
        assert event == {"seq": done.seq, "k": "warning", "d": {"seat": 2, "by": "referee"}, "set": {}}

    def test_time_is_given_to_a_running_decision_and_taken_from_a_bank(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        game = refereed_table.game.pk
        assert refereed_table.state.clocks is not None
        due = refereed_table.state.clocks.due
        referee.adjust(game_id=game, seat=seat, ms=30_000, ref=ref())
        running = refereed_table.state.clocks
        assert (running.bank[seat], running.due) == (330_000, due + 30_000)
        other = (seat + 1) % 4
        referee.adjust(game_id=game, seat=other, ms=-400_000, ref=ref())
        assert refereed_table.state.clocks.bank[other] == 0
        assert refereed_table.state.clocks.due == due + 30_000
        frozen_clock.advance(seconds=85)
        referee.adjust(game_id=game, seat=seat, ms=-60_000, ref=ref())
        assert refereed_table.state.clocks.due == clock.now_ms() + 20_000
        assert refereed_table.game.due_at == clock.from_ms(clock.now_ms() + 20_000)

    def test_time_given_at_a_frozen_table_counts_after_it_is_resumed(
        self, refereed_table: Sat, frozen_clock: clock.Frozen
    ) -> None:
        seat = refereed_table.begin()
        frozen_clock.advance(seconds=50)
        refereed_table.call(seat)
        referee.adjust(game_id=refereed_table.game.pk, seat=seat, ms=45_000, ref=ref())
        referee.resume(game_id=refereed_table.game.pk, ref=ref())
        running = refereed_table.state.clocks
        assert running is not None
        assert running.due - running.opened == 10_000 + 45_000

    @pytest.mark.parametrize("ms", [0, 3_600_001, -3_600_001])
    def test_a_clock_is_adjusted_by_at_most_an_hour(self, refereed_table: Sat, ms: int) -> None:
        refereed_table.begin()
        refusal("bad_ms", lambda: referee.adjust(game_id=refereed_table.game.pk, seat=0, ms=ms, ref=ref()))

    def test_without_clocks_no_clock_can_be_adjusted(self, sat_table: Sat) -> None:
        sat_table.begin()
        refusal("no_clock", lambda: referee.adjust(game_id=sat_table.game.pk, seat=0, ms=1, ref=ref()))


class TestFreezeAndForfeit:
    def test_a_referee_stops_play_without_a_call(self, refereed_table: Sat) -> None:
        seat = refereed_table.begin()
        game, name = refereed_table.game.pk, ref()
        done = referee.freeze(game_id=game, ref=name)
        assert view(refereed_table.state, Viewer(0))["frozen"]["by"] == "referee"
        assert refereed_table.send(seat, "play", play=refereed_table.choose(seat)).code == "frozen"
        assert referee.freeze(game_id=game, ref=name) == referee.Done(done.seq, dup=True)
        refusal("frozen", lambda: referee.freeze(game_id=game, ref=ref()))
        sound(refereed_table)

    def test_a_forfeit_by_ruling_ends_the_game_at_once_and_unrated(
        self, open_table: Callable[..., Sat], heard: list[Any]
    ) -> None:
        sat = open_table(best_of=3)
        appoint_referee(sat)
        sat.begin()
        sat.play_on(30)
        game = sat.game
        sat.call(2)
        referee.forfeit(game_id=game.pk, team=1, ref=ref())
        game.refresh_from_db()
        assert (game.state, game.reason, game.ranks, game.rated, game.frozen) == (
            "over",
            "forfeit_ruling",
            [0, 1],
            False,
            False,
        )
        (news,) = (news for news in heard if isinstance(news, GameFinished))
        assert (news.reason, news.rated, news.unrated_reason) == ("forfeit_ruling", False, "forfeit_ruling")
        assert sat.game.number == 2, "the next game of three opens"
        refusal("game_over", lambda: referee.forfeit(game_id=game.pk, team=0, ref=ref()))
        refusal("bad_team", lambda: referee.forfeit(game_id=start(sat), team=2, ref=ref()))

    def test_rulings_before_the_deal_are_refused(self, refereed_table: Sat) -> None:
        game = refereed_table.game.pk
        refusal("not_dealt", lambda: referee.freeze(game_id=game, ref=ref()))
        refusal("not_dealt", lambda: referee.forfeit(game_id=game, team=0, ref=ref()))

    @pytest.mark.parametrize("name", ["", "x" * 37])
    def test_a_ref_has_between_1_and_36_characters(self, refereed_table: Sat, name: str) -> None:
        with pytest.raises(Broken):
            referee.freeze(game_id=refereed_table.game.pk, ref=name)


def start(sat: Sat) -> int:
    sat.begin()
    return sat.game.pk


class TestAHandLookedAt:
    @pytest.fixture
    def rosalie(self, timed_table: Sat) -> Any:
        found = appoint_referee(timed_table)
        timed_table.begin()
        return found

    def test_a_referee_sees_what_is_public_as_it_happens_and_no_hand(self, timed_table: Sat, rosalie: Any) -> None:
        viewer = table_reader.viewer_of(timed_table.table, Person(player_id=rosalie.pk))
        assert viewer == Viewer(referee=True)
        seen = table_reader.snap(timed_table.game, viewer, now=clock.now_ms())
        assert seen["seq"] == timed_table.game.last_seq
        assert seen["you"] == {"role": "referee", "powers": []}
        assert {"hand", "legal", "laid", "hands"}.isdisjoint(seen["view"])

    def test_a_granted_view_shows_one_hand_for_a_limited_time(
        self, timed_table: Sat, rosalie: Any, frozen_clock: clock.Frozen
    ) -> None:
        game, person = timed_table.game, Person(player_id=rosalie.pk)
        for seat in (3, 1):
            until = clock.now() + timedelta(minutes=5)
            referee.grant_view(game_id=game.pk, player_id=rosalie.pk, seat=seat, until=until, ref=ref())
            viewer = table_reader.viewer_of(timed_table.table, person)
            seen = table_reader.snap(timed_table.game, viewer, now=clock.now_ms())
            assert seen["you"] == {"role": "referee", "powers": [], "sees": seat}
            assert seen["view"]["hand"] == view(timed_table.state, Viewer(seat))["hand"]
            assert "legal" not in seen["view"]
        assert SeatView.objects.filter(ended_at__isnull=True).count() == 1
        frozen_clock.advance(minutes=5)
        assert table_reader.viewer_of(timed_table.table, person) == Viewer(referee=True)

    def test_a_view_can_be_ended_early(self, timed_table: Sat, rosalie: Any) -> None:
        until = clock.now() + timedelta(minutes=5)
        referee.grant_view(game_id=timed_table.game.pk, player_id=rosalie.pk, seat=0, until=until, ref=ref())
        referee.end_view(game_id=timed_table.game.pk, player_id=rosalie.pk)
        assert referees(timed_table.table.pk) == {rosalie.pk: None}

    def test_after_the_game_only_the_seat_learns_that_its_hand_was_viewed(self, timed_table: Sat, rosalie: Any) -> None:
        until = clock.now() + timedelta(minutes=5)
        done = referee.grant_view(game_id=timed_table.game.pk, player_id=rosalie.pk, seat=2, until=until, ref=ref())
        row, setup = store.load(timed_table.game.pk)[done.seq - 1], timed_table.state.setup
        for viewer in (*map(Viewer, range(4)), SPECTATOR, Viewer(0, afterwards=True)):
            assert detail(row, viewer, setup) == {}
        assert detail(row, Viewer(2, afterwards=True), setup) == {"seat": 2}
        assert detail(row, Viewer(referee=True), setup) == {"seat": 2}
        person = Person(player_id=timed_table.players[2].pk)
        assert replays.viewer_for(timed_table.game, "seat:2", person) == Viewer(2)
        timed_table.send(0, "resign")
        assert replays.viewer_for(timed_table.game, "seat:2", person) == Viewer(2, afterwards=True)
        assert [(seen.seat, seen.seq) for seen in seat_views(timed_table.game)] == [(2, done.seq)]

    def test_a_view_with_a_wrong_seat_or_time_is_refused(self, timed_table: Sat, rosalie: Any) -> None:
        game = timed_table.game.pk
        grant = lambda **more: referee.grant_view(  # noqa: E731
            **({"game_id": game, "player_id": rosalie.pk, "seat": 0, "until": clock.now(), "ref": ref()} | more)
        )
        refusal("bad_until", grant)
        refusal("bad_seat", lambda: grant(seat=4, until=clock.now() + timedelta(minutes=1)))
        assert not SeatView.objects.exists()

    def test_a_player_of_the_table_is_not_its_referee(self, timed_table: Sat, rosalie: Any) -> None:
        player = timed_table.players[1]
        referee.appoint(table_id=timed_table.table.pk, roles=[(player.pk, "head_referee"), (rosalie.pk, "referee")])
        assert referees(timed_table.table.pk) == {rosalie.pk: None}
        viewer = table_reader.viewer_of(timed_table.table, Person(player_id=player.pk))
        assert viewer == Viewer(seat=1)

    def test_a_referee_who_is_no_longer_appointed_is_a_spectator(self, timed_table: Sat, rosalie: Any) -> None:
        with writing():
            other = create_player(display_name="Roland")
        referee.appoint(table_id=timed_table.table.pk, roles=[(other.pk, "referee")])
        assert table_reader.viewer_of(timed_table.table, Person(player_id=rosalie.pk)) == SPECTATOR
        assert list(TableRole.objects.values_list("player_id", flat=True)) == [other.pk]
        with pytest.raises(Broken):
            referee.appoint(table_id=timed_table.table.pk, roles=[(other.pk, "boss")])


class TestRecordsWithRulings:
    """A record with calls and rulings is validated row by row, like any other."""

    @pytest.fixture
    def ruled(self, refereed_table: Sat, frozen_clock: clock.Frozen) -> Sat:
        """A finished game with every kind of ruling."""
        sat = refereed_table
        seat, _ = touching(sat)
        game = sat.game.pk
        before = sat.state.decision
        sat.send(seat, "play", play=sat.choose(seat))
        sat.call((seat + 2) % 4, kind="talk")
        referee.hold(game_id=game, until=clock.now() + timedelta(minutes=5))
        until = clock.now() + timedelta(minutes=5)
        with writing():
            looker = create_player(display_name="Roland")
        referee.grant_view(game_id=game, player_id=looker.pk, seat=seat, until=until, ref=ref())
        rewind(sat, before) if before in rewindable(sat.game) else rewind(sat, sat.state.decision)
        referee.penalise(game_id=game, seat=seat, at=before, ref=ref())
        (turn,) = sat.state.to_act
        lines = [line for line in view(sat.state, Viewer(turn))["legal"] if not line.startswith("burn")]
        if lines:
            referee.touch(game_id=game, seat=turn, card=lines[0].split()[0], ref=ref())
        referee.adjust(game_id=game, seat=seat, ms=15_000, ref=ref())
        referee.warn(game_id=game, seat=seat, ref=ref())
        frozen_clock.advance(seconds=30)
        referee.resume(game_id=game, ref=ref())
        sat.play_on(8)
        referee.freeze(game_id=game, ref=ref())
        frozen_clock.advance(seconds=301)
        assert clocks.claim_due() == 1
        sat.call(1)
        referee.forfeit(game_id=game, team=0, ref=ref())
        return sat

    @staticmethod
    def judged(sat: Sat, rows: list[Row]) -> TableState:
        game = sat.table.games.get(number=1)
        return judge(table=game.table, setup=store.setup_of(game), rows=rows, now=clock.now_ms())

    def test_is_accepted_unchanged(self, ruled: Sat) -> None:
        game = ruled.table.games.get(number=1)
        rows = store.load(game.pk)
        codes = {row.code for row in rows}
        assert codes >= {"dispute", "freeze", "hold", "seat_view", "rewind", "penalty", "adjust", "warning", "resume"}
        assert codes >= {"mark", "forfeit"}
        assert self.judged(ruled, rows) == fold(store.setup_of(game), rows)
        assert replays.faults(game) == []

    def test_is_imported_with_the_same_chain(self, ruled: Sat) -> None:
        game = ruled.table.games.get(number=1)
        lines = json.loads(json.dumps(replays.lines(game)))
        table, chain = ruled.table, game.chain
        game.delete()
        table.games.all().delete()
        table.state = "open"
        table.save()
        again = import_record(record=read_lines(lines), table=table)
        assert (again.chain, again.epoch, again.reason, again.frozen) == (chain, 1, "forfeit_ruling", False)
        assert replays.lines(again)[1:] == lines[1:]
        assert replays.faults(again) == []

    def test_with_a_forged_or_misplaced_ruling_is_refused(self, ruled: Sat) -> None:
        rows = store.load(ruled.table.games.get(number=1).pk)
        place = {row.code: number for number, row in reversed(list(enumerate(rows)))}
        clockwork = next(i for i, row in enumerate(rows) if row.code == "resume" and row.actor == "clock")
        cases: list[tuple[int, dict[str, Any], str]] = [
            (place[code], {"actor": "seat:1"}, "record_actor")
            for code in ("penalty", "rewind", "adjust", "warning", "seat_view", "hold", "freeze")
        ]
        cases += [
            (place["dispute"], {"actor": "referee"}, "record_actor"),
            (place["dispute"], {"body": {"seat": rows[place["dispute"]].body["seat"]}}, "record_act"),
            (place["freeze"], {"code": "hold", "body": {"until": 1}}, "record_act"),
            (place["freeze"], {"body": {**rows[place["freeze"]].body, "seat": 9}}, "record_act"),
            (place["freeze"], {"body": {**rows[place["freeze"]].body, "until": 0}}, "record_act"),
            (place["hold"], {"body": {"until": "soon"}}, "record_act"),
            (place["penalty"], {"body": {**rows[place["penalty"]].body, "penalty": "shoot"}}, "record_act"),
            (place["penalty"], {"body": {**rows[place["penalty"]].body, "at": 10**9}}, "record_act"),
            (place["penalty"], {"body": {**rows[place["penalty"]].body, "seat": 4}}, "record_row"),
            (place["adjust"], {"body": {**rows[place["adjust"]].body, "ms": 10**9}}, "record_act"),
            (place["warning"], {"body": {**rows[place["warning"]].body, "why": "x"}}, "record_row"),
            (place["rewind"], {"body": {"to": 1, "by": "referee"}}, "record_act"),
            (place["rewind"], {"epoch": 0}, "record_row"),
            (place["resume"], {"body": {"by": "clock"}}, "record_act"),
            (place["resume"], {"actor": "clock", "body": {"by": "clock"}}, "record_time"),
            (place["resume"], {"code": "warning", "body": {"seat": 1, "by": "referee"}}, "record_act"),
            (place["mark"], {"body": {"seq": 1, "why": "unanswered"}}, "record_act"),
            (clockwork, {"actor": "referee", "body": {"by": "clock"}}, "record_act"),
            (place["forfeit"], {"body": {**rows[place["forfeit"]].body, "teams": [0, 1]}}, "record_act"),
            (place["forfeit"], {"body": {**rows[place["forfeit"]].body, "ranks": [0, 1]}}, "record_act"),
            (place["forfeit"], {"actor": "clock"}, "record_act"),
        ]
        for at, change, code in cases:
            forged = list(rows)
            forged[at] = replace(rows[at], **change)
            with pytest.raises(Refused) as refused:
                self.judged(ruled, forged)
            assert refused.value.code == code, (rows[at], change, refused.value.field)

    def test_with_another_blind_card_is_refused(self, refereed_table: Sat) -> None:
        refereed_table.begin()
        game = refereed_table.game.pk
        for _ in range(60):
            (seat,) = refereed_table.state.to_act
            referee.penalise(game_id=game, seat=(seat + 1) % 4, at=1, ref=ref())
            before = refereed_table.state
            refereed_table.play_on(1)
            last = store.load(game)[-1]
            hand = view(before, Viewer((seat + 1) % 4))["hand"]
            if last.body["play"].startswith("blind ") and len(set(hand)) > 1:
                break
        refereed_table.send(0, "resign")
        rows = store.load(game)
        other = next(card for card in hand if f"blind {card}" != last.body["play"])
        rows[last.seq - 1] = replace(rows[last.seq - 1], body={**last.body, "play": f"blind {other}"})
        with pytest.raises(Refused) as refused:
            self.judged(refereed_table, rows)
        assert (refused.value.code, refused.value.field) == ("record_deal", f"rows.{last.seq}.play")


def test_the_games_index_says_that_it_is_frozen(refereed_table: Sat) -> None:
    refereed_table.begin()
    refereed_table.call(0)
    assert Game.objects.filter(frozen=True).count() == 1
    Game.objects.update(frozen=False)
    assert replays.faults(refereed_table.game) == ["frozen is False, should be True"]
