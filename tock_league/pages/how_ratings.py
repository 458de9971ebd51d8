"""What the page "How ratings work" shows beside its text: the numbers of the conditions, and three pictures.

The curves are computed by the code that rates games; nothing of them is drawn by hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.services.results import MIN_PLAYS, OWN_SHARE
from ratings.core import clubs, eligibility
from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle
from ratings.core.params import DEFAULT
from ratings.core.score import CAUTION, interval

WIDTH, HEIGHT, FLOOR, TOP = 620, 210, 168, 34
POINTS = 120  # of a curve
YEAR = 365
SURE = Estimate(27.0, 3.0)  # of the first picture
BEFORE = (Estimate(19.0, 4.2), Estimate(31.0, 3.6))  # of a surprise: the weaker one wins
KNOWN = Estimate(27.0, 1.5)  # of an absence


@dataclass(frozen=True)
class Frame:
    """Which strengths a picture shows, and the smallest uncertainty, whose curve reaches the top."""

    left: float
    right: float
    sigma: float

    def x(self, strength: float) -> float:
        return WIDTH * (strength - self.left) / (self.right - self.left)

    def y(self, known: Estimate, strength: float) -> float:
        density = exp(-0.5 * ((strength - known.mu) / known.sigma) ** 2) / known.sigma
        return FLOOR - (FLOOR - TOP) * density * self.sigma

    def points(self, known: Estimate, low: float, high: float) -> str:
        steps = [low + (high - low) * k / POINTS for k in range(POINTS + 1)]
        return " ".join(f"{self.x(s):.1f},{self.y(known, s):.1f}" for s in steps)

    def curve(self, known: Estimate, look: str = "") -> SafeString:
        points = self.points(known, known.mu - 4 * known.sigma, known.mu + 4 * known.sigma)
        return format_html('<polyline class="chart-curve {}" points="{}"/>', look, points)

    def area(self, known: Estimate) -> SafeString:
        """Return the surface within the margin."""
        low, high = (known.mu + sign * 2 * known.sigma for sign in (-1, 1))
        points = f"{self.x(low):.1f},{FLOOR} {self.points(known, low, high)} {self.x(high):.1f},{FLOOR}"
        return format_html('<polygon class="chart-band" points="{}"/>', points)

    def mark(self, strength: float, label: str, *, above: bool = False) -> SafeString:
        """Return a line at a strength with its label, below the picture or above the curves."""
        return format_html(
            '<line class="chart-grid" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>'
            '<text class="chart-text" x="{0}" y="{3}" text-anchor="middle">{4}</text>',
            f"{self.x(strength):.1f}",
            str(TOP - 6),
            str(FLOOR + 6),
            str(TOP - 12 if above else FLOOR + 28),
            label,
        )

    def margin(self, known: Estimate, label: str) -> SafeString:
        low, high = (f"{self.x(known.mu + sign * 2 * known.sigma):.1f}" for sign in (-1, 1))
        return format_html(
            '<path class="chart-arrow" d="M{0} {2}H{1}"/><text class="chart-text" x="{1}" y="{3}">{4}</text>',
            low,
            high,
            str(FLOOR - 12),
            str(FLOOR - 26),
            label,
        )


def facts() -> dict[str, str]:
    """Return the numbers that the text names."""
    club, everybody = eligibility.CLUB, eligibility.GLOBAL
    return {
        "own": str(round(100 * OWN_SHARE)),
        "plays": str(MIN_PLAYS),
        "club_games": str(club.games),
        "club_opponents": str(club.opponents),
        "club_margin": str(interval(club.sigma)),
        "club_days": str(club.days),
        "all_games": str(everybody.games),
        "all_opponents": str(everybody.opponents),
        "all_margin": str(interval(everybody.sigma)),
        "all_days": str(everybody.days),
        "all_partners": str(everybody.partners),
        "partner_games": str(eligibility.PARTNER_GAMES),
        "best": str(clubs.BEST),
        "least": str(clubs.LEAST),
    }


def figures() -> Mapping[str, Sequence[SafeString]]:
    """Return the pictures by the id of the English heading under which each stands, in the active language."""
    return {
        "a-strength-and-a-margin": [_strength()],
        "a-game-moves-two-curves": [_game()],
        "absence-widens-the-margin": [_absence()],
    }


def _strength() -> SafeString:
    frame = Frame(12.0, 40.0, SURE.sigma)
    caption = _("A strength with its margin. The rating shown is careful: the strength is almost surely above it.")
    parts = [
        frame.area(SURE),
        frame.curve(SURE),
        frame.mark(SURE.mu, _("estimate")),
        frame.mark(SURE.mu - CAUTION * SURE.sigma, _("rating shown")),
        frame.margin(SURE, _("margin (±)")),
    ]
    return _figure(parts, caption)


def _game() -> SafeString:
    won, lost = engine_for(DEFAULT).update([[BEFORE[0]], [BEFORE[1]]], [0, 1], [1, 1])
    frame = Frame(4.0, 46.0, lost[0].sigma)
    caption = _("A surprise: the one on the left wins. Dashed before the game, solid after it.")
    parts = [
        *(frame.curve(before, "chart-before") for before in BEFORE),
        frame.curve(won[0], "chart-won"),
        frame.curve(lost[0]),
        frame.mark(won[0].mu, pgettext("a curve of a picture", "wins"), above=True),
        frame.mark(lost[0].mu, pgettext("a curve of a picture", "loses"), above=True),
    ]
    return _figure(parts, caption)


def _absence() -> SafeString:
    frame = Frame(13.0, 41.0, KNOWN.sigma)
    caption = _("The same player today, after half a year and after a year away: the middle stays, the margin widens.")
    away = [after_idle(KNOWN, days=days, members=1, params=DEFAULT) for days in (YEAR // 2, YEAR)]
    parts = [
        *(frame.curve(known, "chart-before") for known in away),
        frame.curve(KNOWN),
        frame.mark(KNOWN.mu, _("estimate")),
    ]
    return _figure(parts, caption)


def _figure(parts: Sequence[SafeString], caption: str) -> SafeString:
    return format_html(
        '<figure class="rating-figure"><svg class="chart" viewBox="0 0 {0} {1}" aria-hidden="true">'
        '<line class="chart-axis" x1="0" x2="{0}" y1="{2}" y2="{2}"/>{3}</svg><figcaption>{4}</figcaption></figure>',
        str(WIDTH),
        str(HEIGHT),
        str(FLOOR),
        format_html_join("", "{}", ((part,) for part in parts)),
        caption,
    )
