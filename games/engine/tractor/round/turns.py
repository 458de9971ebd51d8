"""What a play does and what follows automatically: drawing, trumps, talon, tricks, the end of a round and of the game."""

from collections.abc import Callable

from games.engine.tractor import score
from games.engine.tractor.order import Order, order
from games.engine.tractor.plays import SCORING, Cards, Kind, Play, points, size, without
from games.engine.tractor.round.state import BURY, DECK, DRAW, NOBODY, OVER, PLAY, SHOW, Ended, Failed, Position, Trick
from games.engine.tractor.rules import SEATS, WON
from games.engine.tractor.shapes import Shape, of_component, shape
from games.engine.tractor.shows import JOKERS, Show, suit_of, turned, worth
from games.engine.tractor.trick import beaten, lead_strength, strength

_PLAY, _DRAW, _SHOW, _PASS, _BURY = Kind.PLAY, Kind.DRAW, Kind.SHOW, Kind.PASS, Kind.BURY
# Create a Trick without its constructor, which is faster: one is made every four plays.
_trick: Callable[[type[Trick], tuple[int, tuple[Cards, ...], int, int]], Trick] = tuple.__new__
ALL_PASSED = (1 << SEATS) - 1


def apply_in_place(p: Position, play: Play) -> None:
    """Apply a legal play and everything that follows automatically."""
    _, kind, one, two, seat, cards = play
    if kind is _PLAY:
        _lay(p, one, two)
        return
    if kind is _DRAW:
        _draw(p)
        return
    if kind is _SHOW:
        p.show = Show(seat, one, two)
        # Everybody may answer the show, also who has passed; nobody can answer a pair of jokers.
        p.passed = ALL_PASSED if worth(p.rank, one, two) == JOKERS else 0
        _look_at_window(p)
    elif kind is _PASS:
        p.passed |= 1 << seat
        _look_at_window(p)
    elif kind is _BURY:
        p.one[p.turn], p.two[p.turn] = without(one, two, p.one[p.turn], p.two[p.turn])
        p.buried = one, two
        p.talon = ()
        p.phase = PLAY
        p.leader = p.turn
    else:
        p.clear()
        p.talon = cards[-p.rules.talon :]
        p.stock = list(cards[-p.rules.talon - 1 :: -1])
        p.turn = p.drawer
        p.phase = DRAW


def _draw(p: Position) -> None:
    """Give each seat the next card of the stock, beginning with the seat that draws first (T1)."""
    ones, twos, stock, drawer = p.one, p.two, p.stock, p.drawer
    for seat in (drawer, drawer + 1 & 3, drawer + 2 & 3, drawer + 3 & 3):
        bit = 1 << stock.pop()
        if ones[seat] & bit:
            twos[seat] |= bit
        else:
            ones[seat] |= bit
    if not stock:
        p.phase = SHOW
        _look_at_window(p)


def _look_at_window(p: Position) -> None:
    """Close the window for shows when every card is drawn and all four have passed (T3); otherwise set who may act."""
    if p.phase != SHOW:
        return
    if p.passed != ALL_PASSED:
        p.turn = p.waiting()[0]
        return
    if p.show is not None:
        suit = suit_of(p.show)
        if p.declarers == NOBODY:
            p.starter = p.show.seat
            p.declarers = p.starter % 2
    elif p.declarers == NOBODY:
        # Nobody showed in round one: all cards go back and the same seat draws first.
        p.clear()
        p.turn = p.drawer
        p.phase = DECK
        return
    else:
        suit, count = turned(p.rank, p.talon)
        p.turned = p.talon[:count]
    p.suit = -1 if suit is None else suit
    p.order = order(p.rank, suit, keeps_rank=p.rules.no_trump_keeps_rank)
    p.passed = 0
    p.turn = p.starter
    for k in p.talon:
        bit = 1 << k
        p.two[p.turn] |= p.one[p.turn] & bit
        p.one[p.turn] |= bit
    p.phase = BURY


