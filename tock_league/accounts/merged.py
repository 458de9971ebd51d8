"""Players who were given up because another player is the same person (decision 0060). Reads only.

Such a player keeps its past and begins nothing new: no club, no team, no event, no role, no seat.
"""

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused

from .models import Merge, Player


def kept_of(player: Player) -> Player | None:
    """Return the player who stands for `player` now, at the end of a chain of merges; None for one who is not merged.

    One query for somebody who is not merged.
    """
    found: Player | None = None
    seen = {player.pk}
    while (merge := in_force(found or player)) is not None and merge.kept_id not in seen:
        found = merge.kept
        seen.add(found.pk)
    return found


def in_force(player: Player) -> Merge | None:
    """Return the merge by which `player` was given up, None without one. One query."""
    return Merge.objects.filter(former=player, separated_at__isnull=True).select_related("kept").first()


def formers() -> Collection[int]:
    """Return a query of the keys of all players who were given up, for `exclude`."""
    return Merge.objects.filter(separated_at__isnull=True).values("former")  # type: ignore[return-value]


def require_separate(*players: int, field: str | None = None, at: datetime | None = None) -> None:
    """Raise Refused `merged` on `field` for the first of these players, by their keys, who was given up. One query.

    `at`: when they played, if that was before now; a merge that came later does not count.
    """
    rows = Merge.objects.filter(former__in=players, separated_at__isnull=True)
    if at is not None:
        rows = rows.filter(at__lte=at)
    if (found := rows.select_related("former", "kept").first()) is not None:
        text = _("%(player)s is the same person as %(kept)s: choose %(kept)s.") % {
            "player": found.former.display_name,
            "kept": found.kept.display_name,
        }
        raise Refused("merged", text, field=field, player=found.former.slug, kept=found.kept.slug)
