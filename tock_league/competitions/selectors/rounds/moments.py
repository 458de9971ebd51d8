"""Moments in words, in the reader's language and time zone, for texts that services and selectors write."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext


def moment_words(at: datetime) -> str:
    """Return day and hour, such as "Wed., Nov. 25, 7:30 p.m."."""
    local = timezone.localtime(at)
    # Translators: letters of Django's date filter; French "D. j N" gives "mer. 25 nov."
    day = date_format(local, pgettext("short day, letters of Django's date filter", "D, N j"))
    # Translators: letters of Django's date filter; French "G \\h i" (with no-break spaces) gives "19 h 30"
    hour = date_format(local, pgettext("hour, letters of Django's date filter", "g:i a"))
    return f"{day}, {hour}"
