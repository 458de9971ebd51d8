from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.models import Table
from tests.servers.browser import DESKTOP, PHONE, Visitor, Visitors

from .evening import four_members, open_table
from .seats import Clicks, Drags, Keyboard, Seat, Taps

# For each seat: the screen and the input method.
WAYS = ((DESKTOP, Clicks()), (PHONE, Taps()), (DESKTOP, Keyboard()), (DESKTOP, Drags()))


@pytest.fixture(autouse=True)
def no_states_of_other_tests() -> None:
    """Games of a chosen deal have the same public id in every test, so the cached folds of one test are dropped."""
    store.folded.clear()


@pytest.fixture
def sit(visitors: Visitors) -> Callable[..., list[Seat]]:
    """Let the players of a table come with their browsers, each with its own screen and input method."""

    def come(table: Table, *, seats: tuple[int, ...] = (0, 1, 2, 3), **options: Any) -> list[Seat]:
        found = []
        for seating in table.seatings.select_related("player__user").order_by("seat"):
            if seating.seat in seats:
                screen, hand = WAYS[seating.seat]
                wanted = {"screen": screen, "reduced_motion": "reduce"} | options
                visitor = visitors.enter(f"seat {seating.seat}", user=seating.player.user, **wanted)
                found.append(Seat(visitor, seating.seat, hand))
        return found

    return come


@pytest.fixture
def table(live_site: Any) -> Table:
    """Give a table of four people that belongs to no competition."""
    return open_table(four_members())


@pytest.fixture
def watcher(visitors: Visitors) -> Visitor:
    """Give a visitor without an account."""
    return visitors.enter("watcher", reduced_motion="reduce")
