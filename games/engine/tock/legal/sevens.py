"""Cards that are shared among several own marbles: the seven (rulebook section 4)."""

from collections.abc import Callable, Iterator

from games.engine.cards import TEXTS
from games.engine.tock.legal.legs import Mover, Sharing, sharing
from games.engine.tock.plays import After, Kind, Leg, Play
from games.engine.tock.position import Position
from games.engine.tock.rules import Split

_SPLIT, _MOVE, _NOTHING = Kind.SPLIT, Kind.MOVE, After.NOTHING
# Create a Play without its constructor, which is four times as fast: a seven has dozens of plays.
_play: Callable[[type[Play], tuple[str, int, Kind, tuple[Leg, ...], After]], Play] = tuple.__new__


def splits(p: Position, me: int, number: int, held: Sharing) -> list[Play]:
    """Return, for each position that a shared card can reach, the play whose notation sorts first; sorted.

    Source: rulebook section 4, Seven; section 14, points 13 and 14.
    """
    movers = sorted([held.movers[place] for place in p.tracks[me] + p.board.loose[me][p.heaven[me]]])
    if len(movers) == 2 and movers[0].far & movers[1].bit:
        return _two_apart(movers, p.guard | p.heaven[me] << held.low, number, held.steps)
    return _shared(movers, *beginning(p, me, held), number, held)


def _two_apart(movers: list[Mover], guard: int, number: int, steps: int) -> list[Play]:
    """Return the plays of two marbles that cannot affect each other, by far the most frequent case: every division is
    listed, with the marble first whose place sorts first. The legs are sorted by text, so the plays need no sorting.
    """
    one, two = movers
    head = f"{TEXTS[number]} "
    plays = []
    for tail, first, block, _, _, leg in one.upto[steps]:
        if guard & block:
            continue
        if first == steps:
            plays.append(_play(Play, (head + tail, number, _MOVE, leg, _NOTHING)))
            continue
        text = f"{head}{tail} "
        for tail2, _, block2, _, _, leg2 in two.exact[steps - first]:
            if not guard & block2:
                plays.append(_play(Play, (text + tail2, number, _SPLIT, leg + leg2, _NOTHING)))
    for tail, _, block, _, _, leg in two.exact[steps]:
        if not guard & block:
            plays.append(_play(Play, (head + tail, number, _MOVE, leg, _NOTHING)))
    return plays


def _shared(movers: list[Mover], state: int, idle: int, number: int, held: Sharing) -> list[Play]:
    """Return the plays with which some marbles, in the order of their names, share a card.

    Notations are tried in sorted order, so the first one that reaches a position is the one to list. Two legs of
    marbles that cannot affect each other have the same result in either order; only the order that sorts first is
    tried. `idle`: the marbles that have not moved and have not been eaten. `skip`: those that were tried before the
    legs made so far and would give the same result (sleep sets, from partial order reduction).
    """
    plays: list[Play] = []
    reached: set[int] = set()

    def note(after: int, text: str, legs: tuple[Leg, ...]) -> None:
        if after not in reached:
            reached.add(after)
            plays.append(_play(Play, (text, number, _SPLIT if len(legs) > 1 else _MOVE, legs, _NOTHING)))

    def share(state: int, idle: int, left: int, more: int, skip: int, text: str, done: tuple[Leg, ...]) -> None:
        for _, bit, far, _, upto in movers:
            if not idle & bit or skip & bit:
                continue
            for tail, steps, block, keep, put, leg in upto[left]:
                if state & block:
                    continue
                after, rest = state & keep | put, (idle ^ bit) & keep
                if steps == left:
                    note(after, text + tail, done + leg)
                elif rest and more > 2 and rest & rest - 1:
                    share(after, rest, left - steps, more - 1, skip & far, f"{text}{tail} ", done + leg)
                elif rest := rest & ~(skip & far):
                    # Inlined for the last leg, which saves half of all calls.
                    for _, bit2, _, exact, _ in movers:
                        if rest & bit2:
                            for tail2, _, block2, keep2, put2, leg2 in exact[left - steps]:
                                if not after & block2:
                                    note(after & keep2 | put2, f"{text}{tail} {tail2}", done + leg + leg2)
            skip |= bit

    share(state, idle, held.steps, held.legs, 0, f"{TEXTS[number]} ", ())
    return plays


def orders(p: Position, me: int, split: Split) -> Iterator[tuple[str, tuple[Leg, ...], int]]:
    """Yield every valid sequence of legs: its notation without the card, the legs, and a number that is equal for
    sequences that reach the same position. For touched marbles, which bind to one notation among several.
    """
    held = sharing(p.board, split, me)
    state, idle = beginning(p, me, held)
    movers = [mover for mover in held.movers if idle & mover.bit]

    def go(
        state: int, idle: int, left: int, text: str, done: tuple[Leg, ...]
    ) -> Iterator[tuple[str, tuple[Leg, ...], int]]:
        last = len(done) == held.legs - 1
        for mover in movers:
            if idle & mover.bit:
                for leg in (mover.exact if last else mover.upto)[left]:
                    if state & leg.block:
                        continue
                    after, line = state & leg.keep | leg.put, text + leg.tail
                    if leg.steps == left:
                        yield line, done + leg.legs, after
                    else:
                        yield from go(
                            after, (idle ^ mover.bit) & leg.keep, left - leg.steps, f"{line} ", done + leg.legs
                        )

    yield from go(state, idle, held.steps, "", ())


def beginning(p: Position, me: int, held: Sharing) -> tuple[int, int]:
    """Return the state before the first leg, and the bits of the marbles that may move in it."""
    idle = 0
    for place in p.tracks[me] + p.board.loose[me][p.heaven[me]]:
        idle |= held.movers[place].bit
    state = p.guard | p.heaven[me] << held.low | idle
    if held.eats_passed:
        for seat, track in enumerate(p.tracks):
            if seat != me:
                for space in track:
                    state |= held.others[space]
    return state, idle
