"""Who runs the clock, and who sets up the hall."""

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import rule
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import referees, runs


@rule("hall.clock")
def _clock(person: Player, competition: Competition) -> bool:
    """Allow organisers and referees: whoever stands at the desk, as for the check-in."""
    return runs(person, competition) or referees(person, competition)


@rule("hall.set_up")
def _set_up(person: Player, competition: Competition) -> bool:
    """Allow organisers: screens, announcements, links of teams."""
    return runs(person, competition)
