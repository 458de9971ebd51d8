"""The partitions of PostgreSQL by month, made ahead of time (docs/decisions/0036)."""

import logging
from collections.abc import Sequence

from django.db import OperationalError

from games.models import Game
from games.store import months

log = logging.getLogger(__name__)


def present() -> list[int]:
    """Return the months of the games that are in the present database."""
    return sorted(set(Game.objects.order_by().values_list("month", flat=True).distinct()))


def make(wanted: Sequence[int]) -> list[int]:
    """Make the partitions of these months where they are missing; return those made. None on SQLite."""
    return months.make(wanted) if months.is_partitioned() else []


def keep_ready() -> list[int]:
    """Make the partitions of the coming months; return those made. Daily, and after each migration.

    Without them nothing is refused: rows of a month without a partition lie in the one for all others, and this moves
    them. Where a lock cannot be had at once, the next day will do.
    """
    if not months.is_partitioned():
        return []
    try:
        return months.make(months.missing())
    except OperationalError as error:
        log.warning("partitions of the coming months: %s", str(error).strip().splitlines()[0])
        return []


def drop_empty(before: int) -> list[int]:
    """Drop the partitions of months before `before` that hold no row any more; return those dropped. None on SQLite."""
    if not months.is_partitioned():
        return []
    return months.drop_empty([month for month in months.partitions() if month < before])
