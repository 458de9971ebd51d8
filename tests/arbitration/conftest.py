import pytest

from tests.competitions.world import START
from tock_league.common import clock

from .world import World, a_world


@pytest.fixture
def hand():
    """The clock, frozen at noon of the first league day."""
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def world(db, hand) -> World:
    """A running league of four pairs with its referees."""
    return a_world()
