"""The rounds of the beacon, asking a source for one and verifying it, and the setting."""

import socket
import ssl
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.fold import round_for
from games.fold.beacon import LEAD_MS, Chain
from games.services import beacon, bls, pulses
from tests.games.drand import PUBLISHED, QUICKNET, RANDOMNESS, Drand, Source
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tock_league.common.metrics import BEACON_FAILURES
from tock_league.settings import beacon as setting

from .waiting import NEVER, settle


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
