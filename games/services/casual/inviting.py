"""Invite a player to a casual table."""

from django.utils.translation import gettext_lazy as _

from games.announcements import TableInviting
from games.models import TableInvitation
from games.permissions import Person
from tock_league.accounts import blocks
from tock_league.accounts.models import Player
from tock_league.common import bus, clock, limits
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing

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
        TableInvitation.objects.create(casual=room.casual, player=player, by=asking, at=clock.now())


def decline(code: str, *, by: Person) -> None:
    """Delete the invitation of `by` to the table. Idempotent."""
    with writing():
        TableInvitation.objects.filter(casual__code=code.lower(), player=by.player_id).delete()
