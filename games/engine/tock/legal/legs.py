"""The legs of a shared card, worked out once: what forbids a leg, what it changes, which marbles can hinder each other.

While a card is shared the board is one whole number, the **state**, so that trying a leg is three operations:
`state & block` forbids it, `state & keep | put` is the state after it. Its bits, from the lowest:

- the guard of board.py (2N bits), then the heaven of the side that plays (4 bits);
- the side's own marbles, one bit a track space;
- where the card eats on the way, the other seats' marbles, one bit a track space. Where it does not, the places where own
  marbles end tell which others were eaten.
"""

from functools import cache
from typing import NamedTuple

from games.engine.tock.board import MARBLES, Board, Path
from games.engine.tock.plays import Leg
from games.engine.tock.rules import Split


class SharedLeg(NamedTuple):
    """One possible leg. `tail`: its text; `state & block` forbids it, `state & keep | put` is the state after it."""

    tail: str
    steps: int
    block: int
    keep: int
    put: int
    legs: tuple[Leg]


class Mover(NamedTuple):
    """A marble that may take part, by its place. `rank`: where its name sorts; `bit`: marks it in a state.

    `far`: bits of the places where another own marble is out of its way, whatever both do. `exact[n]`: its legs of n steps;
    `upto[n]`: those of 1 to n steps; both as their texts sort.
    """

    rank: int
    bit: int
    far: int
    exact: tuple[tuple[SharedLeg, ...], ...]
    upto: tuple[tuple[SharedLeg, ...], ...]


class Sharing:
    """How one seat may share a card on one board.

    `movers`: by place, without legs for a place in the centre or in another seat's heaven. `others`: the bit of another
    seat's marble by track space. `low`: the lowest bit of the heaven.
    """

    def __init__(self, board: Board, split: Split, seat: int) -> None:
        self.steps, self.legs, self.eats_passed = split.steps, split.legs, split.eats_passed
        self.low = 2 * board.seats
        self._board = board
        self._seat = seat
        self._first = board.heaven(seat, 0)
        self._own = self.low + MARBLES
        self.others = tuple(1 << self._own + board.length + space for space in range(board.length))
        self.movers = self._movers()

    def _movers(self) -> tuple[Mover, ...]:
        board, steps = self._board, self.steps
        places = [*range(board.length), *range(self._first, self._first + MARBLES)]
        paths = {
            p: [(n, path) for n in range(1, steps + 1) for path in board.forward(self._seat, p, n)] for p in places
        }
        # Every space that a marble may leave, pass over or reach while another one has a step left.
        touched = {p: {p} | {at for n, path in paths[p] if n < steps for at in (path.land, path.end)} for p in places}
        none: tuple[tuple[SharedLeg, ...], ...] = ((),) * (steps + 1)
        movers = [Mover(-1, 0, 0, none, none)] * board.places
        for p in places:
            legs = sorted(self._leg(n, path) for n, path in paths[p])
            movers[p] = Mover(
                rank=board.rank[p],
                bit=self._bit(p),
                far=sum(self._bit(q) for q in places if touched[p].isdisjoint(touched[q])),
                exact=tuple(tuple(leg for leg in legs if leg.steps == n) for n in range(steps + 1)),
                upto=tuple(tuple(leg for leg in legs if leg.steps <= n) for n in range(steps + 1)),
            )
        return tuple(movers)

    def _bit(self, place: int) -> int:
        """Return the bit of an own marble."""
        if place < self._board.length:
            return 1 << self._own + place
        return 1 << self.low + place - self._first

    def _leg(self, steps: int, path: Path) -> SharedLeg:
        if not self.eats_passed:
            path = path._replace(swept=())
        gone = self._bit(path.src) | ~path.keep
        for space in {*path.swept, path.land, path.end}:
            if 0 <= space < self._board.length:
                gone |= self._bit(space)
                if self.eats_passed:
                    gone |= self.others[space]
        names = self._board.names
        tail = f"{names[path.src]}-{names[path.end]}"
        put = self._bit(path.end) | path.cover
        return SharedLeg(tail, steps, path.block, ~gone, put, (Leg(self._seat, path),))


@cache
def sharing(board: Board, split: Split, seat: int) -> Sharing:
    """Return the one Sharing of a seat."""
    return Sharing(board, split, seat)
