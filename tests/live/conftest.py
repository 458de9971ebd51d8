"""Live tests work through threads of their own: what they write must be committed."""

from typing import Any

import pytest

from games.live.limits import SeatRates, seat_rates
from tests.games.conftest import four_players, open_table, sat_table, timed_table
from tock_league.accounts.models import Player

__all__ = ["open_table", "sat_table", "timed_table"]


@pytest.fixture(autouse=True)
def fresh_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of different tests may bear the same number: nobody inherits another one's count."""
    monkeypatch.setattr(seat_rates, "_rates", SeatRates()._rates)


@pytest.fixture
def players(transactional_db: Any) -> list[Player]:
    return four_players()
