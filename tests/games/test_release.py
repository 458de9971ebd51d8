"""The spectators' stream: one deal late and at its original pace; everything once the game is over."""

from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.fold import SPECTATOR, Viewer, release
from games.models import Game
from games.selectors import games as reader
from tock_league.common import clock


@pytest.fixture
def slow_game(open_table: Any, frozen_clock: clock.Frozen) -> Any:
    """A game with a play every ten seconds, up to the third deal."""
    sat = open_table()
    sat.all_ready()
    frozen_clock.advance(seconds=10)
    sat.exchange()
    while len(sat.state.deals) < 3:
        frozen_clock.advance(seconds=10)
        sat.play_on(1)
    return sat


def shown(sat: Any) -> int:
    return reader.shown_to(sat.game, SPECTATOR, now=clock.now_ms())


def test_nothing_of_the_first_deal_is_shown_while_it_is_played(open_table: Any) -> None:
    sat = open_table()
    assert shown(sat) == sat.game.last_seq
    sat.all_ready()
    first = sat.state.deals[0][0]
    assert shown(sat) == first - 1
    sat.exchange()
    assert shown(sat) == first - 1
    sat.play_on(10)
    assert shown(sat) == first - 1
    assert sat.game.released_seq == first - 1


def test_the_previous_deal_is_shown_at_its_original_pace(slow_game: Any, frozen_clock: clock.Frozen) -> None:
    rows, state = store.load(slow_game.game.pk), slow_game.state
    (_, _), (began, start), (now_began, now_start) = state.deals
    assert release.bound(state, "deal") == now_began
    assert slow_game.game.released_seq == now_began
    for later in range(0, 400, 7):
        frozen_clock.set(clock.from_ms(now_start) + timedelta(seconds=later))
        seq = shown(slow_game)
        assert began <= seq <= now_began
        assert rows[seq - 1].at - start <= later * 1000
        if seq < now_began:
            assert rows[seq].at - start > later * 1000
    assert seq == now_began


def test_a_seat_is_shown_everything_at_once(slow_game: Any) -> None:
    assert reader.shown_to(slow_game.game, Viewer(1), now=0) == slow_game.game.last_seq


def test_everything_is_shown_after_the_end(slow_game: Any) -> None:
    slow_game.send(0, "resign")
    assert shown(slow_game) == Game.objects.get().last_seq == Game.objects.get().released_seq


@pytest.mark.parametrize(("rule", "expected"), [("live", "last"), ("game", "before the deal")])
def test_other_rules_of_release(slow_game: Any, rule: str, expected: str) -> None:
    state = slow_game.state
    first = state.deals[0][0] - 1
    assert release.bound(state, rule) == (state.seq if expected == "last" else first)
    assert release.paced(store.load(slow_game.game.pk), state, rule, clock.now_ms()) == release.bound(state, rule)
