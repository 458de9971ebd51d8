"""The numbers of the evaluation, in points: a marble brought home is about a hundred. Nothing here knows a hidden card.

The weights of marbles and cards are those of the first club player, found by letting variants play each other. Danger, plans
and the partner are a judgement, kept because the whole beat that player in 66 % of 120 duplicate games; learning
every weight from results played worse (docs/bots.md). TWO_TEAMS and MORE_TEAMS turn points into chances.
"""

from dataclasses import dataclass

from games.engine.cards import JOKER


@dataclass(frozen=True, slots=True)
class Weights:
    """`heaven`, `depth`: a marble at home, and more for each place deeper; `hole`: an empty place behind one. `out`: a marble on
    the track; `lap`: more for its way, in all; `near`: its pieu within `reach` spaces; `beside`: a four takes it back over
    its pieu. `protected`: nothing eats it. `danger`: how much of its stake a marble in danger loses, `danger_next` where
    its own seat may save it first. `centre`: a marble there. `stuck`: no marble on the track. `way_out`: a card that
    brings one out then, `spare_out` otherwise. `home_next`, `eats_next`: a card held that does so. `next_burns`,
    `replays`: what a play brings besides. `keep`: holding a card, by rank; `idle`: its part while nothing is on the track."""

    heaven: float = 92.0
    depth: float = 3.0
    hole: float = 7.0
    out: float = 24.0
    lap: float = 46.0
    near: float = 9.0
    reach: int = 12
    beside: float = 12.0
    protected: float = 2.0
    danger: float = 48.0
    danger_next: float = 40.0
    centre: float = 52.0
    stuck: float = 4.0
    way_out: float = 14.0
    spare_out: float = 0.0
    home_next: float = 8.0
    eats_next: float = 8.0
    next_burns: float = 8.0
    replays: float = 14.0
    idle: float = 0.6


KEEP = {
    JOKER: 13.0, "7": 11.0, "J": 8.0, "4": 8.0, "5": 5.5, "K": 5.0, "10": 5.0, "A": 4.5,
    "Q": 3.5, "9": 3.0, "8": 3.0, "6": 3.0, "3": 2.8, "2": 2.6,
}  # fmt: skip
# What a way out is worth more while nothing is on the track; these keep their whole worth then.
STARTER = 7.0

WEIGHTS = Weights()

# (scale, shift): the logarithm of a team's odds after its play is scale * points ahead + shift, which says that the others are
# to play now. Fitted by `python -m games.bots calibrate` on 30 to 160 games of club players at each of twelve tables. With
# two teams no rule set and no size stands apart: of six tables these numbers foretold the other half of the games better
# than a table's own fit in five. With more teams a lead counts for more. Figures: benchmarks/results.md.
TWO_TEAMS = (0.0047, -0.09)
MORE_TEAMS = (0.0078, -0.18)
