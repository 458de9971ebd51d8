"""A calendar as iCalendar text (RFC 5545), in the language that is active."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event, vText

from tock_league.common.canonical import digest

from . import facts, services
from .facts import Fact
from .models import CalendarItem
from .scopes import Scope

DOMAIN = "tock-league"  # of the uids; not the site's address, which may change
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
REVISION = 1  # of how dates are written: a change of the text below needs the next number, for the ETags
REFRESH = timedelta(hours=1)
REMIND = timedelta(hours=1)  # before a match of one's own


@dataclass(frozen=True)
class Feed:
    """What a calendar is called, the site's address for its links, and whether it reminds its reader."""

    name: str
    site: str
    reminds: bool = False


@dataclass(frozen=True)
class Date:
    """All that is written of a match or an event, in the language that is active."""

    uid: str
    sequence: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    is_cancelled: bool
    summary: str
    description: str
    url: str
    location: str = ""
    reminder: str = ""


@dataclass(frozen=True)
class Contents:
    """A calendar before it is written. `etag`: a hash of everything that is written, so that equal ones are equal bytes."""

    feed: Feed
    dates: tuple[Date, ...]
    language: str

    @property
    def etag(self) -> str:
        told = [REVISION, self.language, repr(self.feed), [repr(date) for date in self.dates]]
        return f'"{digest(told)[:32]}"'

    def written(self) -> bytes:
        """Return the calendar as text, the expensive part of an answer."""
        return _calendar(self)


def of_scope(feed: Feed, scope: Scope) -> Contents:
    """Return what the calendar of `scope` holds. The number of queries does not depend on the number of dates."""
    found = facts.of(scope)
    rows = services.told(found)
    dates = [_date(feed, fact, rows[fact.uid]) for fact in found]
    return _contents(feed, dates + [_gone(feed, row) for row in services.gone(scope.items)])


def of_match(feed: Feed, fact: Fact) -> Contents:
    """Return the calendar of one match, to be added to somebody's own; a calendar that has it already updates it."""
    return _contents(feed, [_date(feed, fact, services.told([fact])[fact.uid])])


def _contents(feed: Feed, dates: Iterable[Date]) -> Contents:
    return Contents(feed, tuple(dates), (get_language() or "fr")[:2])


def one_line(text: str) -> str:
    """Return a name with a space for each control character: none is allowed in a line of a calendar."""
    return CONTROL.sub(" ", text)


def _calendar(contents: Contents) -> bytes:
    feed, made = contents.feed, Calendar()
    made.add("prodid", f"-//Tock League//Calendar//{contents.language.upper()}")
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    made.add("method", "PUBLISH")
    made.add("name", one_line(feed.name))
    made.add("x-wr-calname", vText(one_line(feed.name)))  # the library takes what it does not know as it is
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for date in contents.dates:
        made.add_component(_event(date))
    return bytes(made.to_ical())


def _event(date: Date) -> Event:
    """Return a date as calendars read it. All times are in UTC, so that no calendar needs our time zones."""
    made = Event()
    made.add("uid", f"{date.uid}@{DOMAIN}")
    # Not the time of this answer: the same calendar is the same bytes, and its ETag stays.
    made.add("dtstamp", date.changed_at)
    made.add("last-modified", date.changed_at)
    made.add("sequence", date.sequence)
    made.add("dtstart", date.starts_at)
    made.add("dtend", date.ends_at)
    made.add("status", "CANCELLED" if date.is_cancelled else "CONFIRMED")
    made.add("transp", "TRANSPARENT" if date.is_cancelled else "OPAQUE")
    made.add("summary", date.summary)
    made.add("description", date.description)
    made.add("url", date.url)
    if date.location:
        made.add("location", date.location)
    if date.reminder:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", date.reminder)
        alarm.add("trigger", -REMIND)
        made.add_component(alarm)
    return made


def _date(feed: Feed, fact: Fact, row: CalendarItem) -> Date:
    competition, view = fact.competition, fact.view
    if view is None:
        title, line = competition.name, competition.name
        page = reverse("competitions:competition", args=[competition.slug])
    else:
        title, line = view.title, f"{competition.name}, {view.round_name}"
        page = reverse("competitions:match", args=[view.match.slug])
    # For boards people meet somewhere; at a table of the site its page is the place.
    club = competition.club
    on_board = competition.on_paper if view is None else view.match.is_on_board
    place = f"{club.name}, {club.town}" if on_board and club else feed.site + page
    return Date(
        **_numbers(row),
        is_cancelled=fact.is_cancelled,
        summary=one_line(title),
        description=f"{one_line(line)}\n{feed.site}{page}",
        url=feed.site + page,
        location=one_line(place),
        reminder=one_line(title) if feed.reminds and not fact.is_cancelled else "",
    )


def _gone(feed: Feed, row: CalendarItem) -> Date:
    sides = " – ".join(str(entry) for entry in row.entries.all())
    page = reverse("competitions:competition", args=[row.competition.slug])
    return Date(
        **_numbers(row),
        is_cancelled=True,
        summary=one_line(sides or row.competition.name),
        description="\n".join([one_line(row.competition.name), _("This match does not take place."), feed.site + page]),
        url=feed.site + page,
    )


def _numbers(row: CalendarItem) -> dict[str, Any]:
    """Return what calendars compare."""
    return {
        "uid": row.uid,
        "sequence": row.sequence,
        "changed_at": row.changed_at,
        "starts_at": row.starts_at,
        "ends_at": row.ends_at,
    }
