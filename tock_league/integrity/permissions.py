"""Who sees results that look arranged: the head referees of the whole site, and nobody else.

An administrator passes this rule as every other one, but the services ask for the role itself (`deciding.decider`).
"""

from collections.abc import Collection

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import has_role, in_force, rule
from tock_league.arbitration.selectors.referees.ties import relatives
from tock_league.clubs.models import TeamPlayer


@rule("integrity.watch")
def _watch(person: Player, _thing: object) -> bool:
    return has_role(person, Role.Name.HEAD_REFEREE)


def head_referees() -> set[int]:
    """Return the keys of the head referees of the whole site. One query."""
    rows = Role.objects.filter(in_force(), name=Role.Name.HEAD_REFEREE)
    return set(rows.values_list("player", flat=True))


def involved(people: Collection[int], players: Collection[int]) -> set[int]:
    """Return which of `people`, by their keys, are one of `players`, of the family of one, or a partner in a team of one.

    Two queries.
    """
    among = set(players)
    found = set(people) & among
    found |= {person for person, relative in relatives(people) if relative in among}
    teams = TeamPlayer.objects.filter(left__isnull=True, team__drawn=False, player__in=among).values("team")
    mates = TeamPlayer.objects.filter(left__isnull=True, player__in=people, team__in=teams)
    return found | set(mates.values_list("player", flat=True))
