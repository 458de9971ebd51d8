"""`{% load people %}`: names in short, and dates and hours in the reader's zone and language."""

import re
from datetime import date, datetime
from typing import Any

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy

from tock_league.accounts import minors
from tock_league.accounts.sessions import owner_mark
from tock_league.common.names import BOT_MARK

register = template.Library()

SMALL_WORDS = frozenset({"de", "d", "du", "des", "la", "le", "l", "les", "of", "the", "et", "and", "&"})


@register.filter
def initials(name: str) -> str:
    """Return up to three letters for a round mark: CTS for Club de tock de Shawinigan, DR for Draveurs."""
    name = name.removesuffix(BOT_MARK)
    words = [word for word in name.replace("’", " ").replace("'", " ").split() if word.lower() not in SMALL_WORDS]
    if not words:
        return name[:2].upper()
    if len(words) == 1:
        return words[0][:2].upper()
    return "".join(word[0] for word in words[:3]).upper()


register.filter("owner_mark", owner_mark)


@register.filter
def called(player: Any) -> str:
    """Return “ (Léa)” for a child whom the staff know by that name, else "". For pages of staff alone.

    Only where the page's query has read `birth` with the player: a page that did not mean to show it does not.
    """
    birth = getattr(player, "_state", None) and player._state.fields_cache.get("birth")
    if not birth or not birth.called or not minors.maybe_below(minors.CHILD_BELOW, birth.year):
        return ""
    return f" ({birth.called})"


# What a browser calls itself, the more special name first: most contain "Safari", and many "Chrome".
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "FxiOS": "Firefox",
    "Firefox": "Firefox",
}
BROWSERS |= {"CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "CrOS": "ChromeOS", "Windows": "Windows"}
SYSTEMS |= {"Mac OS X": "macOS", "Linux": "Linux"}


@register.filter
def device(agent: str) -> str:
    """Return browser and system of a user agent, such as Firefox, Windows; what is told instead where neither is known."""
    names = (next((name for sign, name in known.items() if sign in agent), "") for known in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names)) or agent[:40] or gettext("Unknown device")


FIRST_OF_MONTH = re.compile(r"\b1 (?=[^\W\d])")


def _in_words(at: datetime, form: str, *, title: bool = True) -> str:
    """Return the date, with a capital letter as a title, or in lower case as part of a sentence.

    French writes the first of a month as an ordinal, which no date format can express.
    """
    text = formats.date_format(timezone.localtime(at), form)
    text = capfirst(text) if title else text
    return FIRST_OF_MONTH.sub("1er ", text) if (get_language() or "").startswith("fr") else text


@register.filter
def day(at: datetime | None) -> str:
    """Return the day in short, such as Wed., Nov. 25, in the reader's zone."""
    if at is None:
        return ""
    # Translators: letters of Django's date filter; French "D. j N" gives "mer. 25 nov."
    return _in_words(at, pgettext("short day, letters of Django's date filter", "D, N j"))


@register.filter
def long_day(at: datetime | None) -> str:
    """Return the day in full, such as Wednesday, November 25, 2026, in the reader's zone."""
    if at is None:
        return ""
    # Translators: letters of Django's date filter; French "l j F Y" gives "mercredi 25 novembre 2026"
    return _in_words(at, pgettext("long day, letters of Django's date filter", "l, F j, Y"))


@register.filter
def day_in_text(at: datetime | None) -> str:
    """Return the day in short inside a sentence, such as Wed., Nov. 25, or mer. 25 nov. in French."""
    form = pgettext("short day, letters of Django's date filter", "D, N j")
    return "" if at is None else _in_words(at, form, title=False)


@register.filter
def long_day_in_text(at: datetime | None) -> str:
    """Return the day in full inside a sentence, such as Wednesday, November 25, 2026, or mercredi 25 novembre 2026."""
    form = pgettext("long day, letters of Django's date filter", "l, F j, Y")
    return "" if at is None else _in_words(at, form, title=False)


@register.filter
def span(first: datetime, last: datetime | None) -> str:
    """Return the dates of something that lasts, such as September 2, 2026 – December 9, 2026, or its one day."""
    # Translators: letters of Django's date filter; French "j F Y" gives "25 novembre 2026"
    form = pgettext("day with its year, letters of Django's date filter", "F j, Y")
    days = [_in_words(at, form, title=False) for at in (first, last or first)]
    return days[0] if days[0] == days[1] else " – ".join(days)


@register.filter
def hour(at: datetime | None) -> str:
    """Return the hour, such as 7:30 p.m. or 19 h 30, in the reader's zone."""
    if at is None:
        return ""
    # Translators: letters of Django's date filter; French "G \\h i" (with no-break spaces) gives "19 h 30"
    return _in_words(at, pgettext("hour, letters of Django's date filter", "g:i a"))


@register.filter
def weekday(at: date) -> str:
    """Return the short name of the day of the week over a column of a calendar, such as Wed."""
    # Translators: letters of Django's date filter; French "D\\." gives "mer."
    return formats.date_format(at, pgettext("short weekday, letters of Django's date filter", "D"))


# Time zones with a name of their own in French; others are shown by the letters of the zone's own data.
ZONES = {
    "NST": pgettext_lazy("time zone", "NST"),
    "NDT": pgettext_lazy("time zone", "NDT"),
    "AST": pgettext_lazy("time zone", "AST"),
    "ADT": pgettext_lazy("time zone", "ADT"),
    "EST": pgettext_lazy("time zone", "EST"),
    "EDT": pgettext_lazy("time zone", "EDT"),
    "CST": pgettext_lazy("time zone", "CST"),
    "CDT": pgettext_lazy("time zone", "CDT"),
    "MST": pgettext_lazy("time zone", "MST"),
    "MDT": pgettext_lazy("time zone", "MDT"),
    "PST": pgettext_lazy("time zone", "PST"),
    "PDT": pgettext_lazy("time zone", "PDT"),
}


@register.filter
def zone(at: datetime | None) -> str:
    """Return the short name of the reader's time zone at that instant, such as EST, or HNE in French."""
    short = "" if at is None else timezone.localtime(at).tzname() or ""
    return str(ZONES.get(short, short))


@register.simple_tag
def when(at: datetime | None, unset: str = "") -> SafeString:
    """Return the <time> of a list: day over hour; `unset` when there is no date."""
    if at is None:
        return format_html("<time><b>{}</b></time>", unset)
    return format_html('<time datetime="{}"><b>{}</b>{}</time>', at.isoformat(), day(at), hour(at))
