"""What a finding says, in the active language."""

from collections.abc import Mapping

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

FEW = 10_000_000  # a larger number is shown as this one


def sentence(kind: str, figures: Mapping[str, int]) -> str:
    """Return the figures of a finding as a sentence."""
    games = figures["games"]
    if kind == "one_opponent":
        return _("%(against)s of the last %(games)s games were against the same side (%(share)s%%).") % {
            "against": figures["against"],
            "games": games,
            "share": round(100 * figures["against"] / games),
        }
    if kind == "resignations":
        return ngettext(
            "%(early)s of %(games)s game between the same sides was given up early.",
            "%(early)s of %(games)s games between the same sides were given up early.",
            games,
        ) % {"early": figures["early"], "games": games}
    if kind == "one_way":
        return _(
            "%(games)s of the last %(all)s games were between the same two, and one of them won %(won)s: "
            "%(points)s points of rating."
        ) % {"games": games, "all": figures["all"], "won": figures["won"], "points": figures["points"]}
    # Translators: how many of the last games were won, and how many wins the ratings had announced.
    return _("%(won)s won of %(games)s games; %(expected)s were expected.") % {
        "won": figures["won"],
        "games": games,
        "expected": formats.number_format(figures["expected_tenths"] / 10, decimal_pos=1, use_l10n=True),
    }


def surprise(kind: str, once_in: float) -> str:
    """Return how surprising the games are, "" if this is not computed."""
    if once_in < 2:
        return ""
    count = _rounded(once_in)
    if kind == "sudden":
        # Translators: a likelihood ratio, rounded; such as 40,000.
        return _("If the strength has changed, these results are %(count)s times as likely.") % {"count": count}
    # Translators: the rounded inverse of a probability, such as 4,000.
    return _("A result this surprising happens once in %(count)s such runs.") % {"count": count}


def ended(reason: str, rows: int | None) -> str:
    """Return how a game ended; of one given up, after how many rows of its record."""
    if reason != "resigned":
        return pgettext("end of a game", "played") if reason == "played" else ""
    if rows is None:
        return pgettext("end of a game", "given up")
    return _("given up after %(rows)s moves") % {"rows": rows}


def _rounded(value: float) -> str:
    """Return a number with two significant digits."""
    whole = int(min(value, FEW))
    step = 10 ** max(0, len(str(whole)) - 2)
    return str(formats.number_format(whole // step * step, decimal_pos=0, use_l10n=True, force_grouping=True))
