"""A season of eight pairs that is played once a process and copied afterwards (tests/remembered.py)."""

from dataclasses import dataclass
from datetime import datetime

from tests.remembered import remembered
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock

from .announced import Finished
from .board_world import play_season
from .conftest import NAMES
from .history import START


@dataclass
class Season:
    """Sixteen people, the first ten of whom are at home in the club Batiscan."""

    people: list[Player]
    ended: datetime


@remembered
def a_season(rounds: int) -> Season:
    """Play `rounds` evenings from START in the ladder of pairs, and rate them; the caller sets the clock to their end."""
    with clock.frozen(START) as hand:
        people = [create_player(display_name=name) for name in NAMES]
        club = Club.objects.create(slug="batiscan", name="Batiscan", town="Batiscan")
        for player in people[:10]:
            Membership.objects.create(club=club, player=player, home=True, since=clock.now())
        play_season(hand, people, Finished(hand), rounds=rounds)
        return Season(people, clock.now())
