"""Live tests work through threads of their own, so what they write must be committed."""

from typing import Any

import pytest

from games.live import limits
from games.live.limits import SeatRates, seat_rates
from tests.games.conftest import four_players, open_table, open_tractor, sat_table, timed_table
from tock_league.accounts.models import Player

__all__ = ["open_table", "open_tractor", "sat_table", "timed_table"]


@pytest.fixture(autouse=True)
def fresh_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of different tests may have the same number, so counters start again for each test."""
    monkeypatch.setattr(seat_rates, "_rates", SeatRates()._rates)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """People do not play four hundred cards in ten seconds, but this test does."""
    monkeypatch.setattr(limits, "frames", lambda: limits.Rate(10_000, 1.0))
    monkeypatch.setattr(limits, "commands", lambda: limits.Rate(10_000, 1.0))


@pytest.fixture
def players(transactional_db: Any) -> list[Player]:
    return four_players()
