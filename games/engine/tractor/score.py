"""What a round is worth: points, talon, ranks, who defends next, the end (rulebook T7)."""

from dataclasses import dataclass

from games.engine.tractor.rules import RANKS, WON, WON_TEXT, TractorRules


@dataclass(frozen=True, slots=True)
class Settled:
    """A round counted. `total`: P of T7. Ranks are indices in RANKS, WON for a team that climbed past the ace.

    `swap`: whether the opponents defend next; `starter`: who starts then; both None when the game is over.
    """

    total: int
    declarers_gain: int
    opponents_gain: int
    declarers_rank: int
    opponents_rank: int
    swap: bool | None
    starter: int | None


def with_talon(rules: TractorRules, captured: int, talon: int, size: int) -> int:
    """Return the opponents' points after a last trick of theirs, `size` cards from each player; `talon`: its points."""
    return captured + rules.talon_factor * size * talon


def settle(rules: TractorRules, total: int, declarers: int, opponents: int, starter: int) -> Settled:
    """Count a round of `total` points. `declarers`, `opponents`: their ranks, indices in RANKS; `starter`: the old one."""
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
