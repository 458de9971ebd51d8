"""Tables with master bots that search in another process: what the process is told, and what happens when it dies."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from games.bots import choice as brains
from games.fold import Viewer, view
from games.models import Game
from games.services import bots, search_pool, tables, thinkers
from games.services.search_pool import SearchPool
from games.services.thinkers import Thinkers
from tock_league.common import clock

from .conftest import Sat

LONG = 60.0


@pytest.fixture(scope="module")
def own() -> Iterator[Thinkers]:
    """The threads and the process of this module's tests."""
    mine = Thinkers()
    yield mine
    pids = mine.processes.pids()
    mine.stop()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.fixture
def master(own: Thinkers, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Thinkers:
    """Short searches in one other process; a search in this process fails the test."""
    settings.TOCK_BOT_PROCESSES = 1
    monkeypatch.setattr(bots, "thinkers", own)
    monkeypatch.setattr(thinkers, "BUDGET_S", 0.02)
    monkeypatch.setattr(thinkers, "LEAST_S", 0.02)
    choose = brains.choose

    def elsewhere(*args: Any, level: str, **more: Any) -> str:
        assert level != "master", "a search in this process"
        return choose(*args, level=level, **more)

    monkeypatch.setattr(brains, "choose", elsewhere)
    return own


def sit_down(players: list[Any]) -> Sat:
    """Open a practice table with three masters and play until it is a master's turn."""
    sat = Sat(tables.open_practice(player=players[0], level="master"), players)
    while sat.state.position is None:
        if not bots.act_due():
            assert not sat.send(0, "ready").code
    return sat


def go_on(sat: Sat) -> None:
    """Let seat 0 make its first legal play if it is to act, then let the bots act once."""
    if 0 in sat.state.to_act:
        assert not sat.send(0, "play", play=view(sat.state, Viewer(0))["legal"][0]).code
    bots.act_due()
    assert bots.thinkers.settle(20)


@pytest.mark.django_db(transaction=True)
class TestMastersAtATable:
    def test_they_play_and_their_process_is_told_only_what_the_seat_may_know(
        self, players: list[Any], master: Thinkers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sat, told = sit_down(players), list[dict[str, Any]]()
        search = SearchPool.search

        def listen(pool: SearchPool, question: dict[str, Any], seconds: float) -> str:
            state, seat = sat.state, question["seat"]
            if state.phase == "play":  # exchanged cards are chosen one after another, from the state before the first
                seen, laid = view(state, Viewer(seat)), state.setup.family.laid(state)
                told.append(question)
                assert question == {"view": seen, "legal": seen["legal"], "level": "master", "seat": seat, "seen": laid}
                assert {"hands", "stock"}.isdisjoint(seen)
            return search(pool, question, seconds)

        monkeypatch.setattr(SearchPool, "search", listen)
        for _ in range(25):
            before = sat.state.seq
            go_on(sat)
            assert sat.state.seq > before, "an assertion above has failed in the thread"
        assert {question["seat"] for question in told} == {1, 2, 3}
        assert any(question["seen"] for question in told)
        assert len(master.processes.pids()) == 1

    def test_a_killed_process_costs_one_search_and_the_game_continues(
        self, players: list[Any], master: Thinkers, frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sat = sit_down(players)
        while not sat.state.to_act - {0}:
            go_on(sat)
        ask = search_pool._Process.ask

        def die(process: Any, question: str, patience: float) -> dict[str, Any]:
            os.kill(process.pid, signal.SIGKILL)
            return ask(process, question, patience)

        before = sat.state.seq
        with monkeypatch.context() as patch:
            patch.setattr(search_pool._Process, "ask", die)
            frozen_clock.advance(seconds=bots.CLAIM.total_seconds())
            bots.act_due()
            assert master.settle(20)
        assert sat.state.seq == before
        assert sat.game.bot_at == clock.now() + bots.AFTER_FAULT
        assert bots.act_due() == 0, "it is put aside for a moment"
        frozen_clock.advance(seconds=bots.AFTER_FAULT.total_seconds())
        bots.act_due()
        assert master.settle(20)
        assert sat.state.seq > before

    def test_a_play_that_is_found_too_late_is_dropped(
        self, players: list[Any], master: Thinkers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sat = sit_down(players)
        while not sat.state.to_act - {0}:
            go_on(sat)
        found, search = [], SearchPool.search

        def give_up(pool: SearchPool, question: dict[str, Any], seconds: float) -> str:
            found.append(search(pool, question, seconds))
            assert not sat.send(0, "resign").code  # another command comes first
            return found[-1]

        monkeypatch.setattr(SearchPool, "search", give_up)
        bots.act_due()
        assert master.settle(20)
        assert found
        assert sat.game.state == Game.State.OVER
        assert sat.state.seq == sat.game.last_seq

    def test_a_stop_plays_what_was_found_and_leaves_no_process(
        self, players: list[Any], master: Thinkers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sat = sit_down(players)
        while sat.state.phase == "give" or len(open_lines(sat)) < 2:
            go_on(sat)
        monkeypatch.setattr(thinkers, "BUDGET_S", LONG)
        asked, hear = threading.Event(), search_pool._Process.hear

        def listen(process: Any, patience: float) -> dict[str, Any]:
            if patience > search_pool.START_S:
                asked.set()
            return hear(process, patience)

        monkeypatch.setattr(search_pool._Process, "hear", listen)
        before = sat.state.seq
        bots.act_due()
        assert asked.wait(20)
        (pid,) = master.processes.pids()
        began = time.monotonic()
        master.stop()
        assert time.monotonic() - began < 4, "a server has five seconds to stop"
        assert sat.state.seq > before
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    def test_without_a_process_they_search_in_threads(
        self, players: list[Any], settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.TOCK_BOT_PROCESSES = 1
        alone = Thinkers()
        monkeypatch.setattr(bots, "thinkers", alone)
        monkeypatch.setattr(search_pool.sys, "executable", "/no/such/program")
        monkeypatch.setattr(thinkers, "BUDGET_S", 0.02)
        monkeypatch.setattr(thinkers, "LEAST_S", 0.02)
        sat = sit_down(players)
        before = sat.state.seq
        for _ in range(10):
            go_on(sat)
        assert sat.state.seq >= before + 10
        assert alone.processes.pids() == []
        alone.stop()


def open_lines(sat: Sat) -> list[str]:
    """Return the plays of the bot whose turn it is, nothing when it is the person's turn."""
    (seat,) = sat.state.to_act or {0}
    return view(sat.state, Viewer(seat)).get("legal", []) if seat else []
