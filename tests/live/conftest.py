"""Live tests work through threads of their own: what they write must be committed."""

from typing import Any

import pytest

from tests.games.conftest import four_players, open_table, sat_table, timed_table
from tock_league.accounts.models import Player

__all__ = ["open_table", "sat_table", "timed_table"]


@pytest.fixture
def players(transactional_db: Any) -> list[Player]:
    return four_players()
