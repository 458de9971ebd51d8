"""Names inside a club: no two members, teams or clubs whose names look alike. Rows of before are kept as they are.

Two clubs are kept apart by a unique column (Club.look). Members and teams are compared under the lock of their club's
row, which a join, a new name and a new team take, so that of two at the same moment the second one is refused.
"""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.announcements import PlayerRenaming
from tock_league.accounts.models import Player
from tock_league.common.errors import Refused
from tock_league.common.names import first_confusable, look_of

from ..models import Club, Membership, Team


def locked_club(club: Club) -> Club:
    """Return the club, its row locked until the transaction ends; rows that refer to it may still be inserted."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def no_club_alike(club: Club) -> None:
    """Set the club's `look`. Raise Refused naming `name` when another club's name looks like it."""
    club.look = look_of(club.name)
    other = Club.objects.filter(look=club.look).exclude(pk=club.pk).first()
    if other is not None:
        raise _alike(other.name, field="name")


def no_member_alike(club: Club, player: Player, name: str, *, field: str) -> None:
    """Raise Refused naming `field` when another member's name looks like `name`; the caller holds the club's row."""
    others = Membership.objects.filter(club=club, until__isnull=True).exclude(player=player)
    other = first_confusable(name, others.values_list("player__display_name", flat=True))
    if other is not None:
        raise Refused(
            "name_confusable",
            _(
                "%(club)s has a member whose name looks the same: %(other)s. Add an initial or a second name in the profile."
            )
            % {"club": club.name, "other": other},
            field=field,
        )


def no_team_alike(team: Team) -> None:
    """Raise Refused naming `name` when another team of the club has a name that looks like this one's.

    Teams without a club and teams drawn for one evening may have any name. The caller holds the club's row.
    """
    if team.club_id is None or team.drawn:
        return
    same = Team.objects.filter(club=team.club_id, drawn=False, dissolved_at__isnull=True).exclude(pk=team.pk)
    other = first_confusable(team.name, same.values_list("name", flat=True))
    if other == team.name:
        raise Refused("team_name_in_club", _("This club already has a team of that name."), field="name")
    if other is not None:
        raise _alike(other, field="name")


def judge_renaming(renaming: PlayerRenaming) -> None:
    """Handle PlayerRenaming: lock the player's clubs, and raise Refused when a member of one has such a name."""
    player = Player.objects.get(pk=renaming.player_id)
    mine = Membership.objects.filter(player=player, until__isnull=True).values("club")
    for club in Club.objects.select_for_update(no_key=True).filter(pk__in=mine).order_by("pk"):
        no_member_alike(club, player, renaming.name, field="display_name")


def _alike(other: str, *, field: str) -> Refused:
    return Refused(
        "name_confusable",
        _("This name looks the same as another one: %(other)s. Choose one that nobody can confuse.") % {"other": other},
        field=field,
    )
