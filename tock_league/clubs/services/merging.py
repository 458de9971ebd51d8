"""What a merge of two players changes in clubs and teams, and how a separation takes it back (decision 0060).

The player who was given up leaves its clubs and teams, and the one who stays takes the places that it does not have itself.
Call both inside `writing()`; the caller has checked the rights.
"""

from collections.abc import Mapping
from typing import Any

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label
from tock_league.common import bus, clock
from tock_league.journal.services import OPEN, record
from tock_league.notices.services import tell_withdrawn

from ..announcements import HomeChanged
from ..models import ClubRole, Membership, TeamInvitation, TeamPlayer
from .clubs import end_ties, enrol
from .naming import locked_club, no_member_alike
from .teams import locked, without

Moved = dict[str, list[int]]


def take_over(*, by: Person, former: Player, kept: Player) -> Moved:
    """Move memberships and places in teams from `former` to `kept`; take the invitations of `former` back.

    Return the keys of the rows that were ended and begun, for `give_back`. Raises Refused `name_confusable` when a club has
    another member whose name looks like that of `kept`.
    """
    moved: Moved = {"ties_ended": [], "ties_begun": [], "roles_ended": [], "spells_ended": [], "spells_begun": []}
    ties = Membership.objects.filter(player=former, until__isnull=True).select_related("club").order_by("club")
    for tie in list(ties):
        club = locked_club(tie.club)
        roles = ClubRole.objects.filter(club=club, player=former, until__isnull=True)
        moved["roles_ended"] += list(roles.values_list("pk", flat=True))
        end_ties(by=by, club=club, player=former)
        moved["ties_ended"].append(tie.pk)
        if not Membership.objects.filter(club=club, player=kept, until__isnull=True).exists():
            no_member_alike(club, kept, kept.display_name, field="kept")
            moved["ties_begun"].append(enrol(club, kept, home=tie.home and not _has_home(kept), by=by).pk)
    for spell in TeamPlayer.objects.filter(player=former, left__isnull=True).order_by("team").select_related("team"):
        _take_place(spell, kept, moved)
    _take_invitations_back(former)
    return moved


def give_back(*, by: Person, moved: Mapping[str, Any]) -> None:
    """Take back what `take_over` has changed, as far as nobody has changed it since.

    A membership and a place return with their first day. A place that somebody else has taken meanwhile, or of a team that
    was dissolved, does not.
    """
    now = clock.now()
    for tie in Membership.objects.filter(pk__in=moved["ties_begun"], until__isnull=True).select_related(
        "club", "player"
    ):
        end_ties(by=by, club=locked_club(tie.club), player=tie.player)
    ended = Membership.objects.filter(pk__in=moved["ties_ended"], until__isnull=False).select_related("club", "player")
    for tie in ended.order_by("club"):
        club = locked_club(tie.club)
        tie.until, tie.home = None, tie.home and not _has_home(tie.player)
        tie.save(update_fields=["until", "home"])
        if tie.home:
            bus.publish(HomeChanged(tie.player_id, club.pk))
        body = {"club": club.slug, "player": label(tie.player), "home": tie.home}
        record(OPEN, "club.joined", actor=label(by), body=body)
    for role in ClubRole.objects.filter(pk__in=moved["roles_ended"]).select_related("club", "player"):
        if Membership.objects.filter(club=role.club, player=role.player, until__isnull=True).exists():
            ClubRole.objects.filter(pk=role.pk).update(until=None)
            body = {"club": role.club.slug, "player": label(role.player), "role": role.name}
            record(OPEN, "club_role.given", actor=label(by), body=body)
    TeamPlayer.objects.filter(pk__in=moved["spells_begun"], left__isnull=True).update(left=now)
    for spell in TeamPlayer.objects.filter(pk__in=moved["spells_ended"]).select_related("team").order_by("team"):
        now_there = TeamPlayer.objects.filter(team=spell.team, left__isnull=True)
        is_free = (
            not now_there.filter(slot=spell.slot).exists() and not now_there.filter(player=spell.player_id).exists()
        )
        if is_free and spell.team.dissolved_at is None:
            TeamPlayer.objects.filter(pk=spell.pk).update(left=None)


def _take_place(spell: TeamPlayer, kept: Player, moved: Moved) -> None:
    """Give the place of `spell` to `kept`, who may be in the team already: then the place is empty."""
    team = locked(spell.team)
    moved["spells_ended"].append(spell.pk)
    if TeamPlayer.objects.filter(team=team, player=kept, left__isnull=True).exists():
        without(team, spell)
        return
    now = clock.now()
    spell.left = now
    spell.save(update_fields=["left"])
    moved["spells_begun"].append(TeamPlayer.objects.create(team=team, player=kept, slot=spell.slot, joined=now).pk)
    TeamInvitation.objects.filter(team=team, player=kept, state=TeamInvitation.State.OPEN).update(
        state=TeamInvitation.State.REVOKED, answered_at=now
    )


def _take_invitations_back(player: Player) -> None:
    for offer in TeamInvitation.objects.filter(player=player, state=TeamInvitation.State.OPEN):
        TeamInvitation.objects.filter(pk=offer.pk).update(state=TeamInvitation.State.REVOKED, answered_at=clock.now())
        tell_withdrawn("team_invitation", str(offer.pk))


def _has_home(player: Player) -> bool:
    return Membership.objects.filter(player=player, home=True, until__isnull=True).exists()


def names_of(moved: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the names of the clubs and of the teams that a merge has changed."""
    clubs = Membership.objects.filter(pk__in=moved["ties_ended"]).order_by("club__name")
    teams = TeamPlayer.objects.filter(pk__in=moved["spells_ended"]).order_by("team__name")
    return list(clubs.values_list("club__name", flat=True)), list(teams.values_list("team__name", flat=True))
