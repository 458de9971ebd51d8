"""A server with a heartbeat that is killed and comes back, and what tests read of a table afterwards."""

from collections.abc import Iterator
from typing import Any

import pytest

from games import store
from games.fold import Row
from games.services import pulse
from games.services.pulse import Heart
from tock_league.common import clock

from ..conftest import Sat


class Server:
    """The heartbeat of one process that serves tables: it beats while time passes, until it is killed."""

    def __init__(self, hand: clock.Frozen) -> None:
        self.hand = hand
        self.heart = pulse.heart
        self.boot()

    def boot(self) -> int:
        """Start (again): a new process with its own heartbeat. Return the gap that it found."""
        self.heart.begin()
        return self.heart.beat()

    def serve(self, seconds: float) -> None:
        """Let this much time pass, with a heartbeat every second."""
        while seconds > 0:
            self.hand.advance(seconds=min(1, seconds))
            self.heart.beat()
            seconds -= 1

    def down(self, seconds: float) -> int:
        """Be killed, and come back after this many seconds."""
        self.hand.advance(seconds=seconds)
        return self.boot()


def begin_with_a_move(sat: Sat) -> int:
    """Deal, and play until a seat has more than cards to burn (burns cost no time); return the seat."""
    seat = sat.begin()
    while sat.choose(seat).startswith("burn "):
        sat.play_on(1)
        seat = min(sat.state.to_act)
    return seat


@pytest.fixture
def heart(db: Any) -> Iterator[Heart]:
    """Give this process's heartbeat; it stops afterwards."""
    yield pulse.heart
    pulse.heart.stop()


@pytest.fixture
def server(heart: Heart, frozen_clock: clock.Frozen) -> Server:
    return Server(frozen_clock)


def rows(sat: Sat, code: str = "credit") -> list[Row]:
    return [row for row in store.load(sat.game.pk) if row.code == code]


def left(sat: Sat) -> int:
    """Return the time left of the running decision (ms)."""
    assert sat.state.clocks is not None
    return sat.state.clocks.due - clock.now_ms()
