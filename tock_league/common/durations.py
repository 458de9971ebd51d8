"""Durations in words."""

from django.utils.translation import gettext, ngettext

MINUTE, HOUR, DAY = 60, 3600, 86_400
EXACT = 10 * MINUTE  # shorter durations also show seconds


def lasting(seconds: float) -> str:
    """Return a duration in words: 45 s, 3 min 40 s, 12 min, 1 h 05, 2 days. Never negative."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return gettext("%(seconds)s s") % {"seconds": whole}
    if whole < EXACT:
        return gettext("%(minutes)s min %(seconds)s s") % {"minutes": whole // MINUTE, "seconds": whole % MINUTE}
    if whole < HOUR:
        return gettext("%(minutes)s min") % {"minutes": whole // MINUTE}
    if whole < DAY:
        # Translators: hours and minutes; minutes have two digits.
        return gettext("%(hours)s h %(minutes)s") % {"hours": whole // HOUR, "minutes": f"{whole % HOUR // MINUTE:02}"}
    days = whole // DAY
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}
