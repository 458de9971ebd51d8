"""Sections 3, 4 and 6: what one card may do at a table. A play without its card is a tail: `t12-t21`, `out`, `skip`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import sheets
from .table import Blocked, Table


@dataclass
class Done:
    """The result of a play: the table after it; the marble that moved, if one did (`0h1`, `t30`); the seat that must
    burn.
    """

    table: Table
    moved: str | None = None
    hits_next: bool = False


@dataclass
class Asked:
    """Who plays, at which table. `side`: whose marbles. `follows`: in a joker's replay the place of the marble."""

    rules: str
    table: Table
    side: int
    next_has_cards: bool
    follows: str | None = None

    def mine(self) -> list[str]:
        """Return the places of the marbles that may move: the side's, or in a replay the marble that is replayed."""
        own = self.table.places(self.side)
        if self.follows is None:
            return own
        return [place for place in own if self.named(place) == self.follows]

    def named(self, place: str) -> str:
        return place if place[0] == "t" else f"{self.side}{place}"


def tails(asked: Asked, rank: str) -> dict[str, Done]:
    """Return every listed tail of a card of this rank, with its result."""
    found: dict[str, Done] = {}
    for power in sheets.powers(asked.rules, asked.table.seats, rank):
        found |= _POWERS[power[0]](asked, *power[1:])
    return found


def ways(table: Table, place: str, seat: int, steps: int, **how: bool) -> Iterator[tuple[str, Table]]:
    """Return where a marble may end after that many steps, turning in or not, each with the table after it."""
    for turning in (True, False):
        if place[0] == "h" and not turning:
            continue
        after = table.copy()
        try:
            yield after.forward(place, seat, steps, turning=turning, **how), after
        except Blocked:
            continue


def _out(asked: Asked) -> dict[str, Done]:
    if asked.follows is not None:
        return {}
    after = asked.table.copy()
    try:
        after.out(asked.side)
    except Blocked:
        return {}
    return {"out": Done(after, f"t{after.start(asked.side)}")}


def _forward(asked: Asked, steps: int, how: str = "") -> dict[str, Done]:
    hits = how == "then the next burns" and asked.next_has_cards
    return {
        f"{place}-{end}": Done(after, asked.named(end), hits)
        for place in asked.mine()
        for end, after in ways(
            asked.table, place, asked.side, steps, eating=how == "eating", over_fresh=how == "over fresh"
        )
    }


def _anybody_forward(asked: Asked, steps: int) -> dict[str, Done]:
    return {
        f"t{space}-{end}": Done(after)
        for space, owner in asked.table.track.items()
        for end, after in ways(asked.table, f"t{space}", owner, steps)
    }


def _back(asked: Asked, steps: int) -> dict[str, Done]:
    found = {}
    for place in asked.mine():
        after = asked.table.copy()
        if place[0] == "t":
            try:
                end = after.back(int(place[1:]), steps)
            except Blocked:
                continue
            found[f"{place}-{end}"] = Done(after, end)
    return found


def _skip(asked: Asked) -> dict[str, Done]:
    return {"skip": Done(asked.table.copy(), hits_next=True)} if asked.next_has_cards else {}


def _swap(asked: Asked, whom: str) -> dict[str, Done]:
    table, found = asked.table, {}
    for place in asked.mine():
        if place[0] != "t":
            continue
        one = int(place[1:])
        if table.special and table.is_protected(one):
            continue
        for other, owner in table.track.items():
            if owner == asked.side:
                # Two own marbles form one play, the lower index first; fresh ones may be swapped too.
                if whom == "others" or other <= one:
                    continue
            elif table.is_protected(other):
                continue
            after = table.copy()
            after.swap(one, other)
            found[f"t{one}xt{other}"] = Done(after, f"t{other}")
    return found


def _centre(asked: Asked) -> dict[str, Done]:
    found, table, side = {}, asked.table, asked.side
    doors = [space for space in range(table.length) if table.case(space) == 7]
    for space in doors:
        if table.track.get(space) == side:
            after = table.copy()
            after.lift(space)
            after.centre.append((side, space))
            found[f"t{space}-x{space}"] = Done(after)
    for came_from in {space for seat, space in table.centre if seat == side}:
        for space in doors:
            if space == came_from:
                continue
            after = table.copy()
            after.centre.remove((side, came_from))
            after.land(side, space)
            found[f"x{came_from}-t{space}"] = Done(after)
    return found


# --- sevens ----------------------------------------------------------------------------------------------------------


def _legs(
    table: Table, side: int, movers: list[str], ended: frozenset[str], steps: int, *, eating: bool
) -> Iterator[tuple[str, str, int, Table]]:
    """Return every first leg of at most `steps` steps: (its text, its end, the steps left, the table after it)."""
    for place in movers:
        if place in ended or place not in table.places(side):
            continue
        for n in range(1, steps + 1):
            for end, after in ways(table, place, side, n, eating=eating):
                yield f"{place}-{end}", end, steps - n, after


def sevens(asked: Asked, most: int, *, eating: bool) -> Iterator[tuple[str, Done]]:
    """Return every valid order of legs with its result. In a replay the card is not shared."""
    follows = asked.follows is not None

    def go(table: Table, said: list[str], ended: frozenset[str], steps: int) -> Iterator[tuple[str, Done]]:
        movers = asked.mine() if follows else table.places(asked.side)
        for text, end, left, after in _legs(table, asked.side, movers, ended, steps, eating=eating):
            if not left:
                yield " ".join([*said, text]), Done(after, asked.named(end))
            elif len(said) + 1 < most and not follows:
                yield from go(after, [*said, text], ended | {end}, left)

    yield from go(asked.table, [], frozenset(), 7)


def _seven(asked: Asked, most: int, how: str = "") -> dict[str, Done]:
    """Return, for each board that a seven can reach, the notation that sorts first."""
    first: dict[str, tuple[str, Done]] = {}
    for tail, done in sevens(asked, most, eating=how == "eating"):
        key = done.table.key()
        if key not in first or tail < first[key][0]:
            first[key] = (tail, done)
    return dict(first.values())


def seven_as_spelt(asked: Asked, tail: str, power: tuple[Any, ...]) -> Done | None:
    """Return the result of these legs in this order, or None if they are not a valid seven."""
    legs = tail.split(" ")
    most, eating = power[1], "eating" in power
    if asked.follows is not None:
        most = 1

    def go(table: Table, at: int, ended: frozenset[str], steps: int) -> Done | None:
        movers = asked.mine() if asked.follows is not None else table.places(asked.side)
        for text, end, left, after in _legs(table, asked.side, movers, ended, steps, eating=eating):
            if text != legs[at]:
                continue
            if at + 1 == len(legs):
                done = None if left else Done(after, asked.named(end))
            else:
                done = go(after, at + 1, ended | {end}, left) if left else None
            if done is not None:
                return done
        return None

    return go(asked.table, 0, frozenset(), 7) if len(legs) <= most else None


_POWERS: dict[str, Any] = {
    "out": _out,
    "forward": _forward,
    "anybody forward": _anybody_forward,
    "back": _back,
    "seven": _seven,
    "skip": _skip,
    "swap": _swap,
    "centre": _centre,
}
