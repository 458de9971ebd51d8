import pytest

from tock_league.common import clock

from .world import START, a_league


@pytest.fixture
def hand():
    """The clock, frozen at noon of the first league day; `hand.advance(minutes=5)` moves it."""
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def league(db, hand):
    """A running league of four pairs, double round robin, one round a week."""
    return a_league(4)
