"""What the page "How ratings work" shows beside its text: the numbers of the conditions, and three pictures.

The curves are computed by the code that rates games; nothing of them is drawn by hand.
"""

from collections.abc import Mapping, Sequence
from math import exp

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.services.results import MIN_PLAYS, OWN_SHARE
from ratings.core import clubs, eligibility
from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle
from ratings.core.params import DEFAULT
from ratings.core.score import CAUTION, interval

WIDTH, HEIGHT, FLOOR, TOP = 620, 210, 168, 16
LEFT, RIGHT = 0.0, 50.0  # the strengths at the edges of a picture
POINTS = 120  # of a curve
YEAR = 365
BEFORE = (Estimate(24.0, 3.4), Estimate(28.0, 2.6))  # of a surprise: the weaker one wins
KNOWN = Estimate(27.0, 1.5)  # of an absence


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
    known = Estimate(27.0, 3.0)
    careful = known.mu - CAUTION * known.sigma
    caption = _("A strength with its margin. The rating shown is the lower end, where it almost surely is.")
    parts = [
        _area(known, known.mu - 2 * known.sigma, known.mu + 2 * known.sigma),
        _curve(known, "chart-curve"),
        _mark(known.mu, _("estimate")),
        _mark(careful, _("rating shown")),
        _arrow(known, _("margin (±)")),
    ]
    return _figure(parts, caption)


def _game() -> SafeString:
    won, lost = engine_for(DEFAULT).update([[BEFORE[0]], [BEFORE[1]]], [0, 1], [1, 1])
    caption = _("A surprise: the one on the left wins. Dashed before the game, solid after it.")
    parts = [
        *(_curve(before, "chart-curve chart-before") for before in BEFORE),
        _curve(won[0], "chart-curve chart-won"),
        _curve(lost[0], "chart-curve"),
        _mark(won[0].mu, _("wins"), above=True),
        _mark(lost[0].mu, _("loses"), above=True),
    ]
    return _figure(parts, caption)


def _absence() -> SafeString:
    caption = _("The same player today, after half a year and after a year away: the middle stays, the margin widens.")
    away = [after_idle(KNOWN, days=days, members=1, params=DEFAULT) for days in (YEAR // 2, YEAR)]
    parts = [
        _curve(away[1], "chart-curve chart-before"),
        _curve(away[0], "chart-curve chart-before"),
        _curve(KNOWN, "chart-curve"),
        _mark(KNOWN.mu, _("estimate")),
    ]
    return _figure(parts, caption, left=15.0, right=39.0)


def _x(strength: float) -> float:
    return WIDTH * (strength - LEFT) / (RIGHT - LEFT)


def _y(known: Estimate, strength: float) -> float:
    """Return the height of the density; a curve with a sigma of 1.5 reaches the top."""
    density = exp(-0.5 * ((strength - known.mu) / known.sigma) ** 2) / known.sigma
    return FLOOR - (FLOOR - TOP) * min(1.0, density * 2.2)


def _points(known: Estimate, low: float, high: float) -> str:
    steps = [low + (high - low) * k / POINTS for k in range(POINTS + 1)]
    return " ".join(f"{_x(s):.1f},{_y(known, s):.1f}" for s in steps)


def _curve(known: Estimate, look: str) -> SafeString:
    points = _points(known, known.mu - 4 * known.sigma, known.mu + 4 * known.sigma)
    return format_html('<polyline class="{}" points="{}"/>', look, points)


def _area(known: Estimate, low: float, high: float) -> SafeString:
    points = f"{_x(low):.1f},{FLOOR} {_points(known, low, high)} {_x(high):.1f},{FLOOR}"
    return format_html('<polygon class="chart-band" points="{}"/>', points)


def _mark(strength: float, label: str, *, above: bool = False) -> SafeString:
    x = f"{_x(strength):.1f}"
    return format_html(
        '<line class="chart-grid" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>'
        '<text class="chart-text" x="{0}" y="{3}" text-anchor="middle">{4}</text>',
        x,
        str(TOP + 24 if above else TOP),
        str(FLOOR + 6),
        str(TOP + 14 if above else FLOOR + 28),
        label,
    )


def _arrow(known: Estimate, label: str) -> SafeString:
    low, high = (f"{_x(known.mu + sign * 2 * known.sigma):.1f}" for sign in (-1, 1))
    return format_html(
        '<path class="chart-arrow" d="M{0} {2}H{1}"/>'
        '<text class="chart-text" x="{1}" dx="8" y="{2}" dy=".35em">{3}</text>',
        low,
        high,
        str(FLOOR - 12),
        label,
    )


def _figure(parts: Sequence[SafeString], caption: str, left: float = LEFT, right: float = RIGHT) -> SafeString:
    drawn = format_html_join("", "{}", ((part,) for part in parts))
    return format_html(
        '<figure class="rating-figure"><svg class="chart" viewBox="{} 0 {} {}" aria-hidden="true">'
        '<line class="chart-axis" x1="0" x2="{}" y1="{}" y2="{}"/>{}</svg><figcaption>{}</figcaption></figure>',
        f"{_x(left):.1f}",
        f"{_x(right) - _x(left):.1f}",
        str(HEIGHT),
        str(WIDTH),
        str(FLOOR),
        str(FLOOR),
        drawn,
        caption,
    )
