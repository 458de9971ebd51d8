import pytest

from tock_league.arbitration.models import Case

from .world import World, a_world


@pytest.fixture
def world(db, hand) -> World:
    """A running league of four pairs with its referees."""
    return a_world()


@pytest.fixture
def called(world: World):
    """A game in its first turns; seat 0 has called the referee because seat 1 talked."""
    sat = world.sat()
    sat.play_on(3)
    assert not sat.send(0, "dispute", kind="talk", text="Il parle à son partenaire").code
    return sat, Case.objects.get()
