"""Nothing of the beacon is lost: other processes, kills, outages."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games import verifier as deal_verifier
from games.fold import SPECTATOR, ClockSettings, view
from games.fold.beacon import WAIT_MS
from games.selectors import replays
from games.services import audit, beacon, clocks, pulses, tables
from tests.games.conftest import Sat
from tests.games.drand import Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tests.games.test_shares import all_commit, codes, last, open_share
from tock_league.common import clock
from tock_league.common.transactions import writing

from .waiting import ask, begun, settle, until_published


class TestNothingIsLost:
    def test_another_process_goes_on_with_the_wait(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun(sat, 0)
        until_published(sat, frozen_clock)
        clocks.claim_due()
        settle()
        monkeypatch.setattr(beacon, "source", pulses.Source())  # killed; what the first one knew is gone
        store.folded.clear()
        frozen_clock.advance(seconds=1)
        ask(frozen_clock)
        assert codes(sat).count("beacon") == 1
        assert len(source.asked) == 2

    def test_two_processes_write_one_act(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun(sat, 0)
        until_published(sat, frozen_clock)
        fixed = last(sat, "sharing").body["round"]
        first, second = beacon.source, pulses.Source()
        second.get(source.chain, fixed)
        ask(frozen_clock)
        game = sat.game
        monkeypatch.setattr(beacon, "source", second)
        settle()
        with writing():
            beacon.carry_out(game)  # it has read that the game waits, and comes to the lock second
        assert codes(sat).count("beacon") == 1
        assert first is not second

    def test_phrases_meanwhile_change_nothing(self, source: Source, sat: Sat, frozen_clock: clock.Frozen) -> None:
        begun(sat, 0)
        assert not sat.send(2, "phrase", code="good_game").code
        assert sat.game.due_kind == "beacon"
        assert open_share(sat, 0).code == "stale_turn"
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        assert sat.state.position is not None

    def test_after_an_outage_the_source_is_asked_for_thirty_seconds_more(
        self,
        source: Source,
        open_table: Callable[..., Sat],
        server: Server,  # noqa: F811
    ) -> None:
        sat = open_table(clocks=ClockSettings())
        begun(sat, 0)
        server.serve(10)
        server.down(300)
        ask(server.hand)
        assert [row.body["why"] for row in rows(sat)] == ["outage"]
        assert last(sat, "beacon").body["signature"] == source.sign(last(sat, "sharing").body["round"])
        assert not sat.send(0, "resign").code
        assert list(audit.of_game(sat.game)) == []

    def test_an_outage_while_shares_are_opened_leaves_the_round(
        self,
        source: Source,
        open_table: Callable[..., Sat],
        server: Server,  # noqa: F811
    ) -> None:
        """Whoever could move it by an outage could choose among rounds. The record tells that it was public."""
        sat = open_table(clocks=ClockSettings())
        all_commit(sat, 0)
        fixed = last(sat, "sharing").body["round"]
        server.serve(5)
        server.down(300)
        assert not open_share(sat, 0).code
        assert view(sat.state, SPECTATOR)["beacon"]["round"] == fixed
        ask(server.hand)
        assert not sat.send(0, "resign").code
        assert list(audit.of_game(sat.game)) == []
        check = deal_verifier.verify(map(json.dumps, replays.lines(sat.game)))
        assert "public before the last share" in deal_verifier.told(check)

    def test_a_table_whose_time_is_changed_or_that_is_closed_keeps_the_wait(
        self, source: Source, frozen_clock: clock.Frozen, open_table: Callable[..., Sat]
    ) -> None:
        sat = open_table(clocks=ClockSettings(), starts_at=clock.now() + timedelta(minutes=1))
        begun(sat, 0)
        due = sat.game.due_at
        with writing():
            tables.close(sat.table)
        assert sat.game.due_at is None
        tables.reschedule(sat.table, clock.now() + timedelta(days=1))
        assert (sat.game.due_at, sat.game.due_kind) == (due, "beacon")

    def test_a_site_that_has_lost_its_setting_finishes_the_games_that_have_begun(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen, settings: Any
    ) -> None:
        begun(sat, 0)
        settings.BEACON = None
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        assert sat.state.position is None
        frozen_clock.advance(seconds=WAIT_MS / 1000)
        assert clocks.claim_due() == 1
        assert last(sat, "beacon").body["absent"]
