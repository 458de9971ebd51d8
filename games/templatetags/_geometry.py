"""The position of every place of a Tock board in the drawing.

Unit 1 is the distance of two neighbouring spaces, the centre is (0, 0) and y points down. Every seat owns an arm that
points outward; the arm of the own seat points down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import atan2, ceil, cos, degrees, hypot, pi, sin, sqrt, tan

CASES = 18  # spaces of one seat's section
ARM = 2.0  # half the width of an arm: five holes across its outer end
RIM = 1.45  # width of the rim that carries the names
BARE = 0.22  # width of the edge when there is no rim
MARGIN = 0.12  # margin between the edge and the drawing's border
BOWL = (0.0, 2.55)  # the centre's bowl, below the pile of cards
BOWL_RADIUS = 1.55
PILE = -1.6  # the place of the pile above the bowl; without a bowl it is in the middle

Point = tuple[float, float]


@dataclass(frozen=True)
class Geometry:
    """The places of a board of `seats` seats, seen by seat `own`.

    Raises ValueError when `seats` is below 3 or `own` does not exist.
    """

    seats: int
    own: int = 0  # the seat whose arm points down
    length: int = field(init=False)  # spaces of the track
    radius: float = field(init=False)  # from the centre to cases 14 and 18
    corner: float = field(init=False)  # from the centre to case 7, on the line between two arms

    def __post_init__(self) -> None:
        if self.seats < 3:
            raise ValueError("seats: a board has at least 3 seats")
        if not 0 <= self.own < self.seats:
            raise ValueError("own: no such seat")
        half = pi / self.seats
        # Cases 6 and 8 are `gap` from the corner of two arms, so that they are at least 1 apart.
        gap = max(1.0, 0.5 / sin(half))
        object.__setattr__(self, "length", CASES * self.seats)
        object.__setattr__(self, "radius", ARM / tan(half) + gap + 6)
        object.__setattr__(self, "corner", ARM / sin(half) + gap * cos(half) - sqrt(1 - (gap * sin(half)) ** 2))

    @property
    def inner(self) -> float:
        """Return the radius of the playing surface."""
        return hypot(ARM, self.radius) + 0.78

    def half(self, *, rim: bool) -> float:
        """Return half the side of the square drawing, with or without the rim of names."""
        return self.inner + (RIM if rim else BARE) + MARGIN

    def angle(self, seat: float) -> float:
        """Return the degrees, clockwise, between the arm of `seat` and the arm that points down."""
        return 360 * ((seat - self.own) % self.seats) / self.seats

    def turned(self, seat: float, x: float, y: float) -> Point:
        """Return a point given on the arm that points down, turned to the arm of `seat`."""
        t = 2 * pi * ((seat - self.own) % self.seats) / self.seats
        return x * cos(t) - y * sin(t), x * sin(t) + y * cos(t)

    def arch(self, x: float) -> float:
        """Return the distance of the shallow arch that closes an arm, `x` beside its axis."""
        return self.radius + 0.34 * (1 - (x / ARM) ** 2)

    def track(self, space: int) -> Point:
        """Return the position of track space `space`, counted modulo the length of the track."""
        seat, case = divmod(space % self.length, CASES)
        if case == 7:
            return self.turned(seat + 0.5, 0, self.corner)
        if case < 7:
            return self.turned(seat, -ARM, self.radius - case)
        if case <= 14:
            return self.turned(seat + 1, ARM, self.radius - 14 + case)
        x = 16.0 - case
        return self.turned(seat + 1, x, self.arch(x))

    def pieu(self, seat: int) -> int:
        """Return the track space where the way into the heaven of `seat` branches off."""
        return (CASES * seat - 2) % self.length

    def heaven(self, seat: int, k: int) -> Point:
        """Return the position of place `k` (1 to 4) of the heaven of `seat`."""
        return self.turned(seat, 0, self.radius + 0.2 - k)

    def reserve(self, seat: int, k: int) -> Point:
        """Return the position of place `k` (0 to 3) of the reserve tray of `seat`."""
        dx, dy = (-0.56, 0.56)[k % 2], (-0.56, 0.56)[k // 2]
        return self.turned(seat, -ARM - 1.95 + dx, self.radius - 1.2 + dy)

    @staticmethod
    def bowl(count: int) -> list[Point]:
        """Return the positions of `count` marbles in the centre's bowl: a ring, and a smaller one within it for many
        marbles.
        """

        def ring(many: int, radius: float) -> list[Point]:
            turns = [2 * pi * k / many + 0.4 for k in range(many)]
            return (
                [(BOWL[0] - radius * cos(t), BOWL[1] - radius * sin(t)) for t in turns] if many > 1 else [BOWL] * many
            )

        outer = ceil(count * 0.68) if count > 6 else min(count, 5)
        return ring(outer, BOWL_RADIUS - 0.62 if count > 2 else 0.58) + ring(count - outer, 0.4)

    def outward(self, space: int) -> float:
        """Return the direction from the centre to a track space, in degrees."""
        x, y = self.track(space)
        return degrees(atan2(y, x))

    def places(self) -> Iterator[tuple[str, Point]]:
        """Return the position of every place by name: `t12`, heaven `2h1` and reserve `2r0` with the owner's seat
        before it.
        """
        for space in range(self.length):
            yield f"t{space}", self.track(space)
        for seat in range(self.seats):
            for k in range(1, 5):
                yield f"{seat}h{k}", self.heaven(seat, k)
            for k in range(4):
                yield f"{seat}r{k}", self.reserve(seat, k)


def number(value: float) -> str:
    """Return a coordinate as text with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def line(points: list[Point]) -> str:
    """Return the path data of a line through `points`."""
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
