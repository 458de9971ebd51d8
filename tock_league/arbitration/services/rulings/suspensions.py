"""Keeps players who are suspended or banned by a ruling in force out of competitions."""

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.announcements import PlayersEntered

from ...models import Effect
from ...selectors.rulings.context import HERE


def refuse_suspended(told: PlayersEntered) -> None:
    """Refuse a roster with a suspended player; WITHIN subscriber of PlayersEntered. Raises Refused `suspended`."""
    found = (
        Effect.objects.filter(
            Q(until__isnull=True) | Q(until__gt=clock.now()),
            type__in=["suspension", "ban"],
            target__in=[f"player:{pk}" for pk in told.player_ids],
            lifted_by__isnull=True,
        )
        .order_by("-type", "-until")
        .first()
    )
    if found is None:
        return
    player = Player.objects.get(pk=int(found.target.removeprefix("player:")))
    if found.until is None:
        raise Refused("suspended", _("%(name)s is banned.") % {"name": player.display_name}, field="team")
    day = date_format(found.until.astimezone(HERE), "DATE_FORMAT")
    raise Refused(
        "suspended",
        _("%(name)s is suspended until %(day)s.") % {"name": player.display_name, "day": day},
        field="team",
    )
