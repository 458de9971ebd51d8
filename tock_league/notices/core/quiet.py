"""Quiet hours: when a mail or a push that is ready waits for the morning."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

BEGINS, ENDS = 22, 8  # unless the person says otherwise: full hours in the person's zone


def over_at(now: datetime, zone: str, *, begins: int = BEGINS, ends: int = ENDS) -> datetime:
    """Return when something that is ready `now` may be sent: `now`, or the end of the quiet hours that it lies in.

    `now`: aware. `begins`, `ends`: full hours, 0 to 23, of the wall clock in `zone`, an IANA name; the same hour twice means
    that no hour is quiet. The end is the wall clock's, also on a day on which the clocks change.
    """
    here = now.astimezone(ZoneInfo(zone))
    if not _is_quiet(here.hour, begins, ends):
        return now
    day = here.date() + timedelta(days=1 if here.hour >= ends else 0)
    return datetime.combine(day, time(ends), ZoneInfo(zone)).astimezone(now.tzinfo)


def _is_quiet(hour: int, begins: int, ends: int) -> bool:
    if begins <= ends:
        return begins <= hour < ends
    return hour >= begins or hour < ends
