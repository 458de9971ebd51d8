"""The public beacon in the deal of a match: its round is fixed before any share is opened, and enters every key."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from games import store
from games.fold import SHARE_MS, SPECTATOR, round_for, view
from games.fold.beacon import LEAD_MS, WAIT_MS
from games.services import clocks, tables
from tests.games.conftest import Sat
from tests.games.drand import Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tests.games.test_shares import all_commit, codes, last, open_share
from tock_league.common import clock
from tock_league.common.metrics import BEACON_OUTCOMES

from .waiting import ask, begun, dealt_with, settle, until_published


class TestAtATable:
    def test_the_commitment_names_the_chain_and_the_round_is_fixed_before_any_share(
        self, source: Source, sat: Sat
    ) -> None:
        assert store.load(sat.game.pk)[0].body["beacon"] == source.chain.to_json()
        all_commit(sat, 0, 1)
        until = clock.now_ms() + SHARE_MS
        fixed = round_for(source.chain, until)
        assert last(sat, "sharing").body == {"until": until, "round": fixed}
        assert source.chain.published(fixed) >= until + LEAD_MS
        at = source.chain.published(fixed)
        assert view(sat.state, SPECTATOR)["beacon"] == {"round": fixed, "at": at, "by": at + WAIT_MS}

    def test_the_cards_wait_for_the_round_and_depend_on_it(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen
    ) -> None:
        begun(sat, 0, 1)
        assert codes(sat)[-1] == "shared"
        fixed = last(sat, "sharing").body["round"]
        game = sat.game
        assert (game.due_kind, clock.ms(game.due_at or clock.now())) == ("beacon", source.chain.published(fixed))
        frozen_clock.advance(seconds=5)
        assert clocks.claim_due() == 0
        assert source.asked == [], "a round that is not published is not asked for"
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        signature = source.sign(fixed)
        randomness = sha256(bytes.fromhex(signature)).digest()
        assert last(sat, "beacon").body == {"round": fixed, "signature": signature, "randomness": randomness.hex()}
        assert codes(sat)[-3:] == ["beacon", "draw", "play"]
        assert dealt_with(sat, randomness)
        assert not dealt_with(sat, b"")
        assert view(sat.state, SPECTATOR)["beacon"] == {"round": fixed}
        assert sat.game.due_at is None

    def test_where_no_seat_has_committed_the_next_rounds_are_early(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen
    ) -> None:
        sat.all_ready()
        now = clock.now_ms()
        assert codes(sat)[-2:] == ["sharing", "shared"]
        assert last(sat, "sharing").body == {"until": now, "round": round_for(source.chain, now)}
        until_published(sat, frozen_clock)
        assert clock.now_ms() - now <= LEAD_MS + 3000
        ask(frozen_clock)
        assert sat.state.position is not None
        assert "share_by" not in view(sat.state, SPECTATOR)

    def test_tables_of_one_round_ask_once(
        self, source: Source, sat: Sat, open_table: Callable[..., Sat], frozen_clock: clock.Frozen
    ) -> None:
        other = open_table()
        for each in (sat, other):
            begun(each, 2)
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        assert len(source.asked) == 1
        assert sat.state.position is not None
        assert other.state.position is not None

    def test_practice_does_not_wait(self, source: Source, db: Any) -> None:
        table = tables.open_practice(guest_key="k")
        assert store.load(table.games.get().pk)[0].body["beacon"] == ""

    def test_a_tractor_match_waits_too(
        self, source: Source, frozen_clock: clock.Frozen, open_tractor: Callable[..., Any]
    ) -> None:
        sat = open_tractor()
        begun(sat, 1)
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        assert codes(sat)[6:10] == ["share", "shared", "beacon", "draw"]

    def test_a_withheld_share_is_settled_before_the_round_is_published(
        self, source: Source, sat: Sat, frozen_clock: clock.Frozen
    ) -> None:
        all_commit(sat, 0, 1)
        open_share(sat, 0)
        frozen_clock.advance(seconds=SHARE_MS / 1000 + 1)
        assert clocks.claim_due() == 1
        row = last(sat, "shared")
        assert row.body == {"withheld": [1]}
        assert row.at < source.chain.published(last(sat, "sharing").body["round"])
        assert sat.state.position is None


class TestWithoutAnAnswer:
    @pytest.mark.parametrize("mood", ["another_key", "missing"])
    def test_the_cards_are_dealt_without_it_after_thirty_seconds(
        self,
        source: Source,
        sat: Sat,
        frozen_clock: clock.Frozen,
        mood: str,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        source.mood, absent = mood, BEACON_OUTCOMES["absent"]._value.get()
        begun(sat, 0)
        until_published(sat, frozen_clock)
        for _ in range(3):
            ask(frozen_clock)
        settle()
        assert len(source.asked) >= 3, "it is asked again and again"
        assert sat.state.position is None
        frozen_clock.advance(seconds=WAIT_MS / 1000)
        with django_capture_on_commit_callbacks(execute=True):
            assert clocks.claim_due() == 1
        assert BEACON_OUTCOMES["absent"]._value.get() == absent + 1
        settle()
        fixed = last(sat, "sharing").body["round"]
        assert (last(sat, "beacon").body, last(sat, "beacon").actor) == ({"round": fixed, "absent": True}, "clock")
        assert dealt_with(sat, b"")
        assert view(sat.state, SPECTATOR)["beacon"] == {"round": fixed, "absent": True}

    def test_it_comes_late_but_in_time(self, source: Source, sat: Sat, frozen_clock: clock.Frozen) -> None:
        source.mood = "missing"
        begun(sat, 0)
        until_published(sat, frozen_clock)
        ask(frozen_clock)
        source.mood = "right"
        frozen_clock.advance(seconds=20)
        for _ in range(5):  # a busy machine may answer too late for one question; then it is asked again, as in a game
            ask(frozen_clock)
        assert "signature" in last(sat, "beacon").body
