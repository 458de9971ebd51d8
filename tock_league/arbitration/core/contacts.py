"""Finds e-mail addresses and telephone numbers in a text that is going to be published."""

import re
import unicodedata
from typing import Final

_EMAIL: Final = re.compile(
    r"[\w.+%'-]+\s?(?:@|\(at\)|\[at\]|\(arobase\)|\[arobase\])\s?[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)
# What may stand between groups of digits: one or two of these.
_GAP: Final = r"[ .()/-]{0,3}"
_PHONES: Final = (
    re.compile(rf"(?<![\w-])(?:\+?1{_GAP})?\(?\d{{3}}\)?{_GAP}\d{{3}}{_GAP}\d{{4}}(?![\w-])"),  # North America
    re.compile(r"(?<!\w)\+\d[\d .()/-]{6,18}\d(?!\w)"),  # with the prefix of a country
    re.compile(r"(?<![\w-])0\d(?:[ .-]?\d{2}){4}(?![\w-])"),  # France and Belgium
    re.compile(r"(?<![\w-])\d{3}-\d{4}(?![\w-])"),  # North America, in the own region
)
_SAME: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))


def email_in(text: str) -> str:
    """Return the first e-mail address in `text`, or ""."""
    found = _EMAIL.search(_plain(text))
    return found.group().strip() if found else ""


def telephone_in(text: str) -> str:
    """Return the first telephone number in `text`, or "". Numbers of cases, plays and years are none."""
    plain = _plain(text)
    found = (match for pattern in _PHONES if (match := pattern.search(plain)))
    first = min(found, key=lambda match: match.start(), default=None)
    return first.group().strip() if first else ""


def _plain(text: str) -> str:
    """Return `text` with one kind of digit, space and hyphen, so that other forms of them hide nothing."""
    return unicodedata.normalize("NFKC", text).translate(_SAME)
