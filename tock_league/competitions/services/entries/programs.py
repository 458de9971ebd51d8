"""Keeps bot accounts out of competitions whose regulations do not allow bots (decision 0050).

Each function is a WITHIN subscriber and only reads.
"""

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import BOT_ACCOUNT, Player
from tock_league.common.errors import Refused

from ...announcements import PlayersEntered, PlayersTakePart
from ...models import Competition


def refuse_entry(told: PlayersEntered) -> None:
    """Refuse a roster with a bot account. Raises Refused `bots_refused` on `team`."""
    _refuse(told.competition_id, told.player_ids, field="team")


def refuse_taking_part(told: PlayersTakePart) -> None:
    """Refuse a check-in, a substitution or a result on paper. Raises Refused `bots_refused` on its field."""
    _refuse(told.competition_id, told.player_ids, field=told.field)


def _refuse(competition_id: int, players: Collection[int], *, field: str) -> None:
    found = Player.objects.filter(pk__in=players, bot=BOT_ACCOUNT).first()
    if found is not None and not Competition.objects.filter(pk=competition_id, bots_allowed=True).exists():
        text = _("%(player)s is a bot, and this competition does not allow bots.") % {"player": found.display_name}
        raise Refused("bots_refused", text, field=field, player=found.slug)
