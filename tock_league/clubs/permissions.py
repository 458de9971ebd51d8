"""Who may do what in a club. Administrators pass all of it (accounts.permissions)."""

from collections.abc import Collection

from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import has_role, rule

from .models import Club, ClubRole, Membership, Team, TeamPlayer


def holds(person: Player, club: Club | None, names: Collection[str]) -> bool:
    """Answer whether `person` holds one of the roles `names` in `club` now."""
    return (
        club is not None
        and ClubRole.objects.filter(club=club, player=person, name__in=names, until__isnull=True).exists()
    )


@rule("club.found")
def _found(person: Player, _thing: object) -> bool:
    return True


@rule("club.edit")
def _edit(person: Player, club: Club) -> bool:
    return holds(person, club, ["officer"])


@rule("club.give_role")
def _give_role(person: Player, club: Club) -> bool:
    return holds(person, club, ["officer"])


@rule("club.join")
def _join(person: Player, _club: Club) -> bool:
    return True


@rule("team.form")
def _form_team(person: Player, thing: tuple[Club | None, Collection[Player]]) -> bool:
    """Thing: the club or None, and the players. Oneself with another member of the club; officers and organisers."""
    club, players = thing
    if has_role(person, Role.Name.ORGANISER) or holds(person, club, ["officer", "organiser"]):
        return True
    if person.pk not in {player.pk for player in players}:
        return False
    ids = {player.pk for player in players}
    if club is None:
        return False
    return Membership.objects.filter(club=club, player__in=ids, until__isnull=True).count() == len(ids)


@rule("team.edit")
def _edit_team(person: Player, team: Team) -> bool:
    if holds(person, team.club, ["officer"]):
        return True
    return TeamPlayer.objects.filter(team=team, player=person, slot=1, left__isnull=True).exists()