def _lay(p: Position, one: int, two: int) -> None:
    """Lay the cards of the seat to act: a lead, which may be a throw that fails, or a follow."""
    seat, trick, lead = p.turn, p.trick, p.lead
    held: Order = p.order  # type: ignore[assignment]  # trumps are known
    if lead is not None:
        alone = lead.size == 1
        reached = held.strengths[lead.suit][one.bit_length() - 1] if alone else strength(held, lead, one, two)
        if reached > p.strength:
            p.strength, p.best = reached, seat
    else:
        lead = shape(held, one, two)
        assert lead is not None
        if len(lead.parts) > 1:
            lead, one, two = _throw(p, lead, one, two)
        p.lead, p.best, p.strength, p.leader = lead, seat, lead_strength(lead), seat
    ones, twos = p.one, p.two
    hand_two = twos[seat]
    ones[seat] ^= two | one & ~hand_two
    twos[seat] = hand_two & ~one
    trick.append((one, two))
    if len(trick) < SEATS:
        p.turn = seat + 1 & 3
    else:
        _end_trick(p)


def _throw(p: Position, lead: Shape, one: int, two: int) -> tuple[Shape, int, int]:
    """Return the cards that a throw leads: all of them, or the component that is led instead, with the penalty paid
    (T4).
    """
    assert p.order is not None
    seat = p.turn
    part = beaten(p.order, lead, ((p.one[other], p.two[other]) for other in range(SEATS) if other != seat))
    if part is None:
        return lead, one, two
    back = without(part.one, part.two, one, two)
    paid = p.rules.withdrawn * size(*back)
    p.paid[seat % 2] += paid
    p.failed = Failed(seat, (one, two), back, paid)
    return of_component(lead.suit, part), part.one, part.two


def _end_trick(p: Position) -> None:
    """Give the trick to its winner, who leads next; the last trick ends the round."""
    plays, best = p.trick, p.best
    count = 0
    gone_one, gone_two = p.gone
    for one, two in plays:
        if one & SCORING:
            count += points(one, two)
        gone_two |= two | gone_one & one
        gone_one |= one
    p.gone = gone_one, gone_two
    p.captured[best & 1] += count
    p.last = _trick(Trick, (p.leader, tuple(plays), best, count))
    p.trick = []
    p.lead = p.failed = None
    p.turn = p.leader = best
    if not p.one[best]:
        _end_round(p)


def _end_round(p: Position) -> None:
    """Count the round and prepare the next one, or end the game (T7)."""
    assert p.last is not None
    declarers, opponents = p.declarers, 1 - p.declarers
    captured = p.captured[opponents]
    counted = captured
    if p.best % 2 == opponents:
        counted = score.with_talon(p.rules, captured, points(*p.buried), size(*p.last.plays[0]))
    total = counted + p.paid[declarers] - p.paid[opponents]
    settled = score.settle(p.rules, total, p.ranks[declarers], p.ranks[opponents], p.starter)
    trump = p.rank, p.suit
    p.points[opponents] += total
    p.ranks[declarers], p.ranks[opponents] = settled.declarers_rank, settled.opponents_rank
    gains = settled.declarers_gain, settled.opponents_gain
    p.previous = Ended(
        p.round,
        declarers,
        p.starter,
        trump,
        p.buried,
        _by_team(*p.captured),
        counted - captured,
        _by_team(*p.paid),
        total,
        gains if not declarers else gains[::-1],
        _by_team(*p.ranks),
    )
    last = p.last
    p.clear()
    p.last = last
    if WON in p.ranks or p.round == p.rounds:
        p.phase = OVER
        return
    assert settled.starter is not None
    p.round += 1
    p.starter = p.drawer = p.turn = settled.starter
    p.declarers = p.starter % 2
    p.phase = DECK


def _by_team(first: int, second: int) -> tuple[int, int]:
    return first, second


def ranks(p: Position) -> tuple[int, ...] | None:
    """Return a rank per team, 0 best, ties share a rank; None while the game goes on.

    The higher rank wins. After a fixed number of rounds with equal ranks, the team that made more points as opponents
    wins.
    """
    if p.phase != OVER:
        return None
    made = [(p.ranks[team], p.points[team] if p.rounds else 0) for team in (0, 1)]
    return tuple(int(made[1 - team] > made[team]) for team in (0, 1))
