"""Presence: who of a person's clubs and teams is here now. Reads only; nothing is written for it (decision 0045).

Here is who is signed in and has used the site, or has played at a table, within the last HERE_FOR. Never seen: children,
people who have switched it off, programs, and whoever has blocked the reader or is blocked. Children see nobody.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet

from tock_league.accounts import blocks, sessions
from tock_league.accounts.minors import children, is_child
from tock_league.accounts.models import Player
from tock_league.common import clock

from .models import Club, Membership, Team, TeamPlayer

# Longer than the step in which the use of a session is written (sessions.LONGEST_STEP_S, ten minutes).
HERE_FOR = timedelta(minutes=12)


def present(person: Player | None) -> list[Player]:
    """Return the people of the clubs and teams of `person` who are here now, by name, without `person`. Three queries.

    Nobody for a visitor and for a child. Whoever is in this list may be invited to a table by `person`.
    """
    if person is None:
        return []
    clubs = Membership.objects.filter(player=person, until__isnull=True).values("club")
    teams = TeamPlayer.objects.filter(
        player=person, left__isnull=True, team__drawn=False, team__dissolved_at__isnull=True
    )
    return _here(person, Player.objects.filter(_members(clubs) | _teammates(teams.values("team"))))


def present_in_club(person: Player | None, club: Club) -> list[Player]:
    """Return the members of the club who are here now, for a member of it; else nobody. Four queries at most."""
    if person is None or not Membership.objects.filter(player=person, club=club, until__isnull=True).exists():
        return []
    return _here(person, Player.objects.filter(_members([club.pk])))


def present_in_team(person: Player | None, team: Team) -> list[Player]:
    """Return the players of the team who are here now, for a player of it; else nobody. Four queries at most."""
    if person is None or not TeamPlayer.objects.filter(player=person, team=team, left__isnull=True).exists():
        return []
    return _here(person, Player.objects.filter(_teammates([team.pk])))


def _members(clubs: QuerySet[Any, Any] | Iterable[int]) -> Q:
    return Q(pk__in=Membership.objects.filter(club__in=clubs, until__isnull=True).values("player"))


def _teammates(teams: QuerySet[Any, Any] | Iterable[int]) -> Q:
    return Q(pk__in=TeamPlayer.objects.filter(team__in=teams, left__isnull=True).values("player"))


def _here(person: Player, near: QuerySet[Player]) -> list[Player]:
    if is_child(person):
        return []
    users = sessions.used_since(clock.now() - HERE_FOR)
    found = near.filter(user__in=users, user__is_active=True, shows_presence=True, bot="")
    found = found.exclude(pk__in=[person.pk, *blocks.apart(person)]).exclude(pk__in=children())
    return list(found.order_by("display_name", "pk"))
