"""Texts about ratings: missing conditions, names of ladders, figures; in the active language."""

from collections.abc import Iterable
from datetime import datetime
from math import ceil

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import registry
from games.selectors import rule_sets
from ratings.core.eligibility import PARTNER_GAMES, Gap


def ladder_name(family: str, teams: int) -> str:
    """Return a ladder's name, such as "Shawinigan, 2 teams"."""
    name = rule_sets.ladder_name(family)
    # Translators: the name of a ladder (list of ratings): the rules' name and how many teams play against each other.
    return ngettext("%(name)s, %(count)d team", "%(name)s, %(count)d teams", teams) % {"name": name, "count": teams}


def of_pairs(family: str, teams: int) -> bool:
    """Return whether every team of the ladder is a pair; otherwise pages say "teams"."""
    sizes = {
        seats // teams
        for rules in map(registry.rules, registry.ids())
        if rules.id.partition("/")[0] == family
        for seats, played in rules.teams.items()
        if teams in played
    }
    return max(sizes, default=2) == 2


def number(value: int) -> str:
    """Return a whole number with the language's grouping: 1 214 or 1,214."""
    return str(formats.number_format(value, decimal_pos=0, use_l10n=True, force_grouping=True))


def gap_sentence(gaps: Iterable[Gap]) -> str:
    """Return what is missing for a place on a board, such as "6 more rated games, 2 more opponents"; "" for nothing."""
    return ", ".join(_gap(gap) for gap in gaps)


def _gap(gap: Gap) -> str:
    if gap.code == "games":
        return ngettext("%(count)d more rated game", "%(count)d more rated games", gap.missing) % {"count": gap.missing}
    if gap.code == "opponents":
        # Translators: opponents are opposing teams met in rated games.
        return ngettext("%(count)d more opponent", "%(count)d more opponents", gap.missing) % {"count": gap.missing}
    if gap.code == "partners":
        # Translators: partners are team mates with whom at least "games" rated games were played.
        return ngettext(
            "%(count)d more partner with %(games)d games together",
            "%(count)d more partners with %(games)d games together",
            gap.missing,
        ) % {"count": gap.missing, "games": PARTNER_GAMES}
    if gap.code == "uncertainty":
        limit = round(80 * gap.limit)
        # Translators: both figures are half widths of the interval around a rating, in points.
        sentence = _("a margin of ± %(limit)s at most (now ± %(now)s)") % {
            "limit": number(limit),
            "now": _over(80 * gap.now, limit),
        }
        return sentence.replace("± ", "±\u00a0")
    return ngettext(
        "a rated game in the last %(count)d day", "a rated game in the last %(count)d days", int(gap.limit)
    ) % {"count": int(gap.limit)}


def _over(value: float, limit: int) -> str:
    """Return `value` in whole points; with one decimal, rounded up, if it would otherwise look equal to the limit."""
    if round(value) > limit:
        return number(round(value))
    return str(formats.number_format(ceil(value * 10) / 10, decimal_pos=1, use_l10n=True))


def until_sentence(until: datetime | None) -> str:
    """Return the day before which a rated game keeps the place, such as "play before 14 May"; "" without a place."""
    if until is None:
        return ""
    # Translators: day and month; the player keeps the place on the board by playing a rated game before that day.
    return _("play before %(day)s") % {"day": formats.date_format(timezone.localtime(until), "j F")}


def difference(points: int) -> str:
    """Return a change in words for screen readers: "up 14", "down 3", "unchanged"."""
    if points > 0:
        return pgettext("rating", "up %(points)s") % {"points": number(points)}
    if points < 0:
        return pgettext("rating", "down %(points)s") % {"points": number(-points)}
    return pgettext("rating", "unchanged")


def no_games() -> str:
    """Return what a dash in the place of a change means."""
    return _("no rated game in this time")
