"""The novice: simple rules, one play ahead, without regard to danger, the partner's needs or the cards kept."""

from collections.abc import Sequence

from games.bots.club import after
from games.bots.knowledge import Roll
from games.engine.cards import RANK
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position

# Points for what a play does; a novice adds them up and is a little careless.
HOME = 60.0
DEEPER = 10.0
OUT = 40.0
EATS = 35.0
EATS_OWN_TEAM = -45.0
PER_SPACE = 0.4
PER_FOES_SPACE = -0.3
LAP_LOST = -20.0
CARELESS = 25
# The cards that a novice prefers to keep when it must burn one or give one away.
DEAR = {"JK": 9.0, "A": 8.0, "K": 8.0, "7": 5.0, "J": 4.0, "4": 3.0}


def choose(p: Position, plays: Sequence[Play], seat: int, roll: Roll) -> int:
    """Return the index in `plays` of the one with most points."""
    before = _standing(p, seat)
    marks = [_mark(p, play, seat, before) + roll(CARELESS) for play in plays]
    return marks.index(max(marks))


def _mark(p: Position, play: Play, seat: int, before: tuple[int, ...]) -> float:
    if play.kind in (Kind.BURN, Kind.GIVE):
        return -3 * DEAR.get(RANK[play.card], 0.0)
    q = after(p, play)
    if q is p:
        return 0.0
    change = [new - old for old, new in zip(before, _standing(q, seat), strict=True)]
    home, own_waiting, others_waiting, way, others_way = change
    mark = home * HOME + PER_SPACE * way + PER_FOES_SPACE * others_way
    if play.kind is Kind.OUT:
        mark += OUT
        own_waiting += 1
    mark += max(0, own_waiting) * EATS_OWN_TEAM + others_waiting * EATS
    if home == 0 and q.heaven != p.heaven:
        mark += DEEPER
    if play.kind is Kind.MOVE and way < -18:
        mark += LAP_LOST
    return mark


def _standing(p: Position, seat: int) -> tuple[int, ...]:
    """Return the number of the team's marbles at home, those in its reserve, in the others', and the spaces that both
    have gone.
    """
    home = waiting = others_waiting = way = others_way = 0
    length = p.board.length
    for owner, track in enumerate(p.tracks):
        gone = sum((space - p.board.starts[owner]) % length for space in track)
        if owner % p.teams == seat % p.teams:
            home += p.heaven[owner].bit_count()
            waiting += p.reserve[owner]
            way += gone
        else:
            others_waiting += p.reserve[owner]
            others_way += gone
    return home, waiting, others_waiting, way, others_way
