"""Running casual games of given players that everybody may watch: for the pages of those who follow them."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise

from games.models import Game, Seating, Table

from . import rule_sets

SHOWN = 4


@dataclass(frozen=True, slots=True)
class ToWatch:
    """A running casual game."""

    slug: str  # of the table
    names: str
    rules_name: str | Promise


def to_watch(players: Collection[int], *, limit: int = SHOWN) -> list[ToWatch]:
    """Return the running games of listed casual tables at which one of the players sits, the latest play first. Two queries.

    A table that is not listed, or is for its seats alone, is nobody else's business. None, without a query, without players.
    """
    if not players:
        return []
    seats = Seating.objects.filter(player__in=players, bot="")
    running = Game.objects.filter(
        table__in=seats.values("table"),
        table__kind=Table.Kind.CASUAL,
        table__state=Table.State.PLAYING,
        table__casual__listed=True,
        table__seated_only=False,
        state=Game.State.PLAYING,
    )
    found = list(running.select_related("table").order_by("-updated_at", "-pk")[:limit])
    names: dict[int, list[str]] = {}
    for seating in Seating.objects.filter(table__in=[game.table_id for game in found], bot="").select_related("player"):
        name = seating.player.display_name if seating.player else seating.guest_name
        names.setdefault(seating.table_id, []).append(name)
    return [
        ToWatch(game.table.slug, ", ".join(names.get(game.table_id, [])), rule_sets.name_of(game.table.rules))
        for game in found
    ]
