"""Notice who is at casual tables, and close those whose people have left."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q

from games.models import Seating, Table
from tock_league.common import clock
from tock_league.common.transactions import writing

from ..tables import close
from .room import take_turn

LEFT = timedelta(minutes=15)  # without anybody at a table, after which it closes itself
STEP = timedelta(seconds=30)  # between two writes that somebody is at a seat
AT_ONCE = 100


def note_presence(places: Iterable[tuple[int, int]]) -> None:
    """Write that the people on these seats, (table id, seat), are there; seats of other kinds of tables are ignored."""
    asked = set(places)
    if not asked:
        return
    now = clock.now()
    tables = {table for table, _seat in asked}
    old = Seating.objects.filter(
        Q(seen_at__isnull=True) | Q(seen_at__lt=now - STEP), table__in=tables, table__kind=Table.Kind.CASUAL, bot=""
    )
    due = [seating.pk for seating in old.only("pk", "table_id", "seat") if (seating.table_id, seating.seat) in asked]
    if due:
        with writing():
            Seating.objects.filter(pk__in=due, bot="").update(seen_at=now)


def close_abandoned() -> int:
    """Close the casual tables at which nobody has been for LEFT; return how many. A rated game is left to its clock."""
    since = clock.now() - LEFT
    somebody = Seating.objects.filter(table=OuterRef("pk"), bot="", seen_at__gte=since)
    waiting = Q(state=Table.State.OPEN) | Q(state=Table.State.PLAYING, rated=False)
    found = Table.objects.filter(waiting, kind=Table.Kind.CASUAL, created_at__lt=since).exclude(Exists(somebody))
    count = 0
    for table in found.select_related("casual").order_by("pk")[:AT_ONCE]:
        with writing():
            take_turn(table.casual)
            if found.filter(pk=table.pk).exists():  # nobody has come since
                close(table)
                count += 1
    return count
