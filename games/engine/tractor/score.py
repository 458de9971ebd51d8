"""The count of a round: points, talon, ranks, the next declarers, the end of the game (rulebook T7)."""

from dataclasses import dataclass

from games.engine.tractor.rules import RANKS, WON, WON_TEXT, TractorRules


@dataclass(frozen=True, slots=True)
class Settled:
    """A counted round. Ranks are indices in RANKS, WON for a team that climbed past the ace."""

    total: int  # P of T7
    declarers_gain: int
    opponents_gain: int
    declarers_rank: int
    opponents_rank: int
    swap: bool | None  # whether the opponents become declarers; None when the game is over
    starter: int | None  # the next starter; None when the game is over


def with_talon(rules: TractorRules, captured: int, talon: int, size: int) -> int:
    """Return the opponents' points after they won the last trick with `size` cards from each player; `talon`: its
    points.
    """
    return captured + rules.talon_factor * size * talon


def settle(rules: TractorRules, total: int, declarers: int, opponents: int, starter: int) -> Settled:
    """Count a round of `total` points. `declarers`, `opponents`: their ranks, indices in RANKS; `starter`: the current
    one.
    """
    swap = total > rules.bands[-1].points
    gain = next((band.declarers for band in rules.bands if total <= band.points), 0)
    opponents_gain = 1 + (total - rules.neutral - 1) // rules.step if total > rules.neutral else 0
    declarers, opponents = min(declarers + gain, WON), min(opponents + opponents_gain, WON)
    if WON in (declarers, opponents):
        return Settled(total, gain, opponents_gain, declarers, opponents, None, None)
    following = (starter + (1 if swap else 2)) % 4
    return Settled(total, gain, opponents_gain, declarers, opponents, swap, following)


def rank_text(rank: int) -> str:
    """Return a rank as text, `won` beyond the ace."""
    return RANKS[rank] if rank < WON else WON_TEXT
