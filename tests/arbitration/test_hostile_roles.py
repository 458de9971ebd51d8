"""Roles that end in the middle of a case."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.arbitration.models import Vote
from tock_league.arbitration.services.appeals import hearing
from tock_league.common.errors import NotAllowed
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles

from .world import World, fresh

pytestmark = pytest.mark.django_db


def test_a_former_referee_leaves_the_panel_and_a_reserve_votes(world: World) -> None:
    case = world.appealed()
    seats = list(case.panel.filter(place__isnull=False).order_by("place"))
    reserve = case.panel.get(place__isnull=True).member
    gone = seats[0].member
    hearing.vote(by=seats[1].member, case=case, vote="uphold", note="Oui.")
    for member in (gone, seats[1].member):
        roles.end(by=SITE, role=CompetitionRole.objects.get(player=member, until__isnull=True))
    with pytest.raises(NotAllowed):
        hearing.vote(by=gone, case=fresh(case), vote="overturn", note="Non.")
    for member in (reserve, seats[2].member):
        hearing.vote(by=member, case=fresh(case), vote="uphold", note="Oui.")
    assert set(Vote.objects.values_list("member", flat=True)) == {reserve.pk, seats[1].member_id, seats[2].member_id}
