from datetime import UTC, datetime, timedelta

import pytest

from tock_league.common import clock


def test_the_clock_is_aware_and_in_utc():
    assert clock.now().tzinfo is UTC


def test_a_step_of_the_system_clock_does_not_jump_ours(monkeypatch):
    wall, mono = [1_000_000.0], [50.0]
    monkeypatch.setattr(clock.time, "time", lambda: wall[0])
    monkeypatch.setattr(clock.time, "monotonic", lambda: mono[0])
    monkeypatch.setattr(clock, "_base_wall", wall[0])
    monkeypatch.setattr(clock, "_base_mono", mono[0])
    mono[0] += 100
    wall[0] += 3700  # the computer's clock is set one hour ahead
    first = clock.now().timestamp()
    assert first == pytest.approx(1_000_000 + 100 + 100 * clock.SLEW, abs=1e-3)
    mono[0] += 100
    wall[0] -= 7200  # and back again, further
    assert clock.now().timestamp() > first


def test_a_small_error_is_slewed_away(monkeypatch):
    wall, mono = [1_000_000.0], [50.0]
    monkeypatch.setattr(clock.time, "time", lambda: wall[0])
    monkeypatch.setattr(clock.time, "monotonic", lambda: mono[0])
    monkeypatch.setattr(clock, "_base_wall", wall[0])
    monkeypatch.setattr(clock, "_base_mono", mono[0])
    mono[0] += 100
    wall[0] += 100.5
    assert clock.now().timestamp() == pytest.approx(1_000_100.5, abs=1e-3)


def test_frozen_time_moves_only_by_hand_and_nests():
    at = datetime(2026, 11, 25, 19, 0, tzinfo=UTC)
    with clock.frozen(at) as hand:
        assert clock.now() == at
        hand.advance(minutes=5)
        assert clock.now() == at + timedelta(minutes=5)
        with clock.frozen(at):
            assert clock.now() == at
        assert clock.now() == at + timedelta(minutes=5)
    assert clock.now() > datetime(2026, 1, 1, tzinfo=UTC)


def test_milliseconds_round_trip():
    at = datetime(2026, 11, 25, 19, 0, 0, 123000, tzinfo=UTC)
    assert clock.from_ms(clock.ms(at)) == at


def test_a_moment_in_milliseconds_lies_never_in_the_future() -> None:
    instant = datetime(2026, 11, 22, 12, 0, 0, 999_999, tzinfo=UTC)
    assert clock.from_ms(clock.ms(instant)) <= instant
    assert clock.ms(clock.from_ms(1795131000123)) == 1795131000123
