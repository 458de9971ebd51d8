"""Permission rules of clubs. Administrators pass all of them (accounts.permissions)."""

from collections.abc import Collection, Iterable

from django.db.models import Q

from tock_league.accounts.consents import is_guardian
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import has_role, offices, rule, usable

from .models import CAPTAIN, Club, ClubRole, Membership, Team, TeamInvitation, TeamPlayer


def in_force() -> Q:
    """Return the condition of the roles of clubs that give rights now, as `accounts.permissions.in_force` does."""
    return Q(until__isnull=True) & usable("name", officers=ClubRole.Name.OFFICER)


@offices
def _of_clubs(person: Player) -> Iterable[str]:
    names = ClubRole.objects.filter(player=person, until__isnull=True).values_list("name", flat=True)
    return ("club_officer" if name == ClubRole.Name.OFFICER else name for name in names)


def holds(person: Player, club: Club | None, names: Collection[str]) -> bool:
    """Return whether `person` holds one of the roles `names` in `club` now."""
    return club is not None and ClubRole.objects.filter(in_force(), club=club, player=person, name__in=names).exists()


@rule("club.found")
def _found(person: Player, _thing: object) -> bool:
    return True


@rule("club.edit")
def _edit(person: Player, club: Club) -> bool:
    return holds(person, club, ["officer"])


@rule("club.give_role")
def _give_role(person: Player, club: Club) -> bool:
    return holds(person, club, ["officer"])


@rule("club.news")
def _news(person: Player, club: Club) -> bool:
    return holds(person, club, ["officer", "organiser"])


@rule("club.read_news")
def _read_news(person: Player, club: Club) -> bool:
    """Allow members, and whoever may write."""
    return Membership.objects.filter(club=club, player=person, until__isnull=True).exists() or _news(person, club)


@rule("club.join")
def _join(person: Player, _club: Club) -> bool:
    return True


@rule("profile.see")
def _see_profile(person: Player, player: Player) -> bool:
    """Allow whom the player chose. A child's page is open to itself, its guardian and the staff of its clubs."""
    if person.pk == player.pk:
        return True
    if is_child(player):
        return is_guardian(person, player) or _looks_after(person, player)
    if player.page_for != Player.Readers.CLUBS:
        return True
    mine = Membership.objects.filter(player=person, until__isnull=True).values("club")
    if Membership.objects.filter(player=player, until__isnull=True, club__in=mine).exists():
        return True
    teams = TeamPlayer.objects.filter(player=person, left__isnull=True).values("team")
    return TeamPlayer.objects.filter(player=player, left__isnull=True, team__in=teams).exists()


@rule("consent.withdraw")
def _withdraw_consent(person: Player, child: Player) -> bool:
    """Allow the staff of the child's clubs: a guardian who signed on paper comes to them."""
    return _looks_after(person, child)


@rule("comment.remove")
def _remove_comment(person: Player, author: Player) -> bool:
    """Allow the writer of a comment, and the staff of the writer's clubs, to delete it."""
    return person.pk == author.pk or _looks_after(person, author)


def _looks_after(person: Player, player: Player) -> bool:
    """Return whether `person` is an officer or organiser of a club of `player`. One query."""
    clubs = Membership.objects.filter(player=player, until__isnull=True).values("club")
    return ClubRole.objects.filter(in_force(), club__in=clubs, player=person).exists()


@rule("team.found")
def _found_team(person: Player, club: Club | None) -> bool:
    """Allow everybody to found a free team, and members to found one of their club."""
    return club is None or Membership.objects.filter(club=club, player=person, until__isnull=True).exists()


@rule("team.form")
def _form_team(person: Player, thing: tuple[Club | None, Collection[Player]]) -> bool:
    """Thing: the club or None, and the players, who are not asked. Allow officers and organisers."""
    club, _players = thing
    return has_role(person, Role.Name.ORGANISER) or holds(person, club, ["officer", "organiser"])


@rule("team.edit")
def _edit_team(person: Player, team: Team) -> bool:
    if holds(person, team.club, ["officer"]):
        return True
    return TeamPlayer.objects.filter(team=team, player=person, slot=CAPTAIN, left__isnull=True).exists()


@rule("invitation.answer")
def _answer_invitation(person: Player, invitation: TeamInvitation) -> bool:
    return invitation.player_id == person.pk
