"""Sections 1, 4 and 5: a table with marbles that move one step at a time."""

from __future__ import annotations

from typing import Any

HOME = {1, 2, 3, 4}


class Blocked(Exception):
    """A marble cannot go there."""


class Table:
    """`track`: space -> seat. `heaven`: seat -> numbers 1..4. `reserve`: seat -> count. `centre`: (seat, case 7 it came
    from). `fresh`: seats. `special`: whether cases 7 and 8 have the meaning of section 5."""

    def __init__(self, position: dict[str, Any], *, special: bool) -> None:
        self.seats: int = position["seats"]
        self.length = 18 * self.seats
        self.special = special
        self.track: dict[int, int] = {}
        self.heaven: dict[int, set[int]] = {seat: set() for seat in range(self.seats)}
        self.reserve = dict.fromkeys(range(self.seats), 0)
        self.centre: list[tuple[int, int]] = []
        self.fresh: set[int] = set(position["fresh"])
        for seat, places in enumerate(position["marbles"]):
            for place in places:
                self._put(seat, place)

    def _put(self, seat: int, place: str) -> None:
        if place == "r":
            self.reserve[seat] += 1
        elif place[0] == "t":
            self.track[int(place[1:])] = seat
        elif place[0] == "h":
            self.heaven[seat].add(int(place[1:]))
        else:
            self.centre.append((seat, int(place[1:])))

    def copy(self) -> Table:
        other = object.__new__(Table)
        other.seats, other.length, other.special = self.seats, self.length, self.special
        other.track = dict(self.track)
        other.heaven = {seat: set(inside) for seat, inside in self.heaven.items()}
        other.reserve = dict(self.reserve)
        other.centre = list(self.centre)
        other.fresh = set(self.fresh)
        return other

    def written(self) -> dict[str, Any]:
        """Return the keys `marbles` and `fresh` of a position."""
        marbles: list[list[str]] = [
            ["r"] * self.reserve[seat] + [f"h{n}" for n in self.heaven[seat]] for seat in range(self.seats)
        ]
        for space, seat in self.track.items():
            marbles[seat].append(f"t{space}")
        for seat, space in self.centre:
            marbles[seat].append(f"x{space}")
        return {"marbles": [sorted(places) for places in marbles], "fresh": sorted(self.fresh)}

    def key(self) -> str:
        """Return a text that is equal for equal boards."""
        return str(self.written())

    # --- places of marbles ---------------------------------------------------------------------------------------

    def start(self, seat: int) -> int:
        return 18 * seat

    def pieu(self, seat: int) -> int:
        return (18 * seat - 2) % self.length

    def case(self, space: int) -> int:
        return space % 18 or 18

    def is_fresh(self, space: int) -> bool:
        """Return whether the marble on this space is fresh: on its own start since it came out."""
        owner = self.track.get(space)
        return owner is not None and owner in self.fresh and space == self.start(owner)

    def is_protected(self, space: int) -> bool:
        """Return whether the marble is protected: fresh, or where there are special spaces, on a case 8."""
        return self.is_fresh(space) or (self.special and space in self.track and self.case(space) == 8)

    def places(self, seat: int) -> list[str]:
        """Return the places of a seat's marbles on the track and in its heaven."""
        return [f"t{space}" for space, owner in self.track.items() if owner == seat] + [
            f"h{n}" for n in self.heaven[seat]
        ]

    def is_home(self, seat: int) -> bool:
        return self.heaven[seat] == HOME

    # --- changes ------------------------------------------------------------------------------------------------

    def eat(self, space: int) -> None:
        """Send the marble on this space, if there is one, back to its reserve."""
        if space in self.track:
            self.reserve[self.track.pop(space)] += 1

    def lift(self, space: int) -> int:
        """Take a marble off the track and return its owner; it is no longer fresh."""
        if self.is_fresh(space):
            self.fresh.remove(self.track[space])
        return self.track.pop(space)

    def land(self, owner: int, space: int) -> str:
        """End a move on a space: eat, and jump from a case 7 where there are jumps. Return the final place."""
        if self.is_protected(space):
            raise Blocked
        self.eat(space)
        if self.special and self.case(space) == 7:
            space = (space + self.length // 2) % self.length
            self.eat(space)
        self.track[space] = owner
        return f"t{space}"

    def out(self, seat: int) -> None:
        """Bring a marble out of the reserve onto its start."""
        if not self.reserve[seat] or self.is_fresh(self.start(seat)):
            raise Blocked
        self.eat(self.start(seat))
        self.reserve[seat] -= 1
        self.track[self.start(seat)] = seat
        self.fresh.add(seat)

    def back(self, space: int, steps: int) -> str:
        owner = self.lift(space)
        for _ in range(steps):
            space = (space - 1) % self.length
            if self.is_fresh(space):
                raise Blocked
        return self.land(owner, space)

    def forward(
        self, place: str, seat: int, steps: int, *, turning: bool, eating: bool = False, over_fresh: bool = False
    ) -> str:
        """Move a marble step by step (`seat` says whose heaven an `h` place is). `turning`: into its heaven at its
        pieu.

        `eating`: marbles that it passes on the track, unless protected, go back to reserve. Return where it ends.
        """
        if place[0] == "h":
            owner, inside = seat, int(place[1:])
            self.heaven[owner].remove(inside)
            space = None
        else:
            space, inside = int(place[1:]), 0
            owner = self.lift(space)
        passed: list[int] = []
        for step in range(1, steps + 1):
            last = step == steps
            if space is not None and turning and space == self.pieu(owner):
                space = None
            if space is None:
                inside += 1
                if inside > 4 or inside in self.heaven[owner]:
                    raise Blocked
                continue
            space = (space + 1) % self.length
            if self.is_fresh(space) and (last or not over_fresh):
                raise Blocked
            if not last:
                passed.append(space)
        if turning and space is not None:
            raise Blocked  # it never reached its pieu with a step left: that is the other way
        if eating:
            for one in passed:
                if not self.is_protected(one):
                    self.eat(one)
        if space is None:
            self.heaven[owner].add(inside)
            return f"h{inside}"
        return self.land(owner, space)

    def swap(self, one: int, other: int) -> None:
        mine, theirs = self.lift(one), self.lift(other)
        self.track[one], self.track[other] = theirs, mine
