"""Keeps players who are suspended or banned by a ruling in force out of competitions.

What a sanction covers: docs/arbitration.md, "Suspension and ban". Each function is a WITHIN subscriber and only reads.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from games.announcements import SeatTaken
from tock_league.accounts.models import Player
from tock_league.common.errors import Refused
from tock_league.competitions.announcements import PlayersEntered, PlayersTakePart

from ...selectors.rulings import sanctioned


def refuse_suspended(told: PlayersEntered) -> None:
    """Refuse a roster with a suspended player. Raises Refused `suspended` on `team`."""
    _refuse(told.player_ids, field="team")


def refuse_taking_part(told: PlayersTakePart) -> None:
    """Refuse a check-in, a substitution or a result on paper. Raises Refused `suspended` on its field."""
    _refuse(told.player_ids, field=told.field, at=told.at)


def refuse_seat(told: SeatTaken) -> None:
    """Refuse the seat at a match's table; a game that has begun is played to its end. Raises as the others do."""
    _refuse([told.player_id])


def _refuse(players: Collection[int], *, field: str | None = None, at: datetime | None = None) -> None:
    found = sanctioned.in_force(players, at)
    if not found:
        return
    # A ban first, then the suspension that ends last.
    worst = max(found.values(), key=lambda one: (one.until is None, one.until.timestamp() if one.until else 0))
    player = Player.objects.get(pk=worst.player)
    details: dict[str, Any] = {"player": player.slug, "ruling": worst.ruling}
    if worst.until is not None:
        details["until"] = worst.until.isoformat()
    raise Refused("suspended", worst.sentence(player.display_name), field=field, **details)
