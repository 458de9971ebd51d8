import pytest

from tests.competitions.world import START
from tock_league.common import clock

from .world import Life, a_life


@pytest.fixture
def hand():
    """The clock, frozen at noon of the first league day."""
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def life(db, hand) -> Life:
    """Somebody of whom every part of the site holds something."""
    return a_life()
