"""The legs of a shared card, computed once: what forbids a leg, what it changes, which marbles can affect each other.

While a card is shared the board is one integer, the **state**, so trying a leg takes three operations: `state & block`
forbids it, `state & keep | put` is the state after it. Its bits, lowest first:

- the guard of board.py (2N bits), then the heaven of the side that plays (4 bits);
- the side's own marbles, one bit per track space;
- if the card eats on the way, the other seats' marbles, one bit per track space. Otherwise the places where own marbles
end tell which others were eaten.
"""

from functools import cache
from typing import NamedTuple

from games.engine.tock.board import MARBLES, Board, Path
from games.engine.tock.plays import Leg
from games.engine.tock.rules import Split


class SharedLeg(NamedTuple):
    """One possible leg of a shared card; see the module for `block`, `keep` and `put`."""

    tail: str  # its notation, without the card
    steps: int
    block: int
    keep: int
    put: int
    legs: tuple[Leg]  # the same leg as a Play holds it


class Mover(NamedTuple):
    """A marble that may take part, for one place."""

    rank: int  # the rank of its place's name in the sorted names
    bit: int  # marks it in a state
    far: int  # bits of the places where another own marble cannot affect it, whatever both do
    exact: tuple[tuple[SharedLeg, ...], ...]  # exact[n]: its legs of n steps, sorted by text
    upto: tuple[tuple[SharedLeg, ...], ...]  # upto[n]: its legs of 1 to n steps, sorted by text


class Sharing:
    """How one seat may share a card on one board.

    `movers`: by place; a marble in the centre or in another seat's heaven has no legs. `others`: by track space, the
    bit of another seat's marble there. `low`: the lowest bit of the heaven.
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
        # Every space that a marble may leave, pass or reach while another marble has at least one step left.
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
    """Return the cached Sharing of a seat."""
    return Sharing(board, split, seat)
