"""A calendar as iCalendar text (RFC 5545), in the language that is active."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event, vText

from . import facts, services
from .facts import Fact
from .models import CalendarItem
from .scopes import Scope

DOMAIN = "tock-league"  # of the uids; not the site's address, which may change
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
REFRESH = timedelta(hours=1)
REMIND = timedelta(hours=1)  # before a match of one's own


@dataclass(frozen=True)
class Feed:
    """What a calendar is called, the site's address for its links, and whether it reminds its reader."""

    name: str
    site: str
    reminds: bool = False


def of_scope(feed: Feed, scope: Scope) -> bytes:
    """Return the whole calendar of `scope`. The number of queries does not depend on the number of dates."""
    found = facts.of(scope)
    rows = services.told(found)
    dates = [_date(feed, fact, rows[fact.uid]) for fact in found]
    return _calendar(feed, dates + [_gone(feed, row) for row in services.gone(scope.items)])


def of_match(feed: Feed, fact: Fact) -> bytes:
    """Return the calendar of one match, to be added to somebody's own; a calendar that has it already updates it."""
    return _calendar(feed, [_date(feed, fact, services.told([fact])[fact.uid])])


def one_line(text: str) -> str:
    """Return a name with a space for each control character: none is allowed in a line of a calendar."""
    return CONTROL.sub(" ", text)


def _calendar(feed: Feed, dates: Iterable[Event]) -> bytes:
    made = Calendar()
    made.add("prodid", f"-//Tock League//Calendar//{(get_language() or 'fr')[:2].upper()}")
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    made.add("method", "PUBLISH")
    made.add("name", one_line(feed.name))
    made.add("x-wr-calname", vText(one_line(feed.name)))  # the library takes what it does not know as it is
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for date in dates:
        made.add_component(date)
    return bytes(made.to_ical())


def _date(feed: Feed, fact: Fact, row: CalendarItem) -> Event:
    made = _frame(row, is_cancelled=fact.is_cancelled)
    competition = fact.competition
    if fact.view is None:
        made.add("summary", one_line(competition.name))
        page, line = reverse("competitions:competition", args=[competition.slug]), competition.name
    else:
        made.add("summary", one_line(fact.view.title))
        page = reverse("competitions:match", args=[fact.view.match.slug])
        line = f"{competition.name}, {fact.view.round_name}"
    made.add("description", f"{one_line(line)}\n{feed.site}{page}")
    made.add("url", feed.site + page)
    # On paper people meet somewhere; at a table of the site its page is the place.
    club = competition.club
    made.add("location", one_line(f"{club.name}, {club.town}") if competition.on_paper and club else feed.site + page)
    if feed.reminds and not fact.is_cancelled:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", one_line(fact.view.title if fact.view is not None else competition.name))
        alarm.add("trigger", -REMIND)
        made.add_component(alarm)
    return made


def _gone(feed: Feed, row: CalendarItem) -> Event:
    made = _frame(row, is_cancelled=True)
    sides = " – ".join(str(entry) for entry in row.entries.all())
    made.add("summary", one_line(sides or row.competition.name))
    page = reverse("competitions:competition", args=[row.competition.slug])
    made.add(
        "description",
        "\n".join([one_line(row.competition.name), _("This match does not take place."), feed.site + page]),
    )
    made.add("url", feed.site + page)
    return made


def _frame(row: CalendarItem, *, is_cancelled: bool) -> Event:
    """Return a date with what calendars compare. All times are in UTC, so that no calendar needs our time zones."""
    made = Event()
    made.add("uid", f"{row.uid}@{DOMAIN}")
    # Not the time of this answer: the same calendar is the same bytes, and its ETag stays.
    made.add("dtstamp", row.changed_at)
    made.add("last-modified", row.changed_at)
    made.add("sequence", row.sequence)
    made.add("dtstart", row.starts_at)
    made.add("dtend", row.ends_at)
    made.add("status", "CANCELLED" if is_cancelled else "CONFIRMED")
    made.add("transp", "TRANSPARENT" if is_cancelled else "OPAQUE")
    return made
