"""When things happened in the demo league, counted back from the moment it is first loaded."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .programme import PLAYED_ROUNDS

ZONE = "America/Toronto"
EVENING, NIGHT, AFTERNOON = time(19, 30), time(18, 30), time(13, 0)
ROUNDS = 14
DAY, WEEK = timedelta(days=1), timedelta(days=7)
MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dates:
    """First days of the two seasons, and the club nights, in Toronto's dates.

    The last round played was on the eve of the loading; this season began six weeks before it, with a round a week, and
    last season, with two rounds a week, ended a fortnight before that. One night lies between the seasons, the other in
    the last week, and two days after it, the day before yesterday, were the groups of the tournament.
    """

    last_season: date
    first_night: date
    this_season: date
    second_night: date
    cup: date
    today: date

    @classmethod
    def at(cls, now: datetime) -> "Dates":
        """Return the dates for a league that is loaded at `now`."""
        today = now.astimezone(ZoneInfo(ZONE)).date()
        this_season = today - DAY - (PLAYED_ROUNDS - 1) * WEEK
        last_season = this_season - 2 * WEEK - (ROUNDS // 2) * WEEK
        return cls(last_season, this_season - WEEK - 3 * DAY, this_season, today - 4 * DAY, today - 2 * DAY, today)

    @property
    def founded(self) -> datetime:
        return instant(self.last_season - 4 * WEEK, EVENING)


def instant(day: date, hour: time) -> datetime:
    """Return the aware instant of that wall-clock hour in Toronto."""
    return datetime.combine(day, hour, tzinfo=ZoneInfo(ZONE))


def season_name(first: date) -> str:
    """Return how a season that begins on that day is called: "Saison d’octobre 2026"."""
    month = MONTHS[first.month - 1]
    return f"Saison {'d’' if month[0] in 'ao' else 'de '}{month} {first.year}"


def rounds(first: date, *, a_week: int) -> list[datetime]:
    """Return the instants of a season's rounds from its first day on: one or two a week, three days between the two."""
    days = [first + index // a_week * WEEK + index % a_week * 3 * DAY for index in range(ROUNDS)]
    return [instant(day, EVENING) for day in days]


def night_name(day: date) -> str:
    """Return how a club night of that day is called: "Soirée du 7 novembre 2026"."""
    number = "1er" if day.day == 1 else str(day.day)
    return f"Soirée du {number} {MONTHS[day.month - 1]} {day.year}"
