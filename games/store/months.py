"""The months by which PostgreSQL partitions the rows of games (docs/decisions/0036). All but `month_of` and `after` is for
partitioned tables only."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.db import connection

from games.models import GameEvent
from tock_league.common import clock

AHEAD = 3  # coming months whose partitions are made in advance
REST = f"{GameEvent._meta.db_table}_rest"  # the partition of all months that have none of their own


def month_of(at: int) -> int:
    """Return the month, in UTC, of an instant in milliseconds since 1970: 202612 is December 2026."""
    day = datetime.fromtimestamp(at / 1000, tz=UTC)
    return day.year * 100 + day.month


def after(month: int, months: int = 1) -> int:
    """Return the month that lies so many months after `month`; negative: before it."""
    count = month // 100 * 12 + month % 100 - 1 + months
    return count // 12 * 100 + count % 12 + 1


def is_partitioned() -> bool:
    """Return whether the present database partitions the rows."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_partitioned_table WHERE partrelid = to_regclass(%s)", [GameEvent._meta.db_table]
        )
        return cursor.fetchone() is not None


def partitions() -> list[int]:
    """Return the months that have a partition of their own, in order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = %s::regclass",
            [GameEvent._meta.db_table],
        )
        names = [name for (name,) in cursor.fetchall()]
    return sorted(int(name.rsplit("_", 1)[1]) for name in names if name != REST)


def missing() -> list[int]:
    """Return the months that should have a partition and have none: the present one, the next AHEAD ones, and those
    whose rows lie in the partition for all others.
    """
    present = month_of(clock.now_ms())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT DISTINCT month FROM {REST}")  # nosec B608: a name of our own
        wanted = {month for (month,) in cursor.fetchall()}
    wanted |= {after(present, ahead) for ahead in range(AHEAD + 1)}
    return sorted(wanted - set(partitions()))


def make(months: Sequence[int]) -> list[int]:
    """Make the partitions of these months where they are missing, each in a transaction of its own; return those made.

    Rows of such a month that lie in the partition for all others move there. A function of the database does this with
    its owner's rights, because the site's own user may change no tables. It waits a second at most for its locks, so that
    plays do not queue behind it. Raises Django's database errors.
    """
    made = []
    for month in months:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tock_event_month(%s)", [month])
            made += [month] if cursor.fetchone()[0] else []
    return made


def drop_empty(months: Sequence[int]) -> list[int]:
    """Drop the partitions of these past months that hold no row any more; return those dropped.

    As in `make`, a function of the database does it, which never drops a row. Raises Django's database errors.
    """
    dropped = []
    for month in sorted(set(months) & set(partitions())):
        with connection.cursor() as cursor:
            cursor.execute("SELECT tock_drop_event_month(%s)", [month])
            dropped += [month] if cursor.fetchone()[0] else []
    return dropped
