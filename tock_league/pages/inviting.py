"""Whom a player may invite to a casual table: people of the own clubs and teams who are here now."""

from django.utils.translation import gettext_lazy as _

from games.announcements import TableInviting
from tock_league.accounts.models import Player
from tock_league.clubs.presence import present
from tock_league.common.errors import Refused


def refuse_absent(told: TableInviting) -> None:
    """Refuse an invitation of anybody else (WITHIN subscriber). Raises Refused `not_here` on `player`."""
    if told.player not in {player.pk for player in present(Player.objects.get(pk=told.by))}:
        raise Refused(
            "not_here",
            _("Only people of your clubs and teams who are here now are invited. Send the link."),
            field="player",
        )
