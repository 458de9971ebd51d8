"""Whose turn it is while they are not at their table: they are told by a push (tock_league.notices).

Here is whoever has an open page of the table, in front or not: a page that is not in front says itself that it is the own
turn (static/live/away.js). Nothing is added to the transaction of a play: a task looks every ten seconds.
"""

from datetime import timedelta

from django.core.cache import cache
from django.db.models import F
from django.urls import reverse

from games.models import Game, Seating, Table
from tock_league.common import clock
from tock_league.notices.services import tell

KIND = "your_turn"
WAITS = timedelta(seconds=15)  # who plays at once needs no call
LATE = timedelta(minutes=10)  # what has waited longer is an abandoned table
HERE_S = 30  # for how long a page is taken to be open after it was seen


def mark_here(table_id: int, player_id: int) -> None:
    """Keep in the shared cache that this player has a page of the table open."""
    cache.set(_key(table_id, player_id), True, timeout=HERE_S)


def is_here(table_id: int, player_id: int) -> bool:
    """Return whether the player has had a page of the table open within HERE_S."""
    return bool(cache.get(_key(table_id, player_id)))


def call_away() -> int:
    """Tell everybody whose turn it has been for WAITS, and who is not at the table, that it is their turn; return how many.

    Matches and casual tables only; people with a device for pushes only. A turn is told once. One query where nobody waits.
    """
    now, count = clock.now(), 0
    waiting = Seating.objects.filter(
        seat=F("table__games__turn"),
        bot="",
        player__push_devices__isnull=False,
        table__games__state=Game.State.PLAYING,
        table__games__frozen=False,
        table__games__updated_at__lte=now - WAITS,
        table__games__updated_at__gt=now - LATE,
    ).exclude(table__kind=Table.Kind.PRACTICE)
    rows = waiting.values_list("player", "table", "table__slug", "table__games__slug", "table__games__decision")
    for player, table_id, table, game, decision in rows.distinct():
        if not is_here(table_id, player):
            count += tell(
                [player],
                KIND,
                f"{game}:{decision}",
                address=reverse("games:table", args=[table]),
                useless_at=now + LATE,
                table=table,
            )
    return count


def _key(table_id: int, player_id: int) -> str:
    return f"here:{table_id}:{player_id}"
