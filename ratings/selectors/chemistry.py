"""Whether a pair plays better together than its players' ratings say, with the interval in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _

from ratings.core.eligibility import PROVISIONAL_GAMES, PROVISIONAL_SIGMA
from ratings.models import Rating

from .why import signed


@dataclass(frozen=True)
class Chemistry:
    """The difference between a pair and the sum of its players, in points on the scale of one player."""

    middle: int
    half: int  # half width of the 95 % interval; an upper bound, which takes pair and players as independent

    @property
    def low(self) -> int:
        return self.middle - self.half

    @property
    def high(self) -> int:
        return self.middle + self.half

    @property
    def verdict(self) -> str:
        if self.low > 0:
            return _("Stronger together than the players' ratings say.")
        if self.high < 0:
            return _("Weaker together than the players' ratings say.")
        return _("No difference is proven between playing together and the players' own ratings.")

    @property
    def sentence(self) -> str:
        """The verdict with its figures."""
        # Translators: three differences in points, with their signs.
        return _("%(verdict)s Difference: %(middle)s points; in 95 of 100 cases between %(low)s and %(high)s.") % {
            "verdict": self.verdict,
            "middle": signed(self.middle),
            "low": signed(self.low),
            "high": signed(self.high),
        }


def chemistry(team: Rating, size: int, players: Sequence[Rating]) -> Chemistry | None:
    """Return the chemistry of a team of `size`; None while it is provisional or a player has no rating. No query."""
    if team.games < PROVISIONAL_GAMES or team.sigma / sqrt(size) > PROVISIONAL_SIGMA or len(players) != size:
        return None
    middle = (team.mu - sum(row.mu for row in players)) / size
    sigma = sqrt(team.sigma**2 + sum(row.sigma**2 for row in players)) / sqrt(size)
    return Chemistry(round(40 * middle), round(80 * sigma))
