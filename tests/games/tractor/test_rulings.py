"""Rulings at a table of Tractor: the last turn taken back, calls, views of a hand, and rulings that this game does not
have.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.fold import Viewer, view
from games.models import GameEvent
from games.selectors import replays
from games.selectors.referee import rewindable
from games.services import clocks, referee
from games.services.record import default_line
from tock_league.common import clock
from tock_league.common.errors import Refused

from ..conftest import appoint_referee
from .four import CLOCKS, Four


@pytest.fixture
def four(open_tractor: Callable[..., Four], frozen_clock: clock.Frozen) -> Four:
    found = open_tractor(clocks=CLOCKS, rounds=2)
    appoint_referee(found)
    return found


def taken_back(four: Four, to: int, ref: str = "TL-1") -> None:
    game = four.game.pk
    referee.freeze(game_id=game, ref=f"{ref}/1")
    referee.rewind(game_id=game, to=to, ref=f"{ref}/2")
    referee.resume(game_id=game, ref=f"{ref}/3")
    assert replays.faults(four.game) == []


class TestRewind:
    def test_the_last_card_goes_back_to_the_hand(self, four: Four, frozen_clock: clock.Frozen) -> None:
        leader = four.begin()
        four.play_on(6)
        before = four.state
        (seat,) = before.to_act
        four.play_on(1)
        assert rewindable(four.game)[1:] == [before.decision]
        taken_back(four, before.decision)
        after = four.state
        assert after.position.to_json() == before.position.to_json()
        assert (after.to_act, after.epoch) == ({seat}, 1)
        assert view(after, Viewer(seat))["legal"] == view(before, Viewer(seat))["legal"]
        assert four.send(seat, "play", turn=before.decision_id, play=four.choose(seat)).code == "stale_turn"
        assert not four.send(seat, "play", play=four.choose(seat)).code
        assert leader in range(4)

    def test_the_eight_buried_cards_come_back(self, four: Four) -> None:
        four.all_ready()
        starter = four.name_trumps()
        before = four.state
        assert not four.send(starter, "play", play=default_line(before, starter)).code
        taken_back(four, before.decision)
        assert four.state.phase == "bury"
        assert len(view(four.state, Viewer(starter))["talon"]) == 8
        assert four.state.clocks is not None
        assert four.state.clocks.run == starter

    def test_only_the_last_turn_can_be_taken_back(self, four: Four) -> None:
        four.begin()
        four.play_on(3)
        early = four.state.decision
        four.play_on(2)
        referee.freeze(game_id=four.game.pk, ref="TL-1/1")
        with pytest.raises(Refused) as caught:
            referee.rewind(game_id=four.game.pk, to=early, ref="TL-1/2")
        assert caught.value.code == "rewind_too_far"

    def test_a_show_cannot_be_taken_back(self, four: Four) -> None:
        four.all_ready()
        deck = four.state.decision
        seat = next(seat for seat in range(4) if four.shows(seat))
        assert not four.send(seat, "play", play=four.shows(seat)[0]).code
        assert rewindable(four.game) == []
        four.name_trumps()
        assert deck not in rewindable(four.game)
        assert rewindable(four.game) == [four.state.decision]

    def test_a_counted_round_cannot_be_taken_back(self, four: Four, settings: Any, frozen_clock: clock.Frozen) -> None:
        four.begin()
        settings.TOCK_DRAW_MS = 600
        four.play_on()
        assert four.state.phase == "deck"
        assert rewindable(four.game) == []
        settings.TOCK_DRAW_MS = 0
        frozen_clock.advance(seconds=6)
        assert clocks.claim_due() == 1
        assert four.state.phase == "show"
        assert rewindable(four.game) == []


class TestCalls:
    def test_a_call_stops_the_window_for_shows_and_leaves_it_twenty_seconds(
        self, four: Four, frozen_clock: clock.Frozen
    ) -> None:
        four.all_ready()
        frozen_clock.advance(seconds=12)
        assert not four.call(2).code
        assert four.send(0, "pass").why == "referee"
        frozen_clock.advance(minutes=1)
        assert clocks.claim_due() == 0
        referee.resume(game_id=four.game.pk, ref="TL-1/1")
        assert four.state.clocks is not None
        assert four.state.clocks.due - four.state.clocks.opened == 20_000
        assert not four.send(0, "pass").code

    def test_a_granted_view_shows_the_hand_and_no_buried_card(self, four: Four) -> None:
        leader = four.begin()
        looker = appoint_referee(four)
        until = clock.now() + timedelta(minutes=1)
        referee.grant_view(game_id=four.game.pk, player_id=looker.pk, seat=leader, until=until, ref="TL-1/1")
        seen = view(four.state, Viewer(referee=True, sees=leader))
        assert seen["hand"] == four.hand(leader)
        assert not {"talon", "buried", "legal", "hands"} & set(seen)
        assert "hand" not in view(four.state, Viewer(referee=True))


class TestUnknownHere:
    def refused(self, four: Four, work: Callable[[], Any]) -> str:
        before = GameEvent.objects.count()
        with pytest.raises(Refused) as caught:
            work()
        assert GameEvent.objects.count() == before
        return str(caught.value.code)

    def test_a_blind_burn_is_refused(self, four: Four) -> None:
        leader = four.begin()
        game = four.game.pk
        assert self.refused(four, lambda: referee.penalise(game_id=game, seat=leader, at=3, ref="TL-1/1")) == "no_burn"

    def test_a_touch_is_refused(self, four: Four) -> None:
        leader = four.begin()
        game, card = four.game.pk, four.hand(leader)[0]
        assert (
            self.refused(four, lambda: referee.touch(game_id=game, seat=leader, card=card, ref="TL-1/1")) == "no_touch"
        )


def test_a_forfeit_by_ruling_ends_the_game_in_any_phase(four: Four) -> None:
    four.all_ready()
    game = four.game
    referee.forfeit(game_id=game.pk, team=0, ref="TL-1/1")
    game.refresh_from_db()
    assert (game.reason, game.ranks, game.rated) == ("forfeit_ruling", [1, 0], False)
    assert store.current(game).may_act == frozenset()
