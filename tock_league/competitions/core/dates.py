"""Conversion of local times to instants: a league plays at 19:00 local time, in summer and in winter time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


class NoSuchHour(ValueError):
    """A local time that does not exist, because the clock skips it when summer time begins."""


def instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the UTC instant of the wall-clock time `local` (naive) in `zone`; the first one if the hour occurs twice.

    Raises NoSuchHour for a time that the change to summer time skips, ValueError for an aware `local`.
    """
    if local.tzinfo is not None:
        raise ValueError("a wall-clock time has no zone of its own")
    at = local.replace(tzinfo=zone).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) != local:
        raise NoSuchHour(f"{local:%Y-%m-%d %H:%M} does not exist in {zone.key}")
    return at


def every(first: datetime, zone: ZoneInfo, *, count: int, days: int) -> Sequence[datetime]:
    """Return `count` UTC instants at the same local time, `days` apart, the first at `first` (naive, in `zone`)."""
    return tuple(instant(first + timedelta(days=days * index), zone) for index in range(count))
