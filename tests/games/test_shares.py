"""The seats' shares of the shuffle: committed with `ready`, opened when all are ready, and part of every key."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.engine import shuffle
from games.fold import SHARE_MS, SPECTATOR, ClockSettings, Row, view
from games.models import Game, Table
from games.selectors import replays
from games.services import clocks, tables
from games.services.deals import Deals
from games.services.records import GameRecord, import_record, read_lines
from games.services.tables import SeatPlan
from tests.games.conftest import Sat
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

SHARES = {seat: bytes([seat + 1]) * 32 for seat in range(4)}
LATE = SHARE_MS / 1000 + 1


def commit(sat: Sat, seat: int, share: bytes = b"", **more: str) -> Any:
    promise = shuffle.share_commitment(share or SHARES[seat], sat.game.slug, seat).hex()
    return sat.send(seat, "ready", share=promise, **more)


def open_share(sat: Sat, seat: int, share: bytes = b"", **more: str) -> Any:
    return sat.send(seat, "share", value=(share or SHARES[seat]).hex(), **more)


def all_commit(sat: Sat, *seats: int) -> None:
    """Let all seats get ready, `seats` with a commitment."""
    for seat in range(4):
        assert not (commit(sat, seat) if seat in seats else sat.send(seat, "ready")).code


def codes(sat: Sat) -> list[str]:
    return [row.code for row in store.load(sat.game.pk)]


def last(sat: Sat, code: str) -> Row:
    return [row for row in store.load(sat.game.pk) if row.code == code][-1]


def dealt_with(sat: Sat, shares: Mapping[int, bytes]) -> bool:
    """Return whether the first dealer and the deck are those of the key that docs/deal.md gives for these shares."""
    game = sat.game
    opened = [shares.get(seat, bytes(32)) for seat in range(4)]
    deals = Deals.of(game)
    keys = [shuffle.deal_key(deals._seeds[d], game.slug, d, opened) for d in (0, 1)]
    kind = ("tractor", 108) if game.rules == "tractor/1" else ("tock", 54)
    dealer, _drawn = shuffle.first_dealer(shuffle.deck(keys[0], kind[1], kind[0]), 4)
    deck = next(row.body["play"] for row in store.load(game.pk) if row.body.get("play", "").startswith("deck"))
    return last(sat, "draw").body["dealer"] == dealer and deck == "deck " + " ".join(
        shuffle.deck(keys[1], kind[1], kind[0])
    )


class TestFourShares:
    def test_all_commit_and_open_and_the_deal_depends_on_all(self, sat_table: Sat) -> None:
        all_commit(sat_table, 0, 1, 2, 3)
        assert codes(sat_table) == ["commit", "ready", "ready", "ready", "ready", "sharing"]
        for seat in (2, 0, 3, 1):
            assert sat_table.state.position is None
            assert not open_share(sat_table, seat).code
        assert codes(sat_table)[6:] == ["share"] * 4 + ["shared", "draw", "play"]
        assert last(sat_table, "shared").body == {"withheld": []}
        assert dealt_with(sat_table, SHARES)
        assert not dealt_with(sat_table, {**SHARES, 3: bytes(32)})

    def test_seats_without_a_share_are_not_waited_for(self, sat_table: Sat) -> None:
        all_commit(sat_table, 2)
        assert not open_share(sat_table, 2).code
        assert dealt_with(sat_table, {2: SHARES[2]})

    def test_without_any_commitment_the_cards_are_dealt_at_once(self, sat_table: Sat) -> None:
        sat_table.all_ready()
        assert codes(sat_table)[5:] == ["draw", "play"]
        assert dealt_with(sat_table, {})
        seen = view(sat_table.state, SPECTATOR)
        assert not {"shares", "root", "withheld", "share_by"} & seen.keys()

    def test_tractor_deals_with_shares_too(self, open_tractor: Callable[..., Any]) -> None:
        sat = open_tractor()
        all_commit(sat, 0, 3)
        assert not open_share(sat, 0).code
        assert not open_share(sat, 3).code
        assert dealt_with(sat, {0: SHARES[0], 3: SHARES[3]})

    def test_every_game_of_a_match_has_its_own_shares(self, open_table: Callable[..., Sat]) -> None:
        sat = open_table(best_of=3)
        all_commit(sat, 0)
        assert not open_share(sat, 0).code
        first = commit(sat, 0).why
        assert not sat.send(0, "resign").code
        assert (first, sat.game.number, sat.state.shares.any) == ("stale_turn", 2, False)
        all_commit(sat, 1)
        assert not open_share(sat, 1).code
        assert dealt_with(sat, {1: SHARES[1]})

    def test_a_blind_burn_depends_on_the_shares(self, sat_table: Sat) -> None:
        hand = ["4D", "10H", "KS", "7D", "JK"]
        all_commit(sat_table, 0, 1)
        for seat in (0, 1):
            open_share(sat_table, seat)
        with_shares, without = Deals.of(sat_table.game, sat_table.state.shares), Deals.of(sat_table.game)
        assert any(with_shares.blind_card(1, b, hand) != without.blind_card(1, b, hand) for b in range(20))


class TestWhatViewersSee:
    def test_the_root_before_anybody_commits(self, sat_table: Sat) -> None:
        root = store.load(sat_table.game.pk)[0].body["root"]
        assert view(sat_table.state, SPECTATOR)["root"] == root

    def test_commitments_then_shares(self, frozen_clock: clock.Frozen, sat_table: Sat) -> None:
        commit(sat_table, 1)
        seen = view(sat_table.state, SPECTATOR)
        promise = shuffle.share_commitment(SHARES[1], sat_table.game.slug, 1).hex()
        assert (seen["committed"], seen["shares"]) == (["", promise, "", ""], [""] * 4)
        assert "share_by" not in seen
        for seat in (0, 2, 3):
            sat_table.send(seat, "ready")
        assert view(sat_table.state, SPECTATOR)["share_by"] == clock.now_ms() + SHARE_MS
        open_share(sat_table, 1)
        seen = view(sat_table.state, SPECTATOR)
        assert seen["shares"] == ["", SHARES[1].hex(), "", ""]
        assert not {"committed", "share_by", "withheld"} & seen.keys()


class TestAShareThatIsWithheld:
    def test_counts_as_zeros_after_twenty_seconds_and_is_named(
        self, frozen_clock: clock.Frozen, sat_table: Sat
    ) -> None:
        all_commit(sat_table, 0, 1, 3)
        open_share(sat_table, 0)
        frozen_clock.advance(seconds=SHARE_MS / 1000)
        assert clocks.claim_due() == 0, "the time is not up yet"
        assert sat_table.game.due_kind == "shares"
        frozen_clock.advance(seconds=1)
        assert open_share(sat_table, 1).code == "too_late"
        assert clocks.claim_due() == 1
        assert (last(sat_table, "shared").body, last(sat_table, "shared").actor) == ({"withheld": [1, 3]}, "clock")
        assert view(sat_table.state, SPECTATOR)["withheld"] == [1, 3]
        assert dealt_with(sat_table, {0: SHARES[0]})
        assert open_share(sat_table, 1).code == "stale_turn"
        assert sat_table.game.due_at is None

    def test_another_value_is_refused_and_the_right_one_still_counts(self, sat_table: Sat) -> None:
        all_commit(sat_table, 0, 1)
        before = sat_table.game.last_seq
        assert (open_share(sat_table, 0, SHARES[1]).why, open_share(sat_table, 0, bytes(32)).why) == (
            "other_share",
        ) * 2
        assert sat_table.game.last_seq == before
        assert not open_share(sat_table, 0).code

    def test_a_copied_commitment_cannot_be_opened(self, sat_table: Sat) -> None:
        """A commitment names its seat: nobody can contribute the share of another seat."""
        sat_table.send(0, "ready", share=shuffle.share_commitment(SHARES[1], sat_table.game.slug, 1).hex())
        commit(sat_table, 1)
        for seat in (2, 3):
            sat_table.send(seat, "ready")
        open_share(sat_table, 1)
        assert open_share(sat_table, 0, SHARES[1]).why == "other_share"

    def test_what_comes_at_the_wrong_time_is_refused(self, sat_table: Sat) -> None:
        assert open_share(sat_table, 0).why == "not_all_ready"
        commit(sat_table, 0)
        assert open_share(sat_table, 0).why == "not_all_ready", "whoever opens early helps those who commit later"
        assert commit(sat_table, 0, SHARES[2]).why == "already_ready", "a commitment is final"
        for seat in (1, 2, 3):
            sat_table.send(seat, "ready")
        assert open_share(sat_table, 1).why == "no_commitment"
        all_of = sat_table.game.last_seq
        assert not open_share(sat_table, 0).code
        assert sat_table.game.last_seq == all_of + 4

    def test_a_game_of_before_takes_no_shares(self, sat_table: Sat, monkeypatch: pytest.MonkeyPatch) -> None:
        made = Deals.commit
        monkeypatch.setattr(Deals, "commit", lambda self, **more: replace(made(self), shares="zero"))
        with writing():
            tables.new_game(sat_table.table)
        assert commit(sat_table, 0).why == "no_shares"
        assert not sat_table.send(0, "ready").code


class TestNothingIsLost:
    def test_a_retry_gets_the_same_answer(self, sat_table: Sat) -> None:
        first = str(uuid.uuid4())
        assert not commit(sat_table, 0, id=first, turn="0.1").dup
        again = commit(sat_table, 0, id=first, turn="0.1")
        assert (again.code, again.dup) == ("", True)
        assert commit(sat_table, 0, SHARES[1], id=first, turn="0.1").code == "id_reused"
        for seat in (1, 2, 3):
            sat_table.send(seat, "ready")
        second = str(uuid.uuid4())
        done = open_share(sat_table, 0, id=second, turn="0.1")
        again = open_share(sat_table, 0, id=second, turn="0.1")
        assert (again.seq, again.dup, done.dup) == (done.seq, True, False)

    def test_a_second_window_that_opens_the_same_share_changes_nothing(self, sat_table: Sat) -> None:
        all_commit(sat_table, 0, 1)
        open_share(sat_table, 0)
        before = sat_table.game.last_seq
        assert open_share(sat_table, 0).why == "already_open"
        assert sat_table.game.last_seq == before

    def test_a_process_that_dies_between_commitment_and_opening_loses_nothing(self, sat_table: Sat) -> None:
        all_commit(sat_table, 0, 1)
        open_share(sat_table, 1)
        store.folded.clear()
        assert not open_share(sat_table, 0).code
        assert dealt_with(sat_table, {0: SHARES[0], 1: SHARES[1]})

    def test_an_outage_gives_the_time_back(self, open_table: Callable[..., Sat], server: Server) -> None:  # noqa: F811
        sat = open_table()
        all_commit(sat, 0)
        server.serve(5)
        server.down(300)
        assert not open_share(sat, 0).code
        assert [row.body["why"] for row in rows(sat)] == ["outage"]
        assert dealt_with(sat, {0: SHARES[0]})

    def test_after_an_outage_twenty_seconds_are_left(self, open_table: Callable[..., Sat], server: Server) -> None:  # noqa: F811
        sat = open_table(clocks=ClockSettings())
        all_commit(sat, 0)
        server.serve(19)
        server.down(300)
        assert clocks.claim_due() == 1
        server.serve(19)
        assert clocks.claim_due() == 0
        server.serve(3)
        assert clocks.claim_due() == 1
        assert last(sat, "shared").body == {"withheld": [0]}

    def test_a_table_whose_time_is_changed_keeps_the_deadline(
        self, frozen_clock: clock.Frozen, open_table: Callable[..., Sat]
    ) -> None:
        sat = open_table(clocks=ClockSettings(), starts_at=clock.now() + timedelta(minutes=1))
        all_commit(sat, 0)
        due = sat.game.due_at
        tables.reschedule(sat.table, clock.now() + timedelta(days=1))
        assert (sat.game.due_at, sat.game.due_kind) == (due, "shares")
        with writing():
            tables.close(sat.table)
        assert open_share(sat, 0).why == "closed"
        tables.reschedule(sat.table, clock.now() + timedelta(days=2))
        assert (sat.game.due_at, sat.game.due_kind) == (due, "shares")
        frozen_clock.advance(seconds=LATE)
        assert clocks.claim_due() == 1
        assert sat.state.position is not None


@pytest.fixture
def record(frozen_clock: clock.Frozen, sat_table: Sat) -> GameRecord:
    """The record of a game with shares, of which one was withheld; the game itself is deleted."""
    all_commit(sat_table, 0, 1, 2)
    open_share(sat_table, 2)
    open_share(sat_table, 0)
    frozen_clock.advance(seconds=LATE)
    assert clocks.claim_due() == 1
    sat_table.exchange()
    assert not sat_table.send(0, "resign").code
    found = replays.lines(sat_table.game)
    assert not replays.faults(sat_table.game)
    sat_table.table.delete()
    store.folded.clear()
    return read_lines(json.loads(json.dumps(found)))


class TestAnImportedRecord:
    @pytest.fixture
    def attempt(self, players: list[Any]) -> Callable[[GameRecord], Game]:
        def tried(record: GameRecord) -> Game:
            plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
            table: Table = tables.reserve_match_table(rules="shawinigan/1", name="Here", seat_plan=plan)
            return import_record(record=record, table=table)

        return tried

    def test_is_accepted_with_its_shares(self, record: GameRecord, attempt: Callable[[GameRecord], Game]) -> None:
        game = attempt(record)
        assert not replays.faults(game)
        assert store.current(game).shares.missing == (1,)

    CHANGES: tuple[tuple[str, Callable[[Row], Row | None]], ...] = (
        ("commit", lambda row: replace(row, body={**row.body, "shares": "zero"})),
        ("commit", lambda row: replace(row, body={**row.body, "setup": "0" * 64})),
        ("commit", lambda row: replace(row, body={**row.body, "beacon": "00"})),
        ("ready", lambda row: replace(row, body={**row.body, "share": "0" * 64})),
        ("ready", lambda row: replace(row, body={**row.body, "share": row.body["share"].upper()})),
        ("sharing", lambda row: replace(row, body={"until": row.body["until"] - 1})),
        ("sharing", lambda row: replace(row, actor="clock")),
        ("sharing", lambda row: None),
        ("share", lambda row: replace(row, body={**row.body, "value": "0" * 64})),
        ("share", lambda row: replace(row, body={**row.body, "seat": 1}, actor="seat:1")),
        ("share", lambda row: replace(row, actor="seat:3")),
        ("share", lambda row: None),
        ("shared", lambda row: replace(row, body={"withheld": []})),
        ("shared", lambda row: replace(row, body={"withheld": [1, 3]})),
        ("shared", lambda row: replace(row, actor="system")),
        ("shared", lambda row: None),
    )  # fmt: skip

    def test_is_refused_when_its_shares_are_changed(
        self, record: GameRecord, attempt: Callable[[GameRecord], Game]
    ) -> None:
        for code, change in self.CHANGES:
            at = next(i for i, row in enumerate(record.rows) if row.code == code)
            changed = change(record.rows[at])
            kept = [*record.rows[:at], *([changed] if changed else []), *record.rows[at + 1 :]]
            rows_ = [replace(row, seq=seq) for seq, row in enumerate(kept, start=1)]
            with pytest.raises(Refused) as refused:
                attempt(replace(record, rows=rows_, chain=""))
            assert refused.value.code.startswith("record_"), (code, changed)
            assert not Game.objects.exists()
