"""Invite a player to a casual table."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.announcements import TableInviting
from games.models import TableInvitation
from games.permissions import Person
from tock_league.accounts import blocks
from tock_league.accounts.models import Player
from tock_league.common import bus, clock, limits
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.notices.services import tell, tell_withdrawn

from .room import locked

INVITED_A_DAY = 60  # by one player


def invite(code: str, player: Player, *, by: Person) -> None:
    """Invite `player` to the table. Idempotent.

    Raises NotAllowed for those who do not sit here or have no account, Refused on `player`: `full` (no seat is empty or
    kept by a bot), `seated`, `apart` (one has blocked the other), `too_many_today`, and what apps above refuse: who is not
    here, or not of the own clubs and teams.
    """
    with writing():
        room = locked(code)
        room.must_sit(by)
        if by.player_id is None:
            raise NotAllowed(_("Sign in to invite others."), needed="player")
        if any(seating.player_id == player.pk for seating in room.seatings.values()):
            raise Refused("seated", _("This person sits at the table already."), field="player", status=409)
        if room.is_full and not any(seating.bot for seating in room.seatings.values()):
            raise Refused("full", _("Every seat is taken."), field="player", status=409)
        asking = Player.objects.get(pk=by.player_id)
        blocks.require_together(asking, player, field="player")
        bus.publish(TableInviting(by=asking.pk, player=player.pk))
        if room.casual.invitations.filter(player=player).exists():
            return
        limits.spend_of_day(
            asking, "table-invitation", count=INVITED_A_DAY,
            sentence=_("You have invited very many people today. Send the link."),
        )  # fmt: skip
        made = TableInvitation.objects.create(casual=room.casual, player=player, by=asking, at=clock.now())
        tell(
            [player.pk],
            "table_invitation",
            str(made.pk),
            address=reverse("games:room", args=[room.casual.code]),
            by=asking.slug,
        )


def decline(code: str, *, by: Person) -> None:
    """Delete the invitation of `by` to the table. Idempotent."""
    with writing():
        take_back(TableInvitation.objects.filter(casual__code=code.lower(), player=by.player_id))


def take_back(invitations: QuerySet[TableInvitation]) -> None:
    """Delete invitations, with the notices of them."""
    for pk in invitations.values_list("pk", flat=True):
        tell_withdrawn("table_invitation", str(pk))
    invitations.delete()
