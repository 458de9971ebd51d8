"""The geometry of the board: spaces, starts, pieux, heavens, and the path of every move (rulebook sections 1, 4 and 5).

A **place** is a number: `0..L-1` is the track, `L + 4 i + k` is heaven `h(k+1)` of seat i, RESERVE is the reserve. On a
board with a centre `L + 4 N + j` is the centre for a marble that came from the j-th case 7, `x(18 j + 7)`. The
**guard** is a bit set of everything that can stop a marble. A path is free when `guard & path.block == 0`. Its bits:

- bit i: seat i's marble on its own start is fresh;
- bit N + j: the j-th case 8 (clockwise from `t0`) is occupied on a board with shelters;
- bit 2N + k: heaven `h(k+1)` of the moving marble's owner is occupied (the caller adds it, seat by seat).
"""

from functools import cache
from typing import NamedTuple

SECTION = 18
MARBLES = 4
RESERVE = -1
FULL = 0b1111  # a heaven that holds all four marbles


def steps_home(seats: int) -> int:
    """Return the steps of a seat whose four marbles are home: see `steps_of`."""
    return sum(steps_of(f"h{k}", 0, seats) for k in range(1, MARBLES + 1))


def steps_of(place: str, seat: int, seats: int) -> int:
    """Return how far a marble of `seat` has come: 0 in the reserve, 1 on its own start, one more for each space clockwise.

    Two spaces before the start, the pieu, the way home branches off: h1 is one step further. A marble in the centre
    counts as on the case 7 that it came from.
    """
    length = SECTION * seats
    if place == "r":
        return 0
    number = int(place[1:])
    if place[0] == "h":
        return length - 1 + number
    return (number - SECTION * seat) % length + 1


class Path(NamedTuple):
    """One way to move one marble with one card.

    The guard after the move is `guard & keep | cover`.
    """

    src: int  # the place it leaves
    land: int  # the track space where it arrives, -1 in a heaven or the centre
    end: int  # the place where it stays, which differs from `land` after a jump
    swept: tuple[int, ...]  # the track spaces passed over, in order, that a sweeping card clears
    block: int  # guard bits that forbid the move
    keep: int
    cover: int
    left: int  # heaven bit that it leaves, or 0
    entered: int  # heaven bit that it enters, or 0


