"""Cards that are shared among several own marbles: the seven (rulebook section 4)."""

from collections.abc import Iterator

from games.engine.tock import moves
from games.engine.tock.legal.legs import Mover, Sharing, sharing
from games.engine.tock.legal.sheet import SplitLeg, sheet
from games.engine.tock.plays import Leg
from games.engine.tock.position import Position
from games.engine.tock.rules import Split

# A way of sharing a card: its text without the card, and the legs.
Shared = tuple[str, tuple[Leg, ...]]


def splits(p: Position, me: int, split: Split) -> list[Shared]:
    """Answer, for each position that a shared card can reach, the spelling that sorts first; sorted.

    Source: rulebook section 4, Seven; section 14, points 13 and 14.
    """
    held = sharing(p.board, split, me)
    places, inside = p.tracks[me], p.heaven[me]
    if inside:
        places = places + held.inside[inside]
    state = p.guard | inside << held.low
    if len(places) < 2:
        if not places:
            return []
        return [(leg.tail, leg.legs) for leg in held.movers[places[0]].exact[held.steps] if not state & leg.block]
    if held.eats_passed:
        others = held.others
        for seat, track in enumerate(p.tracks):
            if seat != me:
                for space in track:
                    state |= others[space]
    return _shared(sorted(held.movers[place] for place in places), state, held)


def _shared(movers: list[Mover], state: int, held: Sharing) -> list[Shared]:
    """Answer what two marbles or more, in the order of their names, make of a shared card.

    Spellings are tried in the order of the notation, so the first that reaches a position is the one to list. Two legs of
    marbles that are out of each other's way reach the same in either order: of these only the one that sorts first is
    tried. `idle` are the marbles that have not moved and have not been eaten; `skip`: those whose turn before the legs made
    has been tried already and would have come to the same (the sleep sets of partial order reduction).
    """
    found: list[Shared] = []
    reached: set[int] = set()

    def share(state: int, idle: int, left: int, more: int, skip: int, text: str, done: tuple[Leg, ...]) -> None:
        for _, bit, far, _, upto in movers:
            if not idle & bit or skip & bit:
                continue
            for tail, steps, block, keep, put, leg in upto[left]:
                if state & block:
                    continue
                after, rest = state & keep | put, (idle ^ bit) & keep
                if steps == left:
                    if after not in reached:
                        reached.add(after)
                        found.append((text + tail, done + leg))
                elif rest and more > 2 and rest & rest - 1:
                    share(after, rest, left - steps, more - 1, skip & far, f"{text}{tail} ", done + leg)
                elif rest := rest & ~(skip & far):
                    # The last leg, said here: half of all calls are spared.
                    for _, bit2, _, exact, _ in movers:
                        if rest & bit2:
                            for tail2, _, block2, keep2, put2, leg2 in exact[left - steps]:
                                if not after & block2:
                                    last = after & keep2 | put2
                                    if last not in reached:
                                        reached.add(last)
                                        found.append((f"{text}{tail} {tail2}", done + leg + leg2))
            skip |= bit

    idle = 0
    for mover in movers:
        idle |= mover.bit
    share(state | idle, idle, held.steps, held.legs, 0, "", ())
    return found


def spellings(p: Position, me: int, split: Split) -> Iterator[tuple[str, tuple[Leg, ...], Position]]:
    """Yield every valid sequence of legs: its text without the card, the legs, the position after them (the card still
    in hand). Plain and slow: for touched marbles and for checks of the quick way."""
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


def own_places(p: Position, me: int) -> list[int]:
    return p.tracks[me] + p.board.inside[me][p.heaven[me]]
