"""Why a rating moved as it did: sentences that are true for one game of a history, in the active language."""

from dataclasses import dataclass
from datetime import datetime
from math import sqrt

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.core.score import FACTOR

from .words import number

CORRECTION = "C-"  # begins the name of a correction by organisers, where a ruling has the number of its case
AWAY = 14  # days from which an absence is told of
RESIGNED, ON_TIME, RULED = "resigned", "forfeit_timeouts", "ruling"  # reasons of the log


@dataclass(frozen=True)
class Move:
    """What one game did to a rating, in whole points."""

    difference: int  # of the score
    estimate: int  # of the estimate: the score without the uncertainty
    won: bool
    idle_days: int  # whole days since the game before

    @property
    def margin(self) -> int:
        """What the change of the uncertainty did to the score; together with `estimate` it is the difference."""
        return self.difference - self.estimate


def move_of(*, mu_before: float, mu_after: float, size: int, difference: int, won: bool, idle_days: int) -> Move:
    """Return the move of a change; `size`: members of the subject, `difference`: as the page shows it."""
    return Move(difference, round(FACTOR * (mu_after - mu_before) / size), won, idle_days)


def against_the_result(move: Move) -> str:
    """Return why a win has lowered the score, or a loss has raised it; "" where neither happened."""
    parts = {"estimate": signed(move.estimate), "margin": signed(move.margin)}
    if move.won and move.difference < 0:
        said = _("Lower although won: estimate %(estimate)s, uncertainty %(margin)s.") % parts
        return f"{said} {_widened_by(move.idle_days)}"
    if not move.won and move.difference > 0:
        said = _("Higher although lost: estimate %(estimate)s, uncertainty %(margin)s.") % parts
        expected = _("The loss was expected, and the game narrowed the margin.")
        return f"{said} {expected}"
    return ""


def _widened_by(days: int) -> str:
    if days > 0:
        return ngettext(
            "%(days)d day without a game had widened the margin.",
            "%(days)d days without a game had widened the margin.",
            days,
        ) % {"days": days}
    return _("The win was expected, and each game widens the margin a little.")


def idle(days: int) -> str:
    """Return what an absence of AWAY days or more did; "" for a shorter one."""
    if days < AWAY:
        return ""
    return ngettext(
        "After %(days)d day without a game the estimate was less certain.",
        "After %(days)d days without a game the estimate was less certain.",
        days,
    ) % {"days": days}


def ended_by(reason: str) -> str:
    """Return why a game that was not played to its end is rated; "" for one that was."""
    if reason == RESIGNED:
        return _("One side resigned; a resigned game is rated.")
    if reason == ON_TIME:
        return _("One side ran out of time after enough plays; such a forfeit is rated.")
    return ""


def ruling_of(ref: str) -> str:
    """Return the number of the case by whose ruling a result was changed; "" for a correction by organisers.

    `ref`: RatedResult.ruling, such as "TL-2026-000123/1" for a ruling.
    """
    return "" if ref.startswith(CORRECTION) else ref.partition("/")[0]


def changed_afterwards(revision: int, ruling: str, reason: str) -> str:
    """Return that the game's result was changed after it was rated first; "" for a first revision."""
    if revision <= 1:
        return ""
    if reason != RULED:
        return _("The result was changed and restored; the ratings are those of the first result.")
    if ruling:
        return _("Ruling %(ruling)s changed this result; the rating was computed again from this game on.") % {
            "ruling": ruling
        }
    return _("This result was corrected afterwards; the rating was computed again from this game on.")


def computed_again(day: datetime, ruling: str) -> str:
    """Return that a change of an earlier game moved this row afterwards."""
    values = {"day": formats.date_format(timezone.localtime(day), "j F Y"), "ruling": ruling}
    if ruling:
        # Translators: day, month and year of the computation; the number of a ruling.
        return _("Computed again on %(day)s, when ruling %(ruling)s changed an earlier game.") % values
    return _("Computed again on %(day)s, when an earlier game was corrected.") % values


def between(before: int, after: int) -> str:
    """Return why the score before a game is not the one after the game before: a new season; "" where they agree."""
    if before == after:
        return ""
    return _("A new season had widened the margin before this game: %(before)s → %(after)s.") % {
        "before": number(before),
        "after": number(after),
    }


def signed(points: int) -> str:
    """Return a number with its sign: +12, −3, 0."""
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{number(abs(points))}"


def half_width(sigma: float, size: int) -> int:
    """Return the margin shown beside a score, in whole points; `sigma` of a subject of `size` members."""
    return round(2 * FACTOR * sigma / sqrt(size))
