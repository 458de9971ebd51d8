"""Fixtures for tests of Tractor's table: the same cards in every run, cards drawn in steps, and a finished game."""

from typing import Any

import pytest

from games import store
from games.fold import Row
from games.models import Game
from tock_league.common import clock

from ..every_table import fix_deals
from .four import a_game_played


@pytest.fixture(autouse=True)
def the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_deals(monkeypatch)


@pytest.fixture
def in_steps(settings: Any) -> None:
    """Let the table draw step by step, as it does for people; otherwise all cards are dealt at once."""
    settings.TOCK_DRAW_MS = 600


@pytest.fixture
def played(in_steps: None, frozen_clock: clock.Frozen) -> Game:
    """A finished game of two rounds between people, with shows during drawing and throws."""
    return a_game_played(frozen_clock)


@pytest.fixture
def rows(played: Game) -> list[Row]:
    return store.load(played.pk)
