"""Measures of predictions, kept as sums, so that a million games need no more memory than one.

| measure | of one game |
| --- | --- |
| log loss | minus the natural logarithm of the chance that the winner had; a coin gives 0.693 with two teams |
| Brier score | mean over the sides of (chance - outcome) squared; a coin gives 0.25 with two teams |
| calibration | of all sides whose chance was in a tenth (0 to 10 %, 10 to 20 %, ...): mean chance, and share that won |
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt

TENTHS = 10
FEW_GAMES = 1000  # a report of fewer games says that they are too few
FEW_SIDES = 100  # a tenth with fewer sides is not judged
FLOOR = 1e-12  # a smaller chance counts as this one, so that one game cannot make a sum infinite


@dataclass(slots=True)
class Tenth:
    """The sides whose chance was in one tenth."""

    sides: int = 0
    expected: float = 0.0  # sum of the chances
    won: float = 0.0  # sides that finished first; a tie of k sides gives each 1/k

    @property
    def mean_expected(self) -> float:
        return self.expected / self.sides if self.sides else 0.0

    @property
    def share_won(self) -> float:
        return self.won / self.sides if self.sides else 0.0


@dataclass(slots=True)
class Measures:
    """What is known of one method's predictions. Each game is counted from every side in the tenths."""

    games: int = 0
    loss: float = 0.0  # sum
    brier: float = 0.0  # sum
    right: float = 0.0  # games whose winner had the highest chance; a tie of k favourites counts 1/k
    tenths: list[Tenth] = field(default_factory=lambda: [Tenth() for _ in range(TENTHS)])

    def add(self, chances: Sequence[float], ranks: Sequence[int]) -> None:
        """Count one game: per side, its chance to finish first and its rank (0 is best)."""
        firsts = ranks.count(0)
        shares = [1.0 / firsts if rank == 0 else 0.0 for rank in ranks]
        self.games += 1
        self.loss -= sum(s * log(max(FLOOR, p)) for p, s in zip(chances, shares, strict=True) if s)
        self.brier += sum((p - s) ** 2 for p, s in zip(chances, shares, strict=True)) / len(ranks)
        best = max(chances)
        favourites = [i for i, p in enumerate(chances) if p == best]
        self.right += sum(shares[i] for i in favourites) / len(favourites)
        for p, s in zip(chances, shares, strict=True):
            tenth = self.tenths[min(TENTHS - 1, int(p * TENTHS))]
            tenth.sides += 1
            tenth.expected += p
            tenth.won += s

    @property
    def mean_loss(self) -> float:
        return self.loss / self.games if self.games else 0.0

    @property
    def mean_brier(self) -> float:
        return self.brier / self.games if self.games else 0.0

    @property
    def share_right(self) -> float:
        return self.right / self.games if self.games else 0.0

    def worst_tenth(self) -> float | None:
        """Return the largest difference between chance and share won in a tenth with FEW_SIDES or more; None without one."""
        judged = [abs(t.mean_expected - t.share_won) for t in self.tenths if t.sides >= FEW_SIDES]
        return max(judged, default=None)


def margin(share: float, sides: int) -> float:
    """Return the half width of a 95 % interval of a share of so many sides (normal approximation), at most 1.

    In games of two teams the two sides of a game are one observation, in opposite tenths; a tenth other than the middle
    ones holds one side of a game at most.
    """
    return min(1.0, 1.96 * sqrt(max(0.0, share * (1.0 - share)) / sides)) if sides else 1.0
