import pytest

from .world import a_league


@pytest.fixture
def league(db, hand):
    """A running league of four pairs, double round robin, one round a week."""
    return a_league(4)
