"""A button that is clicked twice writes once: what people add to a case, and recusals."""

import pytest

from tests.competitions.world import START
from tock_league.arbitration.models import Recusal
from tock_league.arbitration.services.cases import disputes
from tock_league.arbitration.services.referees import recusals
from tock_league.common import clock

from .world import a_world, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _evening():
    with clock.frozen(START):
        yield


def test_a_text_that_is_sent_twice_is_added_once_and_a_changed_one_again() -> None:
    world = a_world()
    case, by = world.dispute(), world.players[0]
    first = disputes.add(by=by, case=case, text="Il a parlé deux fois.")
    assert disputes.add(by=by, case=fresh(case), text=" Il a parlé deux fois. ") == first
    assert disputes.add(by=by, case=fresh(case), text="Il a parlé trois fois.") != first
    assert fresh(case).events.filter(type="stated").count() == 2


def test_a_recusal_that_is_sent_twice_is_written_once() -> None:
    world = a_world()
    case, by = world.dispute(), world.referees[0]
    recusals.recuse(by=by, case=case, reason="C’est mon voisin.")
    recusals.recuse(by=by, case=fresh(case), reason="C’est mon voisin.")
    assert Recusal.objects.get(case=case, person=by).declared
    assert fresh(case).events.filter(type="recused").count() == 1
