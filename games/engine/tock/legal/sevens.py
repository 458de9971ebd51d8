"""Cards that are shared among several own marbles: the seven (rulebook section 4)."""

from collections.abc import Iterator

from games.engine.tock import moves
from games.engine.tock.legal.sheet import SplitLeg, sheet
from games.engine.tock.plays import Leg
from games.engine.tock.position import Position
from games.engine.tock.rules import Split

# A way of sharing a card: its text without the card, and the legs.
Shared = tuple[str, tuple[Leg, ...]]


def splits(p: Position, me: int, split: Split) -> list[Shared]:
    """Answer, for each position that a shared card can reach, the spelling that sorts first."""
    if split.legs != 2 or split.eats_passed:
        return _first_spellings(p, me, split)
    board, held, steps = p.board, sheet(p), split.steps
    legs = held.legs[split][me]
    inside = p.heaven[me]
    state = p.guard | inside << 2 * p.seats
    mine = p.tracks[me]
    if inside:
        mine = mine + board.inside[me][inside]
    if len(mine) == 1:
        return [(leg.tail, (leg.leg,)) for leg in legs[mine[0]][steps - 1] if not state & leg.block]
    for space in p.tracks[me]:
        state |= held.own_bits[space]
    # What can be reached -> tails and legs. A blank sorts before anything in a tail, so tails compare one by one.
    found: dict[int, tuple[str, str, tuple[Leg, ...]]] = {}
    get = found.get
    mine = sorted(mine, key=board.names.__getitem__)
    whole = steps - 1
    for i, a in enumerate(mine):
        first = legs[a]
        for block, keep, put, _, _, tail, leg in first[whole]:
            if not state & block:
                after = state & keep | put
                known = get(after)
                if known is None or tail < known[0]:
                    found[after] = (tail, "", (leg,))
        for b in mine[i + 1 :]:
            second, rest = legs[b], whole
            for ways in first[:whole]:
                rest -= 1
                for block, keep, put, land, end, tail, leg in ways:
                    for block2, keep2, put2, land2, end2, tail2, leg2 in second[rest]:
                        # The order that sorts first; the other one reaches the same unless both legs jump.
                        if not state & block and b != land and b != end:
                            middle = state & keep | put
                            if not middle & block2:
                                after = middle & keep2 | put2
                                known = get(after)
                                if known is None or tail < known[0] or (tail == known[0] and tail2 < known[1]):
                                    found[after] = (tail, tail2, (leg, leg2))
                                if land == end or land2 == end2:
                                    continue
                        if not state & block2 and a != land2 and a != end2:
                            middle = state & keep2 | put2
                            if not middle & block:
                                after = middle & keep | put
                                known = get(after)
                                if known is None or tail2 < known[0] or (tail2 == known[0] and tail < known[1]):
                                    found[after] = (tail2, tail, (leg2, leg))
    return [(f"{tail} {tail2}" if tail2 else tail, pair) for tail, tail2, pair in found.values()]


def spellings(p: Position, me: int, split: Split) -> Iterator[tuple[str, tuple[Leg, ...], Position]]:
    """Yield every valid sequence of legs: its text without the card, the legs, the position after them (the card still
    in hand). Plain and slow: for touched marbles, for checks of the quick way, for cards shared among more than two."""
    legs = sheet(p).legs[split][me]

    def go(q: Position, left: int, done: tuple[SplitLeg, ...]) -> Iterator[tuple[tuple[SplitLeg, ...], Position]]:
        guard = q.guard | q.heaven[me] << 2 * q.seats
        moved = {leg.end for leg in done}
        last = len(done) == split.legs - 1
        for src in own_places(q, me):
            if src in moved:
                continue
            for n in (left,) if last else range(1, left + 1):
                for leg in legs[src][n - 1]:
                    if guard & leg.block:
                        continue
                    after = q.copy()
                    moves.step(after, me, leg.leg.path)
                    if n == left:
                        yield (*done, leg), after
                    else:
                        yield from go(after, left - n, (*done, leg))

    for sequence, after in go(p, split.steps, ()):
        yield " ".join(leg.tail for leg in sequence), tuple(leg.leg for leg in sequence), after


def reached(p: Position) -> tuple[object, ...]:
    """Answer what tells two positions after the legs of one card apart."""
    return p.guard, tuple(p.at), tuple(p.heaven)


def _first_spellings(p: Position, me: int, split: Split) -> list[Shared]:
    """Answer, for each position that can be reached, the spelling that sorts first: the plain way."""
    found: dict[object, Shared] = {}
    for text, legs, after in spellings(p, me, split):
        key = reached(after)
        if key not in found or text < found[key][0]:
            found[key] = (text, legs)
    return list(found.values())


def own_places(p: Position, me: int) -> list[int]:
    return p.tracks[me] + p.board.inside[me][p.heaven[me]]
