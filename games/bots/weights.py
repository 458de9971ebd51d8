"""The numbers of the evaluation, in points: a marble brought home is about a hundred. They only concern public facts
and the own hand.

The weights of marbles and cards are those of the first club bot, found by letting variants play each other. Danger,
plans and the partner are estimates, kept because the whole beat that bot in 66 % of 120 duplicate games; learning every
weight from results was weaker (docs/bots.md). TWO_TEAMS and MORE_TEAMS turn points into chances.
"""

from dataclasses import dataclass

from games.engine.cards import JOKER


@dataclass(frozen=True, slots=True)
class Weights:
    """Points by which a team's position is evaluated. Weights of cards apply to cards held."""

    heaven: float = 92.0  # a marble at home
    depth: float = 3.0  # more for each place deeper
    hole: float = 7.0  # an empty place behind a marble at home
    out: float = 24.0  # a marble on the track
    lap: float = 46.0  # more for its way so far, in all
    near: float = 9.0  # its pieu is within `reach` spaces
    reach: int = 12
    beside: float = 12.0  # a four takes it back over its pieu
    protected: float = 2.0  # nothing can eat it
    danger: float = 48.0  # the share of its value that a marble in danger loses
    danger_next: float = 40.0  # the same where its own seat may save it first
    centre: float = 52.0  # a marble there
    stuck: float = 4.0  # no marble on the track
    way_out: float = 14.0  # a card that brings a marble out, with none on the track
    spare_out: float = 0.0  # a card that brings a marble out, otherwise
    home_next: float = 8.0  # a card that brings a marble home
    eats_next: float = 8.0  # a card that eats
    next_burns: float = 8.0  # a play that makes the next seat burn
    replays: float = 14.0  # a play that is followed by another one
    idle: float = 0.6  # the share of a held card's value while no marble is on the track


KEEP = {
    JOKER: 13.0, "7": 11.0, "J": 8.0, "4": 8.0, "5": 5.5, "K": 5.0, "10": 5.0, "A": 4.5,
    "Q": 3.5, "9": 3.0, "8": 3.0, "6": 3.0, "3": 2.8, "2": 2.6,
}  # fmt: skip
# What a way out is worth in addition while no marble is on the track; these cards keep their full value then.
STARTER = 7.0

WEIGHTS = Weights()

# (scale, shift): the logarithm of a team's odds after its play is scale * points ahead + shift; the shift is there
# because the others play next. Fitted by `python -m games.bots calibrate` on 30 to 160 games of club bots at each of
# twelve tables. With two teams, rule set and size make no difference: for five of six tables these numbers predicted
# the other half of the games better than a fit to the table itself. With more teams a lead counts for more. Figures:
# benchmarks/results.md.
TWO_TEAMS = (0.0047, -0.09)
MORE_TEAMS = (0.0078, -0.18)
