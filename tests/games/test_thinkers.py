"""Bots that think for long do so on threads of their own: the sweep does not wait, no lock is held, a stop ends it."""

import threading
import time
from typing import Any

import pytest

from games.bots import choice as brains
from games.fold import Viewer, view
from games.models import Game
from games.services import bots, tables, thinkers
from games.services.thinkers import Thinkers
from tock_league.common import clock

from .conftest import Sat


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Bots of level club think until `go` is set; `given` lists the keyword arguments of each call."""

    class Slow:
        go = threading.Event()
        given: list[dict[str, Any]] = []
        fails = False

    choose = brains.choose

    def think(view: Any, legal: Any, *, level: str, roll: Any, **more: Any) -> str:
        Slow.given.append(more)
        while not Slow.go.wait(0.01) and not more["time_up"]():
            pass
        if Slow.fails:
            raise ValueError("no idea")
        return choose(view, legal, level=level, roll=roll, seat=more["seat"])

    monkeypatch.setattr(brains, "choose", think)
    monkeypatch.setattr(bots, "SLOW", frozenset({"club"}))
    Slow.go = threading.Event()
    Slow.given = []
    Slow.fails = False
    yield Slow
    bots.thinkers.stop()


def to_a_bots_turn(sat: Sat) -> None:
    """Seat 0 gets ready and gives a card; the bots think about their own exchanged cards."""
    while bots.act_due():
        pass
    assert not sat.send(0, "ready").code
    if sat.state.phase == "give":
        sat.exchange_of(0)


@pytest.mark.django_db(transaction=True)
class TestAtATable:
    def test_the_sweep_and_other_commands_do_not_wait_while_they_think(self, players: list[Any], slow: Any) -> None:
        sat = Sat(tables.open_practice(player=players[0]), players)
        to_a_bots_turn(sat)
        began = time.monotonic()
        assert bots.act_due() == 0
        assert bots.act_due() == 0
        assert time.monotonic() - began < 0.5
        assert bots.thinkers.matters() == {sat.game.pk}
        # A command of another seat does not wait: nobody holds the game.
        assert sat.send(0, "resign").code == ""
        slow.go.set()
        assert bots.thinkers.settle()
        assert sat.game.state == Game.State.OVER

    def test_search_results_are_played_and_searches_get_the_cards_seen(self, players: list[Any], slow: Any) -> None:
        sat = Sat(tables.open_practice(player=players[0]), players)
        slow.go.set()
        to_a_bots_turn(sat)
        for _ in range(60):
            bots.act_due()
            assert bots.thinkers.settle()
            if 0 in sat.state.to_act:
                assert not sat.send(0, "play", play=view(sat.state, Viewer(0))["legal"][0]).code
        state = sat.state
        assert state.decision > 20
        assert any(more["seen"] for more in slow.given)

    def test_of_two_processes_one_thinks(
        self, players: list[Any], slow: Any, monkeypatch: pytest.MonkeyPatch, frozen_clock: clock.Frozen
    ) -> None:
        sat = Sat(tables.open_practice(player=players[0]), players)
        to_a_bots_turn(sat)
        monkeypatch.setattr(thinkers, "BUDGET_S", 60.0)
        read, first, other = sat.game, bots.thinkers, Thinkers()
        assert bots.act_due() == 0
        monkeypatch.setattr(bots, "thinkers", other)
        assert bots.act_due() == 0, "the game is not due there"
        assert not bots._claimed(read), "nor can it be claimed by who read it before"
        assert other.matters() == set()
        # The first process dies: the claim expires.
        frozen_clock.advance(seconds=bots.CLAIM.total_seconds())
        assert bots.act_due() == 0
        assert other.matters() == {sat.game.pk}
        slow.go.set()
        assert other.settle()
        assert first.settle()
        other.stop()
        first.stop()

    def test_a_bot_that_fails_delays_its_game(self, players: list[Any], slow: Any) -> None:
        sat = Sat(tables.open_practice(player=players[0]), players)
        to_a_bots_turn(sat)
        slow.fails = True
        slow.go.set()
        bots.act_due()
        assert bots.thinkers.settle()
        assert sat.game.bot_at > clock.now()
        assert bots.act_due() == 0


class TestThreads:
    def test_a_game_is_thought_about_once_at_a_time(self) -> None:
        pool, go = Thinkers(), threading.Event()
        assert pool.ask("a", [lambda time_up: go.wait(10)], failed=lambda: None)
        assert not pool.ask("a", [lambda time_up: None], failed=lambda: None)
        go.set()
        assert pool.settle()
        assert pool.ask("a", [lambda time_up: None], failed=lambda: None)
        pool.stop()

    def test_a_game_with_many_thoughts_takes_turns_with_the_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(thinkers, "THREADS", 1)
        pool, go, order = Thinkers(), threading.Event(), []

        def thought(name: str) -> Any:
            return lambda time_up: (go.wait(10), order.append(name))

        pool.ask("long", [thought(f"long {number}") for number in (1, 2, 3)], failed=lambda: None)
        pool.ask("short", [thought("short")], failed=lambda: None)
        pool.ask("other", [thought("other")], failed=lambda: None)
        go.set()
        assert pool.settle()
        assert order == ["long 1", "short", "other", "long 2", "long 3"]
        pool.stop()

    def test_after_an_error_the_remaining_thoughts_of_the_game_are_dropped(self) -> None:
        pool, done = Thinkers(), []

        def fails(time_up: Any) -> None:
            raise ValueError("no idea")

        pool.ask("a", [fails, lambda time_up: done.append("more")], failed=lambda: done.append("failed"))
        assert pool.settle()
        assert done == ["failed"]
        pool.stop()

    def test_time_is_up_after_a_second_at_most_and_at_once_when_the_process_stops(self) -> None:
        pool, spent = Thinkers(), []

        def work(time_up: Any) -> None:
            began = time.monotonic()
            while not time_up():
                pass
            spent.append(time.monotonic() - began)

        pool.ask("a", [work], failed=lambda: None)
        began = time.monotonic()
        pool.stop()
        assert time.monotonic() - began < 0.9
        for matter in range(6):
            pool.ask(matter, [work], failed=lambda: None)
        assert pool.settle()
        assert len(spent) == 7
        assert max(spent) < 1.3
        assert min(spent[1:]) < 0.6, "six share the time of two threads"
        pool.stop()
