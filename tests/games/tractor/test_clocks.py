"""Tractor's clocks: the window for shows, burying, turns, and the default plays when time is up."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from games import store
from games.fold import CLOCK
from games.models import Game
from games.selectors import replays
from games.services import clocks, results
from games.services.judge import judge
from games.services.record import default_line
from tock_league.common import clock

from .four import CLOCKS, Four


@pytest.fixture
def four(open_tractor: Callable[..., Four], frozen_clock: clock.Frozen) -> Four:
    """A table with clocks whose cards are dealt at once."""
    return open_tractor(clocks=CLOCKS)


class TestClocks:
    def test_the_window_for_shows_is_short_and_a_show_restarts_it(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.all_ready()
        opened = four.state.clocks
        assert opened is not None
        assert (opened.run, opened.due - opened.opened) == (None, 20_000)
        frozen_clock.advance(seconds=5)
        seat = next(seat for seat in range(4) if four.shows(seat))
        assert not four.send((seat + 1) % 4, "pass").code
        assert four.state.clocks == opened
        assert not four.send(seat, "play", play=four.shows(seat)[0]).code
        again = four.state.clocks
        assert again is not None
        assert (again.opened - opened.opened, again.due - again.opened) == (5_000, 20_000)
        assert again.bank == opened.bank

    def test_when_the_time_is_up_the_clock_passes_and_nobody_gets_a_time_out(
        self, four: Four, frozen_clock: clock.Frozen
    ) -> None:
        four.all_ready()
        seat = next(seat for seat in range(4) if four.shows(seat))
        four.send(seat, "play", play=four.shows(seat)[0])
        assert not four.send((seat + 2) % 4, "pass").code
        frozen_clock.advance(seconds=20.1)
        assert four.send((seat + 1) % 4, "pass").code == "too_late"
        assert clocks.claim_due() == 1
        state = four.state
        assert (state.phase, state.timeouts, state.to_act) == ("bury", (0, 0, 0, 0), {seat})
        rows = store.load(four.game.pk)[-3:]
        assert [(row.code, row.actor) for row in rows] == [("play", "clock")] * 3
        assert {row.body["play"] for row in rows} == {f"pass {other}" for other in range(4) if other != (seat + 2) % 4}

    def test_seats_that_pass_at_no_deck_of_round_one_forfeit(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.all_ready()
        for deck, late in ((1, 0), (2, 0), (3, 1)):
            assert (four.state.phase, four.state.decks, four.state.timeouts) == ("show", deck, (0, late, late, late))
            assert not four.send(0, "pass").code
            frozen_clock.advance(seconds=20.1)
            assert clocks.claim_due() == 1
        four.send(0, "pass")
        frozen_clock.advance(seconds=20.1)
        assert clocks.claim_due() == 1
        game = Game.objects.select_related("table").get(table=four.table)
        assert (game.state, game.reason, game.ranks) == ("over", "forfeit_timeouts", [0, 0])
        assert (game.unrated_reason, game.table.state) == ("tied", "finished")
        assert replays.faults(game) == []
        judge(table=game.table, setup=store.setup_of(game), rows=store.load(game.pk), now=clock.now_ms())

    def test_burying_may_last_twice_as_long_as_a_turn(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.all_ready()
        starter = four.name_trumps()
        running = four.state.clocks
        assert running is not None
        assert (running.run, running.due - running.opened) == (starter, 120_000)
        frozen_clock.advance(seconds=70)
        assert clocks.claim_due() == 0
        assert not four.send(starter, "play", play=default_line(four.state, starter)).code
        after = four.state.clocks
        assert after is not None
        assert after.bank[starter] == 300_000 - 70_000 + 5_000
        assert (after.run, after.due - after.opened) == (starter, 60_000)

    def test_the_clock_buries_the_lowest_cards_of_a_late_starter(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.all_ready()
        starter = four.name_trumps()
        line = default_line(four.state, starter)
        frozen_clock.advance(seconds=120.1)
        assert clocks.claim_due() == 1
        rows = store.load(four.game.pk)[-2:]
        assert [(row.code, row.actor) for row in rows] == [("timeout", "clock"), ("play", "clock")]
        assert rows[-1].body == {"seat": starter, "play": line}
        assert four.state.timeouts[starter] == 1

    def test_the_third_late_turn_loses_the_game(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.begin()
        (sleeper,) = four.state.to_act
        for count in (1, 2, 3):
            while four.state.to_act != {sleeper}:
                four.play_on(1)
            expected = default_line(four.state, sleeper)
            frozen_clock.advance(seconds=60.1)
            assert clocks.claim_due() == 1
            if count < 3:
                assert (
                    next(row for row in reversed(store.load(four.game.pk)) if row.actor == "clock").body["play"]
                    == expected
                )
        game = Game.objects.get(table=four.table)
        assert (game.reason, game.ranks[sleeper % 2], game.rated) == ("forfeit_timeouts", 1, False)
        assert replays.faults(game) == []

    def test_passes_of_the_clock_do_not_make_a_game_unrated(self, four: Four, frozen_clock: clock.Frozen) -> None:
        four.all_ready()
        seat = next(seat for seat in range(4) if four.shows(seat))
        four.send(seat, "play", play=four.shows(seat)[0])
        frozen_clock.advance(seconds=20.1)
        clocks.claim_due()
        four.play_on()
        game = Game.objects.get(table=four.table)
        assert (game.reason, game.unrated_reason) == ("played", "")
        rows, state = store.load(game.pk), store.current(game)
        passes = [row for row in rows if row.actor == CLOCK]
        assert passes
        # However many they are; turns that the clock played for the seat would make the game unrated.
        sides = ((1, 3), (2, 4))
        assert results.unrated_reason(game, sides, state, rows + passes * 9) == ""
        turns = [replace(row, body={**row.body, "play": "play AS"}) for row in passes]
        assert results.unrated_reason(game, sides, state, rows + turns * 9) == "default_plays"
