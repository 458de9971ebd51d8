from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.competitions.world import START, a_plan, a_signed_up_player, a_tournament
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import roles


@pytest.fixture
def hand() -> Iterator[clock.Frozen]:
    """The clock, frozen at a noon."""
    cache.clear()
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def swiss(hand: clock.Frozen) -> Competition:
    """Give a Swiss event of four teams whose first round is open, at the tables 1 and 2."""
    return a_tournament(4, plan=a_plan("swiss", rounds=3))


def serving(event: Competition, name: str) -> Player:
    """Return a person with that office in the event, who can sign in."""
    person = a_signed_up_player(f"{name}@example.org")
    roles.give(by=SITE, competition=event, player=person, name=name)
    return person
