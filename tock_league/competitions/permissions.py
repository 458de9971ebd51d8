"""Who may do what in competitions. Administrators pass all of it (accounts.permissions).

The organiser of a competition: whoever holds the site role `organiser`, and the organisers and officers of its club.
"""

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import can, has_role, rule
from tock_league.clubs.models import Club, Team
from tock_league.clubs.permissions import holds

from .models import Competition, Match

PRIVATE_STATES = frozenset({Competition.State.DRAFT})


def organises(person: Player, club: Club | None) -> bool:
    """Answer whether `person` organises for the site or for `club`."""
    return has_role(person, Role.Name.ORGANISER) or holds(person, club, ["organiser", "officer"])


def is_public(competition: Competition) -> bool:
    """Answer whether visitors may read it: neither a draft nor a rehearsal."""
    return competition.state not in PRIVATE_STATES and not competition.is_rehearsal


@rule("season.create")
def _create_season(person: Player, _thing: object) -> bool:
    return has_role(person, Role.Name.ORGANISER)


@rule("competition.create")
def _create(person: Player, club: Club | None) -> bool:
    return organises(person, club)


@rule("competition.organise")
def _organise(person: Player, competition: Competition) -> bool:
    return organises(person, competition.club)


@rule("competition.see_private")
def _see_private(person: Player, competition: Competition) -> bool:
    return organises(person, competition.club)


@rule("match.move")
def _move(person: Player, match: Match) -> bool:
    return organises(person, match.competition.club)


@rule("match.award")
def _award(person: Player, match: Match) -> bool:
    return organises(person, match.competition.club)


@rule("entry.make")
def _enter(person: Player, thing: tuple[Competition, Team]) -> bool:
    """The team's captain, an officer of the team's club, or the competition's organiser."""
    competition, team = thing
    return can(person, "team.edit", team) or organises(person, competition.club)
