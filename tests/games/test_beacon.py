"""The public beacon in the deal of a match: its round is fixed before any share is opened, and enters every key."""

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games import store
from games import verifier as deal_verifier
from games.engine import shuffle
from games.fold import SHARE_MS, SPECTATOR, ClockSettings, Row, round_for, view
from games.fold.beacon import LEAD_MS, WAIT_MS, Chain
from games.models import Table
from games.selectors import replays
from games.services import audit, beacon, bls, clocks, pulses, tables
from games.services.deals import Deals
from games.services.records import GameRecord, import_record, read_lines
from games.services.tables import SeatPlan
from tests.games.conftest import Sat
from tests.games.drand import PUBLISHED, QUICKNET, RANDOMNESS, Drand, Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tests.games.test_shares import all_commit, codes, last, open_share
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.metrics import BEACON_FAILURES, BEACON_OUTCOMES
from tock_league.common.transactions import writing
from tock_league.settings import beacon as setting

NEVER = "http://127.0.0.1:1"  # nobody listens there


@pytest.fixture
def source(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    """A source on this machine, which the settings name; its period is that of the public one."""
    monkeypatch.setattr(beacon, "source", pulses.Source())
    with Source().serving() as found:
        settings.BEACON = found.setting()
        yield found


@pytest.fixture
def sat(source: Source, frozen_clock: clock.Frozen, open_table: Callable[..., Sat]) -> Sat:
    return open_table()


def settle() -> None:
    """Wait until nobody is being asked any more."""
    until = time.monotonic() + 10
    while any(each.running for each in beacon.source._tries.values()):
        assert time.monotonic() < until
        time.sleep(0.005)


def until_published(sat: Sat, hand: clock.Frozen) -> None:
    """Let time pass until the round is published."""
    found = sat.state.shares.beacon
    assert found is not None
    hand.advance(seconds=max(0, found.due - clock.now_ms()) / 1000)


def ask(hand: clock.Frozen) -> None:
    """Let a process ask for the round, wait for the answer, and look again."""
    clocks.claim_due()
    settle()
    hand.advance(seconds=0.5)
    clocks.claim_due()


def begun(sat: Sat, *seats: int) -> None:
    """Let `seats` commit and open, and all get ready."""
    all_commit(sat, *seats)
    for seat in seats:
        assert not open_share(sat, seat).code


def dealt_with(sat: Sat, randomness: bytes) -> bool:
    """Return whether the first deck is that of the key that docs/deal.md gives for these public bytes."""
    shares = [bytes.fromhex(share) if share else bytes(32) for share in sat.state.shares.opened]
    key = shuffle.deal_key(Deals.of(sat.game)._seeds[1], sat.game.slug, 1, shares, randomness)
    deck = next(row.body["play"] for row in store.load(sat.game.pk) if "deck" in str(row.body.get("play")))
    return bool(deck == "deck " + " ".join(shuffle.deck(key, 54)))


class TestRounds:
    def test_a_round_is_found_by_its_time(self) -> None:
        assert QUICKNET.published(1) == QUICKNET.genesis * 1000
        for round_ in (1, 2, 12_040_883):
            at = QUICKNET.published(round_)
            assert (QUICKNET.first_from(at), QUICKNET.first_from(at + 1)) == (round_, round_ + 1)
        assert QUICKNET.first_from(0) == 1

    @pytest.mark.parametrize("until", [1_790_000_000_000, 1_790_000_000_001, 1_790_000_002_999])
    def test_the_round_of_a_game_is_the_first_that_comes_late_enough(self, until: int) -> None:
        found = round_for(QUICKNET, until)
        assert QUICKNET.published(found - 1) < until + LEAD_MS <= QUICKNET.published(found)

    @pytest.mark.parametrize("round_", PUBLISHED)
    def test_signatures_that_the_public_source_has_published_hold(self, round_: int) -> None:
        signature = PUBLISHED[round_]
        assert pulses.is_signed(QUICKNET, round_, signature)
        assert not pulses.is_signed(QUICKNET, round_ + 1, signature)
        assert not pulses.is_signed(Drand().chain, round_, signature)
        assert RANDOMNESS.get(round_) in (None, pulses.Pulse(round_, signature).randomness)

    def test_what_is_no_signature_does_not_hold(self) -> None:
        right = PUBLISHED[1000]
        for wrong in (right.upper(), right[:-2], right + "00", "zz" + right[2:], "c0" + "00" * 47, "00" * 48, ""):
            assert not pulses.is_signed(QUICKNET, 1000, wrong), wrong
        zero = "c0" + "00" * 95
        assert not bls.is_key(bytes.fromhex(zero))
        assert not pulses.is_signed(replace(QUICKNET, key=zero), 1000, "c0" + "00" * 47)


class TestFetching:
    def test_the_right_answer_is_taken(self, source: Source) -> None:
        found = pulses.fetch(source.url, source.chain, 5)
        assert found == pulses.Pulse(5, source.sign(5))
        assert source.asked == [f"/{source.chain.chain}/public/5"]

    @pytest.mark.parametrize(
        ("mood", "why"),
        [
            ("another_round", "round"),
            ("an_old_round_renamed", "signature"),
            ("another_key", "signature"),
            ("zero", "signature"),
            ("no_json", "form"),
            ("too_large", "size"),
            ("elsewhere", "status"),
            ("missing", "status"),
            ("slow", "unreachable"),
            ("silent", "unreachable"),
        ],
    )
    def test_another_answer_is_refused_in_time(self, source: Source, mood: str, why: str) -> None:
        source.mood = mood
        begin = time.monotonic()
        with pytest.raises(pulses.Unfit, match=why):
            pulses.fetch(source.url, source.chain, 5, patience=0.4)
        assert time.monotonic() - begin < 2
        assert len(source.asked) == 1, "no redirect is followed"

    def test_by_https_the_certificate_is_verified(
        self, source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        certificate = source.secured(tmp_path)
        with pytest.raises(pulses.Unfit, match="unreachable"):
            pulses.fetch(source.url, source.chain, 5)
        trusting = ssl.create_default_context(cafile=certificate)
        monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
        assert pulses.fetch(source.url, source.chain, 5) == pulses.Pulse(5, source.sign(5))
        source.mood = "slow"
        begin = time.monotonic()
        with pytest.raises(pulses.Unfit, match="unreachable"):
            pulses.fetch(source.url, source.chain, 5, patience=0.4)
        assert time.monotonic() - begin < 2

    def test_a_handshake_that_does_not_end_is_cut(self, source: Source) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            begin = time.monotonic()
            with pytest.raises(pulses.Unfit, match="unreachable"):
                pulses.fetch(f"https://127.0.0.1:{listening.getsockname()[1]}", source.chain, 5, patience=0.3)
        assert time.monotonic() - begin < 2

    def test_nobody_there(self, source: Source) -> None:
        with pytest.raises(pulses.Unfit, match="unreachable"):
            pulses.fetch(NEVER, source.chain, 5)

    def test_addresses_are_asked_in_turn_and_a_round_is_asked_for_once(self, source: Source, settings: Any) -> None:
        settings.BEACON = source.setting() | {"urls": (NEVER, source.url)}
        failed = BEACON_FAILURES.labels("unreachable")._value.get()
        asker = beacon.source
        assert asker.get(source.chain, 9) is None
        settle()
        assert asker.get(source.chain, 9) is None
        settle()
        found = asker.get(source.chain, 9)
        assert found == pulses.Pulse(9, source.sign(9))
        assert (len(source.asked), BEACON_FAILURES.labels("unreachable")._value.get()) == (1, failed + 1)

    def test_a_slow_address_does_not_hold_up_the_next_one(
        self, source: Source, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source.mood = "silent"
        monkeypatch.setattr(pulses, "SLOW_S", 0.1)
        settings.BEACON = source.setting(source.url + "/right")
        assert beacon.source.get(source.chain, 9) is None
        assert beacon.source.get(source.chain, 9) is None
        until = time.monotonic() + 5
        while beacon.source.get(source.chain, 9) is None:
            assert time.monotonic() < until
            time.sleep(0.01)

    def test_what_is_kept_has_a_bound(self, source: Source, settings: Any) -> None:
        settings.BEACON = None
        for round_ in range(1, 3 * pulses.KEPT):
            assert beacon.source.get(source.chain, round_) is None
        assert len(beacon.source._tries) == pulses.KEPT


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


@pytest.fixture
def lines(source: Source, sat: Sat, frozen_clock: clock.Frozen) -> list[dict[str, Any]]:
    """The record of a game with a beacon; the game itself is deleted."""
    begun(sat, 0, 2)
    until_published(sat, frozen_clock)
    ask(frozen_clock)
    sat.exchange()
    assert not sat.send(0, "resign").code
    found = replays.lines(sat.game)
    assert not replays.faults(sat.game)
    sat.table.delete()
    store.folded.clear()
    return [dict(line) for line in json.loads(json.dumps(found))]


class TestItsRecord:
    def test_is_accepted_by_the_program_which_prints_what_to_compare(
        self, source: Source, lines: list[dict[str, Any]]
    ) -> None:
        check = deal_verifier.verify(map(json.dumps, lines))
        fixed = next(line["body"]["round"] for line in lines if line.get("code") == "beacon")
        said = deal_verifier.told(check)
        for part in (str(fixed), source.chain.chain, source.chain.key, source.sign(fixed)):
            assert part in said
        assert "public before" not in said

    def test_is_imported(self, lines: list[dict[str, Any]], take: Callable[[GameRecord], Any]) -> None:
        game = take(read_lines(lines))
        assert not replays.faults(game)

    def test_is_not_imported_when_it_is_changed(
        self, source: Source, lines: list[dict[str, Any]], take: Callable[[GameRecord], Any]
    ) -> None:
        record = read_lines(lines)
        for code, part, change in self.CHANGES:
            at = next(i for i, row in enumerate(record.rows) if row.code == code)
            changed = change(record.rows[at], source)
            rows_ = [*record.rows[:at], *([changed] if changed else []), *record.rows[at + 1 :]]
            rows_ = [replace(row, seq=seq) for seq, row in enumerate(rows_, start=1)]
            with pytest.raises(Refused) as refusal:
                take(replace(record, rows=rows_))
            assert part in (refusal.value.field or ""), (code, refusal.value.field)

    CHANGES: tuple[tuple[str, str, Callable[[Row, Source], Row | None]], ...] = (
        ("commit", "beacon", lambda row, s: _with(row, beacon={**row.body["beacon"], "period": 0})),
        ("commit", "beacon", lambda row, s: _with(row, beacon={**row.body["beacon"], "more": 1})),
        ("commit", "body", lambda row, s: _with(row, beacon="late")),
        ("commit", "signature", lambda row, s: _with(row, beacon=Drand(7).chain.to_json())),
        ("commit", "round", lambda row, s: _with(row, beacon={**row.body["beacon"], "genesis": 1_779_999_997})),
        ("sharing", "round", lambda row, s: _with(row, round=row.body["round"] + 1)),
        ("sharing", "round", lambda row, s: replace(row, body={"until": row.body["until"]})),
        ("beacon", "signature", lambda row, s: _with(row, round=row.body["round"] - 1, signature=s.sign(1))),
        ("beacon", "signature", lambda row, s: replace(row, body=Drand(7).body(row.body["round"]))),
        ("beacon", "randomness", lambda row, s: _with(row, randomness="0" * 64)),
        ("beacon", "signature", lambda row, s: replace(row, body={"round": row.body["round"], "absent": True})),
        ("beacon", "actor", lambda row, s: replace(row, actor="clock")),
        ("beacon", "code", lambda row, s: None),
        ("beacon", "code", lambda row, s: replace(row, at=row.at - 1_000)),
    )  # fmt: skip

    @pytest.fixture
    def take(self, lines: Any, players: list[Any]) -> Callable[[GameRecord], Any]:
        def take(record: GameRecord) -> Any:
            plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
            table: Table = tables.reserve_match_table(rules="shawinigan/1", name="Here", seat_plan=plan)
            return import_record(record=record, table=table)

        return take


def _with(row: Row, **more: Any) -> Row:
    return replace(row, body={**row.body, **more})


class TestTheSetting:
    WHOLE = {
        "BEACON_URLS": "https://api.drand.sh https://drand.example.org/relay",
        "BEACON_CHAIN": QUICKNET.chain,
        "BEACON_KEY": QUICKNET.key,
        "BEACON_GENESIS": "1692803367",
        "BEACON_PERIOD": "3",
        "BEACON_SCHEME": "bls-unchained-g1-rfc9380",
    }

    def test_a_whole_one_is_read_and_without_any_there_is_none(self) -> None:
        found = setting.beacon(self.WHOLE)
        assert found is not None
        assert found["urls"] == ("https://api.drand.sh", "https://drand.example.org/relay")
        assert Chain.from_json(found["chain"]) == QUICKNET
        assert setting.beacon({"BEACON_URLS": " "}) is None

    @pytest.mark.parametrize("name", list(WHOLE))
    def test_half_of_one_stops_the_start_with_a_sentence(self, name: str) -> None:
        with pytest.raises(SystemExit, match=f"all of its settings, or none: {name} must be set too"):
            setting.beacon({key: value for key, value in self.WHOLE.items() if key != name})

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("BEACON_URLS", "http://api.drand.sh"),
            ("BEACON_URLS", "https://api.drand.sh ftp://x"),
            ("BEACON_URLS", "https://u:p@api.drand.sh"),
            ("BEACON_URLS", "https://api.drand.sh:port"),
            ("BEACON_URLS", "https://a/ " * 9),
            ("BEACON_CHAIN", "52db"),
            ("BEACON_KEY", QUICKNET.key.upper()),
            ("BEACON_KEY", "00" * 96),
            ("BEACON_KEY", "c0" + "00" * 95),
            ("BEACON_GENESIS", "-1"),
            ("BEACON_GENESIS", "4000000000"),
            ("BEACON_PERIOD", "61"),
            ("BEACON_PERIOD", "0"),
            ("BEACON_PERIOD", "3.0"),
            ("BEACON_SCHEME", "pedersen-bls-chained"),
        ],
    )
    def test_one_that_cannot_be_right_stops_the_start(self, name: str, value: str) -> None:
        with pytest.raises(SystemExit, match=name):
            setting.beacon(self.WHOLE | {name: value})
