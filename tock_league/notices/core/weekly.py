"""When the digest of the week comes."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _

DAY, HOUR = 0, 8  # Monday at 8, unless the person says otherwise
WEEK = timedelta(days=7)
WRONG_DAY = _("Choose a day of the week.")
WRONG_HOUR = _("Choose a full hour, from 0 to 23.")


def last_before(now: datetime, zone: str, *, day: int, hour: int) -> datetime:
    """Return the last moment up to `now` at which the wall clock of `zone`, an IANA name, shows this day and hour.

    `day`: 0 is Monday. An hour that the clocks skip in spring is taken as the one after it.
    """
    here = now.astimezone(ZoneInfo(zone))
    back = (here.weekday() - day) % 7
    for weeks in (0, 7):
        date = here.date() - timedelta(days=back + weeks)
        at = datetime(date.year, date.month, date.day, hour, tzinfo=ZoneInfo(zone))
        if at <= now:
            return at
    raise AssertionError("a week ago has passed")
