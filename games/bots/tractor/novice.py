"""The novice: simple rules. It shows what it can, leads high cards, wins when it can, else plays low; it counts
nothing.
"""

from collections.abc import Sequence

from games.bots.tractor.sight import Roll, Sight
from games.engine.tractor import follow
from games.engine.tractor.order import TRUMP
from games.engine.tractor.plays import Cards, Play, kinds, numbers, points, size
from games.engine.tractor.trick import strength

# How far from its best choice a novice may deviate.
CARELESS = 5


def show(shows: Sequence[str], roll: Roll) -> str:
    """Return one of the shows at random."""
    return shows[roll(len(shows))]


def bury(at: Sight) -> list[int]:
    """Return the eight cards that cost least: low side cards without points."""
    cheap, _, _ = follow.tastes(at.held)
    return sorted(numbers(*at.hand), key=cheap.__getitem__)[: at.rules.talon]


def choose(at: Sight, plays: Sequence[Play], roll: Roll) -> Cards:
    """Return the cards to lead or to follow with, of one of the plays."""
    marks = [(_led(at, play) if at.lead is None else _followed(at, play)) + roll(CARELESS) for play in plays]
    play = plays[marks.index(max(marks))]
    return play.one, play.two


def _height(at: Sight, play: Play) -> int:
    """Return the level of the highest card, trumps above all side cards."""
    return max(at.held.levels[k] + 16 * (at.held.suits[k] == TRUMP) for k in kinds(play.one))


def _led(at: Sight, play: Play) -> int:
    trump = at.held.suits[play.one.bit_length() - 1] == TRUMP
    return _height(at, play) - 16 * trump + 3 * size(play.one, play.two) - 8 * trump


def _followed(at: Sight, play: Play) -> int:
    assert at.lead is not None
    won, best = at.standing
    if won % 2 == at.seat % 2:
        return points(play.one, play.two) - _height(at, play)
    if strength(at.held, at.lead, play.one, play.two) > best:
        return 100 - _height(at, play)
    return -points(play.one, play.two) - _height(at, play)