class Board:
    """A board of `seats` sections. `jumps`: a case 7 sends to the opposite one. `shelters`: a case 8 protects.
    `centre`: there is a neutral place in the middle, between the cases 7."""

    def __init__(self, seats: int, *, jumps: bool, shelters: bool, centre: bool = False) -> None:
        self.seats = seats
        self.jumps = jumps
        self.shelters = shelters
        self.length = length = SECTION * seats
        self.sevens = tuple(SECTION * i + 7 for i in range(seats)) if centre else ()
        self.middle = length + MARBLES * seats  # the first place of the centre
        self.places = self.middle + len(self.sevens)
        self.following = (*range(1, seats), 0)
        self.starts = tuple(SECTION * i for i in range(seats))
        self.pieux = tuple((start - 2) % length for start in self.starts)
        # The extra last entry is for RESERVE, index -1.
        self.names = (
            *(f"t{p}" for p in range(length)),
            *(f"h{k}" for _ in range(seats) for k in range(1, MARBLES + 1)),
            *(f"x{p}" for p in self.sevens),
            "r",
        )
        self._common = {name: p for p, name in enumerate(self.names) if name[0] in "tx"} | {"r": RESERVE}
        # The guard bit that a marble sets by arriving on a track space, and the guard bits that can protect a marble
        # there.
        self.cover = tuple(1 << (seats + p // SECTION) if shelters and p % SECTION == 8 else 0 for p in range(length))
        self.shield = tuple(self.cover[p] | (1 << p // SECTION if p % SECTION == 0 else 0) for p in range(length))

        # inside[i][mask]: the places of seat i's marbles in a heaven whose occupied places are `mask`.
        self.inside = tuple(
            tuple([self.heaven(seat, k) for k in range(MARBLES) if mask >> k & 1] for mask in range(FULL + 1))
            for seat in range(seats)
        )
        # Those that can still move: marbles packed at the end of a heaven never move again.
        self.loose = tuple(
            tuple(
                [self.heaven(seat, k) for k in range(MARBLES) if mask >> k & 1 and mask >> k != FULL >> k]
                for mask in range(FULL + 1)
            )
            for seat in range(seats)
        )
        # The index of a place's name in the sorted list of names.
        order = sorted(range(self.places), key=self.names.__getitem__)
        self.rank = tuple(order.index(place) for place in range(self.places))

    def case(self, space: int) -> int:
        """Return the case number 1..18 of a track space."""
        return space % SECTION or SECTION

    def opposite(self, space: int) -> int:
        """Return the track space across the board."""
        return (space + self.length // 2) % self.length

    def heaven(self, seat: int, k: int) -> int:
        """Return the place of `h(k+1)` of a seat; k is 0..3."""
        return self.length + MARBLES * seat + k

    def owner(self, place: int) -> int:
        """Return the seat that owns a heaven place."""
        return (place - self.length) // MARBLES

    def place(self, name: str, seat: int) -> int | None:
        """Return the place that a name means for a marble of `seat`, or None when there is no such place."""
        if name in self._common:
            return self._common[name]
        if len(name) == 2 and name[0] == "h" and name[1] in "1234":
            return self.heaven(seat, int(name[1]) - 1)
        return None

    def followed_name(self, place: int) -> str:
        """Return the name of a marble's place together with its owner where the place alone does not tell: `t12`,
        `2h1`.
        """
        name = self.names[place]
        return f"{self.owner(place)}{name}" if name[0] == "h" else name

    def _landing(self, space: int) -> tuple[int, int]:
        """Return where a marble that arrives on a track space stays (after a jump), and the guard bit that forbids
        arriving.
        """
        end = self.opposite(space) if self.jumps and self.case(space) == 7 else space
        return end, self.cover[space]

    def _fresh_bits(self, spaces: tuple[int, ...]) -> int:
        return sum(1 << p // SECTION for p in spaces if p % SECTION == 0)

    def forward(self, owner: int, src: int, steps: int, *, over_fresh: bool = False) -> tuple[Path, ...]:
        """Return the ways for a marble of `owner` to go forward: into its heaven first, then along the track.

        `over_fresh`: fresh marbles block only the space where the marble arrives. Source: rulebook section 4, Forward
        and Blocks.
        """
        length, low = self.length, 2 * self.seats
        if src >= length:
            k = (src - length) % MARBLES
            if k + steps >= MARBLES:
                return ()
            need = sum(1 << (low + i) for i in range(k + 1, k + steps + 1))
            return (Path(src, -1, src + steps, (), need, -1, 0, 1 << k, 1 << (k + steps)),)
        route = tuple((src + i) % length for i in range(1, steps + 1))
        ways = []
        inside = steps - (self.pieux[owner] - src) % length
        if 1 <= inside <= MARBLES:
            outside = route[: steps - inside]
            need = sum(1 << (low + i) for i in range(inside))
            block = need if over_fresh else need | self._fresh_bits(outside)
            end, keep = self.heaven(owner, inside - 1), ~self.shield[src]
            ways.append(Path(src, -1, end, self._exposed(outside), block, keep, 0, 0, 1 << (inside - 1)))
        ways.append(self._along(src, route, over_fresh=over_fresh))
        return tuple(ways)

    def back(self, src: int, steps: int) -> tuple[Path, ...]:
        """Return the only way back along the track; none from a heaven. Source: rulebook section 4, Back."""
        if src >= self.length:
            return ()
        return (self._along(src, tuple((src - i) % self.length for i in range(1, steps + 1))),)

    def crossings(self, src: int) -> tuple[Path, ...]:
        """Return the ways from a case 7 into the centre, and from the centre to every case 7 except the one where the
        marble came from; none from any other place. Source: rulebook section 4, Centre.
        """
        if src in self.sevens:
            return (Path(src, -1, self.middle + self.sevens.index(src), (), 0, -1, 0, 0, 0),)
        if src < self.middle:
            return ()
        came = self.sevens[src - self.middle]
        return tuple(Path(src, p, p, (), 0, -1, 0, 0, 0) for p in self.sevens if p != came)

    def _along(self, src: int, route: tuple[int, ...], *, over_fresh: bool = False) -> Path:
        land = route[-1]
        end, shelter = self._landing(land)
        block = shelter | self._fresh_bits(route[-1:] if over_fresh else route)
        return Path(src, land, end, self._exposed(route[:-1]), block, ~self.shield[src], self.cover[end], 0, 0)

    def _exposed(self, route: tuple[int, ...]) -> tuple[int, ...]:
        """Return the spaces of a route that have no shelter, so that a sweep clears them."""
        return tuple(p for p in route if not self.cover[p])


@cache
def board(seats: int, jumps: bool, shelters: bool, centre: bool = False) -> Board:
    """Return the cached Board of this shape."""
    return Board(seats, jumps=jumps, shelters=shelters, centre=centre)
