"""Candidates: some of the legal plays, for bots and for a seat whose time has run out.

Shows, passes and single cards are complete. Burying and follows of several cards are a choice from millions; throws are
not listed at all. `judge` decides whether any other play is allowed.
"""

from collections.abc import Sequence
from operator import itemgetter

from games.engine.tractor import follow
from games.engine.tractor.order import TRUMP
from games.engine.tractor.plays import PASSES, Cards, Play, bury, kinds, numbers, pairs, play, show, singles
from games.engine.tractor.round.judge import acting
from games.engine.tractor.round.state import BURY, DRAW, PLAY, Position
from games.engine.tractor.shapes import run_of, windows
from games.engine.tractor.shows import possible

_line = itemgetter(0)


def listed(p: Position, seat: int | None = None) -> Sequence[Play]:
    """Return candidates of the seat to act (or of `seat`), sorted by their line; at least one where a seat must choose.

    While cards are drawn no seat must choose: without `seat` the result is then empty.
    """
    if p.phase == PLAY and (seat is None or seat == p.turn):
        lead, held, turn = p.lead, p.order, p.turn
        assert held is not None
        if lead is None:
            return _leads(p)
        one = p.one[turn]
        if lead.size == 1:
            return singles(one & held.masks[lead.suit] or one)
        two = p.two[turn]
        if lead.size == 2 and lead.pairs and (owed := two & held.masks[lead.suit]):
            return pairs(owed)
        found = follow.options(held, lead, (one, two), tractor_duty=p.rules.tractor_duty)
        return sorted(play(*cards) for cards in found)
    if seat is None:
        if p.phase == DRAW:
            return []
        seat = p.turn
    if not acting(p, seat):
        return []
    if p.phase == BURY:
        return _buries(p)
    speaks = [] if p.passed >> seat & 1 else [PASSES[seat]]
    return speaks + [show(seat, *cards) for cards in possible(p.rank, p.show, seat, (p.one[seat], p.two[seat]))]


def _leads(p: Position) -> Sequence[Play]:
    """Return every single, pair and tractor that may be led."""
    seat, held = p.turn, p.order
    assert held is not None
    two = p.two[seat]
    if not two:
        return singles(p.one[seat])
    plays = [*singles(p.one[seat]), *pairs(two)]
    for mask in held.masks:
        mine = two & mask
        if mine & mine - 1:
            ladder = held.ladder(mine)
            length = 2
            while lows := windows(ladder, length):
                for low in kinds(lows):
                    run = run_of(held, mine, low, length)
                    plays.append(play(run, run))
                length += 1
    plays.sort(key=_line)
    return plays


def _buries(p: Position) -> list[Play]:
    """Return a few ways to bury: the cards that cost least, the cheapest with most points, and those that empty a side
    suit.
    """
    held, seat, many = p.order, p.turn, p.rules.talon
    assert held is not None
    cheap, rich, _ = follow.tastes(held)
    cards = sorted(numbers(p.one[seat], p.two[seat]), key=cheap.__getitem__)
    found = {_first(cards, many), _first(sorted(cards, key=rich.__getitem__), many)}
    for suit in range(TRUMP):
        first = [k for k in cards if held.suits[k] == suit]
        if 0 < len(first) <= many:
            found.add(_first(first + [k for k in cards if held.suits[k] != suit], many))
    return sorted(bury(*laid) for laid in found)


def _first(cards: list[int], many: int) -> Cards:
    """Return the first `count` cards as masks."""
    one = two = 0
    for k in cards[:many]:
        two |= one & 1 << k
        one |= 1 << k
    return one, two
