"""Computers whose clocks are set, sleep or stop cause no time-out."""

import time
from typing import Any

import pytest

from games.fold import ClockSettings
from games.services import clocks, pulse
from games.services.pulse import Heart
from tock_league.common import clock

from ..conftest import Sat
from .conftest import left, rows


class Machine:
    """The clocks of a computer, set by the test, in seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.mono = time.time(), time.monotonic()
        monkeypatch.setattr(clock, "_base_wall", self.wall)
        monkeypatch.setattr(clock, "_base_mono", self.mono)
        monkeypatch.setattr(clock.time, "time", lambda: self.wall)
        monkeypatch.setattr(clock.time, "monotonic", lambda: self.mono)

    def run(self, seconds: float) -> None:
        """Let time pass, with a heartbeat every second."""
        for _ in range(int(seconds)):
            self.wall += 1
            self.mono += 1
            pulse.heart.beat()

    def reboot(self, monkeypatch: pytest.MonkeyPatch) -> int:
        """Start a new process, which reads the wall clock again."""
        monkeypatch.setattr(clock, "_base_wall", self.wall)
        monkeypatch.setattr(clock, "_base_mono", self.mono)
        pulse.heart.begin()
        return pulse.heart.beat()


class TestClocksThatJump:
    @pytest.fixture
    def machine(self, monkeypatch: pytest.MonkeyPatch, heart: Heart) -> Machine:
        machine = Machine(monkeypatch)
        machine.reboot(monkeypatch)
        return machine

    @pytest.fixture
    def table(self, machine: Machine, open_table: Any) -> Sat:
        found: Sat = open_table(clocks=ClockSettings())
        found.begin()
        return found

    @pytest.mark.parametrize("step", [3600, -3600])
    def test_a_jump_of_the_wall_clock_causes_no_time_out(self, table: Sat, machine: Machine, step: int) -> None:
        machine.run(10)
        machine.wall += step
        machine.run(5)
        assert clocks.claim_due() == 0
        assert abs(left(table) - 45_000) < 1_000
        assert rows(table) == []

    def test_a_sleep_with_running_clocks_causes_no_time_out(self, table: Sat, machine: Machine) -> None:
        machine.run(10)
        machine.wall += 600
        machine.mono += 600
        seat = min(table.state.to_act)
        assert not table.send(seat, "play", play=table.choose(seat)).code
        assert pulse.heart.beat() == 600_000
        assert sum(table.state.timeouts) == 0

    def test_a_sleep_with_stopped_clocks_changes_nothing(self, table: Sat, machine: Machine) -> None:
        machine.run(10)
        machine.wall += 600
        machine.run(2)
        assert clocks.claim_due() == 0
        assert abs(left(table) - 48_000) < 1_000

    def test_a_restart_with_a_clock_set_forward_causes_no_time_out(
        self, table: Sat, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine.run(10)
        machine.wall += 3600
        assert machine.reboot(monkeypatch) == 3_600_000
        assert clocks.claim_due() == 1
        assert left(table) == 50_000

    def test_a_restart_with_a_clock_set_back_continues_where_it_was(
        self, table: Sat, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine.run(10)
        before = clock.now_ms()
        machine.wall -= 1800
        assert machine.reboot(monkeypatch) == pytest.approx(3_000, abs=5)
        assert clock.now_ms() >= before
        assert clocks.claim_due() == 0
        machine.run(45)
        assert clocks.claim_due() == 0
        assert sum(table.state.timeouts) == 0
        machine.run(10)
        assert clocks.claim_due() == 1
        assert [row.body["why"] for row in rows(table)] == ["outage"]
