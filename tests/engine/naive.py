"""The rules of shawinigan/1 a second time, naively: marbles walk step by step over a dictionary, nothing is worked out
beforehand, and no line of it is shared with the engine. Slow; it exists to disagree."""

from __future__ import annotations

import copy
from itertools import permutations
from typing import Any

L, N = 72, 4
FORWARD = {"A": 1, "2": 2, "3": 3, "5": 5, "6": 6, "8": 8, "9": 9, "10": 10, "Q": 12, "K": 13, "JK": 18}


class Blocked(Exception):
    """The marble cannot go there."""


class Table:
    """`track[p]` is the seat there; `heavens[s]` a set of 1..4; `fresh` a set of seats."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.track: dict[int, int] = {}
        self.heavens: list[set[int]] = [set(), set(), set(), set()]
        self.reserves = [0] * N
        for seat, places in enumerate(position["marbles"]):
            for place in places:
                if place == "r":
                    self.reserves[seat] += 1
                elif place[0] == "t":
                    self.track[int(place[1:])] = seat
                else:
                    self.heavens[seat].add(int(place[1:]))
        self.fresh = set(position["fresh"])

    def key(self) -> tuple[Any, ...]:
        return (
            tuple(sorted(self.track.items())),
            tuple(map(tuple, map(sorted, self.heavens))),
            tuple(sorted(self.fresh)),
        )

    def is_fresh(self, space: int) -> bool:
        return any(18 * seat == space and self.track.get(space) == seat for seat in self.fresh)

    def protected(self, space: int) -> bool:
        return space in self.track and (space % 18 == 8 or self.is_fresh(space))

    def eat(self, space: int) -> None:
        if space in self.track:
            self.reserves[self.track.pop(space)] += 1

    def lift(self, place: str, seat: int) -> int:
        """Take a marble up; answer its owner."""
        if place[0] == "h":
            self.heavens[seat].remove(int(place[1:]))
            return seat
        space = int(place[1:])
        owner = self.track.pop(space)
        if space == 18 * owner:
            self.fresh.discard(owner)
        return owner

    def arrive(self, owner: int, space: int) -> str:
        if self.protected(space):
            raise Blocked
        self.eat(space)
        if space % 18 == 7:
            space = (space + L // 2) % L
            self.eat(space)
        self.track[space] = owner
        return f"t{space}"

    def walk(self, place: str, seat: int, steps: int, *, turn_in: bool, sweep: bool = False) -> str:
        """Walk forward; answer the place reached. `turn_in`: into heaven at the own pieu."""
        owner = self.lift(place, seat)
        passed: list[int] = []
        inside = int(place[1:]) if place[0] == "h" else 0
        space = int(place[1:]) if place[0] == "t" else -1
        if turn_in and place[0] == "t" and not self._reaches(owner, space, steps):
            raise Blocked
        for step in range(1, steps + 1):
            if inside or (turn_in and space == (18 * owner - 2) % L):
                inside += 1
                if inside > 4 or inside in self.heavens[owner]:
                    raise Blocked
                continue
            space = (space + 1) % L
            if self.is_fresh(space):
                raise Blocked
            if step < steps:
                passed.append(space)
        if sweep:
            for one in passed:
                if one % 18 != 8:
                    self.eat(one)
        if inside:
            self.heavens[owner].add(inside)
            return f"h{inside}"
        return self.arrive(owner, space)

    @staticmethod
    def _reaches(owner: int, space: int, steps: int) -> bool:
        """Say whether a walk has a step left when it stands on the pieu."""
        return (18 * owner - 2 - space) % L < steps

    def back(self, place: str, steps: int) -> str:
        if place[0] == "h":
            raise Blocked
        owner = self.lift(place, -1)
        space = int(place[1:])
        for _ in range(steps):
            space = (space - 1) % L
            if self.is_fresh(space):
                raise Blocked
        return self.arrive(owner, space)


def side(position: dict[str, Any], seat: int) -> int:
    def done(s: int) -> bool:
        return sorted(position["marbles"][s]) == ["h1", "h2", "h3", "h4"]

    return (seat + 2) % N if done(seat) and not done((seat + 2) % N) else seat


def walks(table: Table, place: str, seat: int, steps: int, *, sweep: bool = False) -> list[tuple[str, Table]]:
    """Answer what a walk may reach, each with the table after it."""
    reached = []
    for turn_in in (True, False):
        after = copy.deepcopy(table)
        try:
            if place[0] == "h" and not turn_in:
                continue
            reached.append((after.walk(place, seat, steps, turn_in=turn_in, sweep=sweep), after))
        except Blocked:
            continue
    return reached


def own(table: Table, me: int) -> list[str]:
    return [f"t{p}" for p, seat in table.track.items() if seat == me] + [f"h{k}" for k in table.heavens[me]]


def sevens(table: Table, me: int) -> dict[Any, str]:
    """Answer for each table reached the tail that sorts first."""
    found: dict[Any, str] = {}

    def note(after: Table, tail: str) -> None:
        found[after.key()] = min(tail, found.get(after.key(), tail))

    for place in own(table, me):
        for end, after in walks(table, place, me, 7):
            note(after, f"{place}-{end}")
    for a, b in permutations(own(table, me), 2):
        for n in range(1, 7):
            for end, middle in walks(table, a, me, n):
                if b == end or b not in own(middle, me):
                    continue
                for end2, after in walks(middle, b, me, 7 - n):
                    note(after, f"{a}-{end} {b}-{end2}")
    return found


def plays(position: dict[str, Any]) -> list[str]:
    """Answer the plays of phases `play` and `joker`, sorted."""
    table, turn = Table(position), position["turn"]
    me = side(position, turn)
    hand = position["hands"][turn]
    replay = position.get("joker") if position["phase"] == "joker" else None
    listed: set[str] = set()
    for card in set(hand):
        rank = card if card == "JK" else card[:-1]
        listed |= {f"{card} {tail}" for tail in tails(table, me, rank, replay)}
        if rank == "10" and position["hands"][(turn + 1) % N]:
            listed.add(f"{card} skip")
    return sorted(listed) if listed else sorted({f"burn {card}" for card in hand})


def tails(table: Table, me: int, rank: str, replay: str | None) -> set[str]:
    mine = own(table, me)
    if replay is not None:
        mine = [replay.removeprefix(str(me))] if replay[0] != "t" else [replay]
        if (replay[0] != "t" and replay[0] != str(me)) or mine[0] not in own(table, me):
            mine = []
    found: set[str] = set()
    if rank in ("A", "K", "JK") and replay is None and table.reserves[me] and not table.is_fresh(18 * me):
        found.add("out")
    if rank in FORWARD:
        movers = [(place, me) for place in mine]
        if rank == "5":
            movers = [(f"t{p}", seat) for p, seat in table.track.items()]
        for place, seat in movers:
            reached = walks(table, place, seat, FORWARD[rank], sweep=rank == "K")
            found |= {f"{place}-{end}" for end, _ in reached}
    elif rank == "4":
        for place in mine:
            try:
                found.add(f"{place}-{copy.deepcopy(table).back(place, 4)}")
            except Blocked:
                continue
    elif rank == "7":
        if replay is None:
            return set(sevens(table, me).values())
        for place in mine:
            found |= {f"{place}-{end}" for end, _ in walks(table, place, me, 7)}
    elif rank == "J":
        free = [p for p in table.track if not table.protected(p)]
        found |= {
            f"{a}xt{b}" for a in mine for b in free if a[0] == "t" and int(a[1:]) in free and table.track[b] != me
        }
    return found
