"""When things happened in the demo league, counted back from the moment it is first loaded."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .programme import PLAYED_ROUNDS

ZONE = "America/Toronto"
EVENING, NIGHT = time(19, 30), time(18, 30)
ROUNDS = 14
DAY, WEEK = timedelta(days=1), timedelta(days=7)
QUARTERS = ("d’hiver", "de printemps", "d’été", "d’automne")
MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dates:
    """First days of the two seasons, and the club nights, in Toronto's dates.

    The last round played was three days before the day of loading; this season began six weeks before it, last season
    ended five weeks before that. One night lies between the seasons, the other a fortnight before the loading.
    """

    last_season: date
    first_night: date
    this_season: date
    second_night: date

    @classmethod
    def at(cls, now: datetime) -> "Dates":
        """Answer the dates for a league that is loaded at `now`."""
        today = now.astimezone(ZoneInfo(ZONE)).date()
        this_season = today - 3 * DAY - (PLAYED_ROUNDS - 1) * WEEK
        last_season = this_season - 5 * WEEK - (ROUNDS - 1) * WEEK
        return cls(last_season, this_season - 2 * WEEK - DAY, this_season, today - 2 * WEEK)

    @property
    def founded(self) -> datetime:
        return instant(self.last_season - 4 * WEEK, EVENING)


def instant(day: date, hour: time) -> datetime:
    """Answer the aware instant of that wall-clock hour in Toronto."""
    return datetime.combine(day, hour, tzinfo=ZoneInfo(ZONE))


def season_name(first: date) -> str:
    """Answer how a season that begins on that day is called: "Saison d’automne 2026"."""
    return f"Saison {QUARTERS[(first.month - 1) // 3]} {first.year}"


def night_name(day: date) -> str:
    """Answer how a club night of that day is called: "Soirée du 7 novembre 2026"."""
    number = "1er" if day.day == 1 else str(day.day)
    return f"Soirée du {number} {MONTHS[day.month - 1]} {day.year}"
