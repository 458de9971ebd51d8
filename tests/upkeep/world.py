"""A small site with one of everything that is verified: built through services, in frozen time."""

from ratings import services as ratings
from tests.arbitration.world import a_world
from tests.competitions.world import START, a_tournament, play_match
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.rounds import publishing

LADDER = "shawinigan:2"


def a_site(hand: clock.Frozen) -> Competition:
    """Return a league with a ruled dispute, a played match and a running one, beside a finished knockout; all rated."""
    world = a_world()
    world.ruled()
    for match, winner in zip(world.competition.matches.order_by("round__number", "number")[1:3], (0, 1), strict=True):
        hand.advance(hours=1)
        play_match(match, winner)
    running = world.competition.matches.order_by("round__number", "number")[3]
    publishing.open_table(match_id=running.pk, early=True)
    a_tournament(4, state="finished")
    hand.advance(hours=1)
    ratings.rebuild(ladder_key=LADDER, cause="test")
    ratings.rate_waiting(ladder_key=LADDER)
    return world.competition


__all__ = ["LADDER", "START", "a_site"]
